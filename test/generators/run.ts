import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { description } from "#functions/docs/description.ts";
import { NotToBeHad, said } from "#test/support/emulators/foreign-server.ts";

/**
 * Generates clients from the OpenAPI document with the generators that storefronts use, and compiles them strictly.
 *
 * Usage: npm run test:generators [-- --where-possible] [--java]
 */
const { values } = parseArgs({
  options: {
    "where-possible": { type: "boolean", default: false },
    java: { type: "boolean", default: false },
  },
});
const installed = join(import.meta.dirname, "../../node_modules");
const cache = join(installed, ".cache/generators");
const installMs = 10 * 60_000;
const run = promisify(execFile);

/** Writes a client into a folder and returns the file to compile. */
type Generate = (api: string, folder: string) => Promise<string>;

const generators: Readonly<Record<string, Generate>> = {
  async "openapi-typescript"(api, folder) {
    const file = join(folder, "schema.ts");
    await run(join(installed, ".bin/openapi-typescript"), [api, "--output", file]);
    return file;
  },
  async "hey-api"(api, folder) {
    const program = join(cache, "node_modules/.bin/openapi-ts");
    if (!existsSync(program)) {
      mkdirSync(cache, { recursive: true });
      const packages = ["@hey-api/openapi-ts@0.99.0", "typescript@5.9.3"];
      const options = ["--no-audit", "--no-fund", "--prefix", cache];
      await fetched("npm", ["install", ...options, ...packages]);
    }
    await run(program, ["--input", api, "--output", folder, "--silent"], { cwd: cache });
    return join(folder, "index.ts");
  },
  ...(values.java && {
    async "typescript-fetch"(api: string, folder: string) {
      const jars = join(cache, "jars");
      if (!existsSync(jars)) {
        const pom = join(import.meta.dirname, "pom.xml");
        const copy = ["dependency:copy-dependencies", `-DoutputDirectory=${jars}`];
        await fetched("mvn", ["-q", "-B", "-f", pom, ...copy]);
      }
      const program = ["-cp", join(jars, "*"), "org.openapitools.codegen.OpenAPIGenerator"];
      const generate = ["generate", "-g", "typescript-fetch", "-i", api, "-o", folder];
      // Without the last option, this generator imports the form of an upload, but does not write it.
      const options = ["--skip-validate-spec", "--global-property", "skipFormModel=false"];
      await run("java", [...program, ...generate, ...options], { maxBuffer: 64 * 1024 * 1024 });
      return join(folder, "index.ts");
    },
  }),
};

async function fetched(program: string, parameters: readonly string[]): Promise<void> {
  await run(program, parameters, { timeout: installMs }).catch((problem: unknown) => {
    throw new NotToBeHad(`${program} could not fetch it: ${said(problem)}`);
  });
}

const scratch = mkdtempSync(join(tmpdir(), "generators-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
const api = join(scratch, "api.json");
writeFileSync(api, await description());

const strict = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022"];
const modules = ["--module", "nodenext", "--lib", "es2022,dom,dom.iterable", "--types", ""];
for (const [name, generate] of Object.entries(generators)) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  try {
    const file = await generate(api, folder);
    await run(join(installed, ".bin/tsc"), [...strict, ...modules, file], { cwd: scratch });
    console.log(`The client of ${name} compiles.`);
  } catch (problem) {
    console.error(`The client of ${name} was not compiled: ${said(problem)}`);
    if (!(problem instanceof NotToBeHad && values["where-possible"])) process.exitCode = 1;
  }
}
if (!values.java) {
  console.log(
    "typescript-fetch was not tried. It needs Java and Maven: npm run test:generators -- --java",
  );
}
