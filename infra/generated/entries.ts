import { globSync } from "node:fs";
import { join } from "node:path";
import { consumers } from "#functions/consumers.ts";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import { type Family, type FamilyResource, authorizer, families } from "#functions/families.ts";
import type { Contents } from "./generated-files.ts";

const functions = join(import.meta.dirname, "../../functions");

/**
 * The entry of every function: it passes the openers of the function's parts, and no others, to `openShop`. So a bundle
 * contains the code of these parts alone.
 */
export async function entryFiles(): Promise<Contents> {
  const [openers, handlers] = await Promise.all([
    modulesOf("connect/*.ts"),
    modulesOf("on-{change,schedule}/**/*.ts"),
  ]);
  const entries = [
    ...families.map((family) => [family, familyEntry(family)] as const),
    ...consumers.map((consumer) => [consumer, consumerEntry(consumer.name, handlers)] as const),
    [authorizer, handled("authorize", "#functions/authorizer/authorize.ts")] as const,
  ];
  return Object.fromEntries(
    entries.map(([of, entry]) => [of.entry, entryText(of, entry, openers)]),
  );
}

/** The modules of some files, by the names of their exports. */
type Modules = ReadonlyMap<string, string>;

async function modulesOf(files: string): Promise<Modules> {
  const modules = new Map<string, string>();
  for (const file of globSync(files, { cwd: functions }).toSorted()) {
    const module = `#functions/${file}`;
    for (const name of Object.keys((await import(join(functions, file))) as object)) {
      if (modules.has(name)) throw new Error(`${modules.get(name)} and ${module} export ${name}.`);
      modules.set(name, module);
    }
  }
  return modules;
}

/** The imports of an entry besides the openers, and the statement that makes its handler. */
interface Entry {
  readonly imports: readonly string[];
  /** What stands before the handler. */
  readonly before?: readonly string[];
  readonly handler: string;
  /** What the local stack handles events with, after it has opened the parts its own way. */
  readonly exported?: string;
}

const familyEntry = ({ resources }: Family): Entry => ({
  imports: ['import { serve } from "#shared/http/serve.ts";'],
  before: ["export const resources = [", ...resources.map(resourceText), "];", ""],
  handler: "serve(resources, (environment) => openShop(environment, openers))",
});

/** A resource, whose module is loaded when one of its paths is first called. */
const resourceText = ({ paths, module }: FamilyResource): string =>
  [
    "  {",
    listed(
      "    paths: [",
      paths.map((path) => JSON.stringify(path)),
      "],",
    ),
    `    load: () => import("${module}"),`,
    "  },",
  ].join("\n");

/** The consumer `on-change-media-uses` is the export `onChangeMediaUses` of a module that any name may have. */
function consumerEntry(name: string, handlers: Modules): Entry {
  const handle = name.replaceAll(/-(\w)/g, (_match, first: string) => first.toUpperCase());
  const module = handlers.get(handle);
  if (module === undefined) throw new Error(`${name}: no module exports ${handle}.`);
  return handled("consume", module, `${handle} as consume`);
}

const handled = (handle: string, module: string, exported = handle): Entry => ({
  imports: [
    'import { onceConnected } from "#shared/runtime/once-connected.ts";',
    `import { ${exported} } from "${module}";`,
  ],
  handler: `onceConnected(${handle}, (environment) => openShop(environment, openers))`,
  exported: `export { ${handle} };`,
});

function entryText(
  { name, parts, settings }: DeployedFunction,
  { imports, before = [], handler, exported }: Entry,
  modules: Modules,
): string {
  const names = [...parts, ...(settings ? ["settings"] : [])];
  const openers = Map.groupBy(names, (part) => {
    const module = modules.get(part);
    if (module === undefined) throw new Error(`${name}: functions/connect opens no ${part}.`);
    return module;
  });
  const opened: Readonly<Record<string, string>> = {
    log: `log: log(${JSON.stringify(name)})`,
    settings: `settings: settings([${(settings ?? []).map((group) => `"${group}"`).join(", ")}])`,
  };
  return [
    "// Generated from the manifest by `npm run generate entries`; do not edit.",
    'import { openShop } from "#shared/application/shop.ts";',
    ...imports,
    ...[...openers].map(([module, exports]) =>
      listed("import {", exports.toSorted(), `} from "${module}";`),
    ),
    "",
    ...before,
    "export const openers = {",
    ...names.map((part) => `  ${opened[part] ?? part},`),
    "};",
    "",
    `export const handler = ${handler};`,
    ...(exported === undefined ? [] : [exported]),
    "",
  ].join("\n");
}

/** A list as it is formatted: on several lines if it is longer than a line. */
function listed(open: string, members: readonly string[], close: string): string {
  const space = open.endsWith("{") ? " " : "";
  const line = [open, members.join(", "), close].join(space);
  if (line.length <= 100) return line;
  const [indent = ""] = /^ */.exec(open) ?? [];
  return [open, ...members.map((member) => `${indent}  ${member},`), indent + close].join("\n");
}
