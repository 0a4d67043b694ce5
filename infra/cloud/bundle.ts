import { cp, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Metafile, type Plugin, formatMessages } from "esbuild";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import { description } from "./description.ts";
import { unused } from "./left-out.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What Lambda calls in a bundle. */
export const bundleHandler = "index.handler";

/** The file that Lambda loads of a function, inside the directory that all bundles were made in: it loads the rest. */
export function entryFile(directory: string, name: string): string {
  return join(directory, name, "index.cjs");
}

/** The file with all of a function's code. */
export function bundleFile(directory: string, name: string): string {
  return join(directory, name, "bundle.cjs");
}

/** The file of a package that a function loads later, beside its bundle. */
export function laterFile(directory: string, name: string, packageName: string): string {
  return join(directory, name, `${fileName(packageName)}.cjs`);
}

const fileName = (packageName: string) => packageName.replaceAll("/", "-");

/** Every choice here is one of cold start; the order is that of what it saves. */
const recipe = {
  bundle: true,
  // A module that is one file with the SDK in it: nothing is resolved on disk at cold start.
  packages: "bundle",
  mainFields: ["module", "main"],
  // An ESM bundle would import `node:http` as a namespace, which loads the whole of undici.
  format: "cjs",
  alias: {
    // A function's credentials are always in its environment, so the SDK's chain of eight providers stays out.
    "@aws-sdk/credential-provider-node": join(root, "infra/cloud/lambda-credentials.ts"),
    "@smithy/core/event-streams": join(root, "infra/cloud/no-event-streams.ts"),
    "@aws-sdk/middleware-endpoint-discovery": join(root, "infra/cloud/no-endpoint-discovery.ts"),
  },
  minify: true,
  define: { "process.env.NODE_ENV": '"production"' },
  // `import()` of a file is `require` of it, which takes its code cache and never reads all exports of `node:http`.
  supported: { "dynamic-import": false },
  platform: "node",
  target: "node24",
  // One letter beyond Latin-1 would make V8 hold and scan the whole source at two bytes a letter.
  charset: "ascii",
  legalComments: "none",
  // For reading a stack trace afterwards. Lambda is never told to load them: that alone would cost 20 ms.
  sourcemap: "external",
  sourcesContent: false,
  // Errors are thrown, and warnings printed below.
  logLevel: "silent",
} satisfies BuildOptions;

/** What the recipe asks about a function. */
export type Bundled = Pick<DeployedFunction, "name" | "entry" | "packages" | "later">;

/** Bundles every function, each into a folder of its name under `directory`, ready to be an asset. */
export async function bundle(functions: readonly Bundled[], directory: string): Promise<void> {
  const entries = functions.flatMap(({ name, entry, later = [] }) => [
    [`${name}/index`, "infra/cloud/cached-entry.ts"],
    [`${name}/bundle`, entry],
    ...later.map((each) => [`${name}/${fileName(each)}`, each]),
  ]);
  const { metafile, warnings } = await build({
    ...recipe,
    // A module is loaded by the first that takes it.
    plugins: [laterPackages, description, ...unused],
    external: functions.flatMap(({ packages = [] }) => packages),
    absWorkingDir: root,
    entryPoints: Object.fromEntries(entries) as Record<string, string>,
    outdir: directory,
    outExtension: { ".js": ".cjs" },
    metafile: true,
  });
  for (const text of await formatMessages(warnings, { kind: "warning" })) console.warn(text);
  checkPresent(metafile, functions);
  for (const { name, packages = [] } of functions) {
    const folder = join(directory, name, "node_modules");
    for (const each of await withDependencies(packages)) {
      await cp(join(root, "node_modules", each), join(folder, each), {
        recursive: true,
        filter: (path) => !path.endsWith(".map"),
      });
    }
  }
}

/** Packages and all that they need, as far as it is installed: of builds for many platforms, this one's. */
async function withDependencies(packages: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const waiting = [...packages];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const manifest = join(root, "node_modules", name, "package.json");
    const text = found.has(name) ? undefined : await readFile(manifest, "utf8").catch(() => "");
    if (!text) continue;
    found.add(name);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(text) as Record<
      string,
      Record<string, string>
    >;
    waiting.push(...Object.keys({ ...dependencies, ...optionalDependencies }));
  }
  return found;
}

/** Keeps out of bundles what our own modules load by `import()`. */
const laterPackages: Plugin = {
  name: "later-packages",
  setup({ onResolve }) {
    onResolve({ filter: /^[@a-z]/ }, ({ kind, path, importer }) =>
      kind === "dynamic-import" && !path.startsWith("node:") && !/\/node_modules\//.test(importer)
        ? { path: `./${fileName(path)}.cjs`, external: true }
        : undefined,
    );
  },
};

/** @throws Error that names a function which would miss something when it first wants it */
function checkPresent({ outputs }: Metafile, functions: readonly Bundled[]): void {
  const withMachineCode = new Set(functions.flatMap(({ packages = [] }) => packages));
  for (const [file, { imports, inputs }] of Object.entries(outputs)) {
    const of = functions.find(({ name }) => name === basename(dirname(file)));
    if (!of) continue;
    if (Object.keys(inputs).some((path) => path.startsWith("node_modules/zod-openapi/"))) {
      throw new Error(`${of.name} describes routes itself, and no bundle has what that takes`);
    }
    const there = new Set((of.later ?? []).map((each) => `./${fileName(each)}.cjs`));
    const absent = imports.find(
      ({ path, external }) => external && path.startsWith("./") && !there.has(path),
    );
    if (absent) {
      throw new Error(`${of.name} loads ${absent.path} and does not declare it as \`later\``);
    }
    const missing = imports.find(
      ({ path, external }) => external && withMachineCode.has(path) && !of.packages?.includes(path),
    );
    if (missing) {
      throw new Error(`${of.name} loads ${missing.path} and does not declare it in \`packages\``);
    }
  }
}
