import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, type Metafile, build } from "esbuild";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import { description, everyRoute } from "#functions/docs/description.ts";
import { partsWithoutPermission } from "#functions/part-permissions.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const here = (file: string) => join(import.meta.dirname, file);
const { resolve: builtForCommonJs } = createRequire(import.meta.url);

/** The name by which Lambda finds the handler: the file, a dot and the export. */
export const bundleHandler = "index.handler";

/** The file with a function's code, inside the directory of all bundles. */
export function bundleFile(directory: string, name: string): string {
  return join(directory, name, "index.cjs");
}

/** esbuild options that shorten cold starts. */
export const recipe = {
  bundle: true,
  mainFields: ["module", "main"],
  // An ESM bundle would import `node:http` as a namespace, which loads all of undici.
  format: "cjs",
  alias: {
    "@aws-sdk/credential-provider-node": here("environment-credentials.ts"),
    "@smithy/core/event-streams": here("no-event-streams.ts"),
    "#functions/docs/description.ts": here("built-description.ts"),
    // The ESM build of pdfkit finds its own files by `import.meta.url`, which CommonJS bundles do not have. Its CommonJS
    // build requires that of fontkit, so that a bundle contains fontkit once.
    pdfkit: builtForCommonJs("pdfkit"),
    fontkit: builtForCommonJs("fontkit"),
    // fontkit imports it for WOFF2 fonts. Node decompresses Brotli itself, without 490 KB of JavaScript.
    "brotli/decompress.js": here("brotli-decompress.ts"),
  },
  minify: true,
  define: { "process.env.NODE_ENV": '"production"' },
  platform: "node",
  target: "node24",
  charset: "ascii",
  legalComments: "none",
  // `npm run source` uses the map to read stack traces. Lambda never loads it.
  sourcemap: "external",
  sourcesContent: false,
  logLevel: "warning",
} satisfies BuildOptions;

/** The members of a function that bundling needs. */
export type Bundled = Pick<
  DeployedFunction,
  "name" | "entry" | "packages" | "parts" | "permissions"
>;

/** The file with the inputs of each function, inside the directory of all bundles. */
export const inputsFile = "inputs.json";

/**
 * Bundles every function into a folder with its name under `directory`, and writes beside them which files of the
 * project each bundle holds. Packages with native code are not bundled. On
 * this machine they are loaded from `node_modules`; for Lambda, `native-packages.ts` copies them beside the bundle.
 */
export async function bundle(functions: readonly Bundled[], directory: string): Promise<void> {
  checkParts(functions);
  const { metafile } = await build({
    ...recipe,
    metafile: true,
    external: functions.flatMap(({ packages = [] }) => packages),
    absWorkingDir: root,
    entryPoints: functions.map(({ name, entry }) => ({ in: entry, out: `${name}/index` })),
    outdir: directory,
    outExtension: { ".js": ".cjs" },
  });
  checkPackages(metafile, functions);
  await writeFile(join(directory, inputsFile), JSON.stringify(inputsOf(metafile)));
  const docs = functions.find(({ name }) => name === "docs");
  if (!docs) return;
  await writeFile(join(directory, docs.name, "api.json"), await description());
  const addresses = everyRoute().map(({ method, path, outsideApi }) => ({
    method,
    path,
    outsideApi,
  }));
  await writeFile(join(directory, docs.name, "routes.json"), JSON.stringify(addresses));
}

/** Function → files of the project whose code its bundle holds, as paths from the root. */
export type BundleInputs = Readonly<Record<string, readonly string[]>>;

function inputsOf({ outputs }: Metafile): BundleInputs {
  const bundles = Object.entries(outputs).filter(([file]) => !file.endsWith(".map"));
  return Object.fromEntries(
    bundles.map(([file, { inputs }]) => [
      basename(dirname(file)),
      Object.keys(inputs).filter((input) => !input.startsWith("node_modules/")),
    ]),
  );
}

/** @throws Error naming a part whose permissions its function lacks */
function checkParts(functions: readonly Bundled[]): void {
  for (const each of functions) {
    const [part] = partsWithoutPermission(each);
    if (part !== undefined)
      throw new Error(`${each.name} has the part ${part}: add what it uses to the permissions.`);
  }
}

/** @throws Error naming a function that imports a native package and does not declare it */
function checkPackages({ outputs }: Metafile, functions: readonly Bundled[]): void {
  const native = new Set(functions.flatMap(({ packages = [] }) => packages));
  for (const [file, { imports }] of Object.entries(outputs)) {
    const { name, packages = [] } =
      functions.find(({ name }) => name === basename(dirname(file))) ?? {};
    const missing = imports.find(({ path }) => native.has(path) && !packages.includes(path));
    if (missing)
      throw new Error(
        `${name} imports ${missing.path}: add it to the function's \`packages\` in the manifest.`,
      );
  }
}
