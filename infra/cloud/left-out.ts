import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { ownModules } from "./own-modules.ts";

/**
 * Rewrites sources on their way into a bundle.
 *
 * @throws Error when nothing is rewritten: another version of the library must not undo it silently
 */
function rewriting(name: string, filter: RegExp, rewrite: (source: string) => string): Plugin {
  return {
    name,
    setup({ onLoad }) {
      onLoad({ filter }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const contents = rewrite(source);
        if (contents === source) throw new Error(`${name} finds nothing in ${path}`);
        return { contents };
      });
    },
  };
}

/** Puts a module of this folder in the place of one that modules of a package import. */
function replacing(name: string, imported: RegExp, importer: RegExp, by: string): Plugin {
  return {
    name,
    setup({ onResolve }) {
      onResolve({ filter: imported }, (asked) =>
        importer.test(asked.importer) ? { path: join(import.meta.dirname, by) } : undefined,
      );
    },
  };
}

/**
 * Lets esbuild drop the SDK's descriptions of operations that nobody calls, 58 KB of an S3 client's 66:
 * it keeps them otherwise, because they name their members by constants, and a computed name might have an effect.
 */
const withoutUnusedOperations = (source: string): string =>
  source.replaceAll(
    /^((?:export )?var [\w$]+ = )(\[[^;]*\]);$/gm,
    "$1/* @__PURE__ */ (() => $2)();",
  );

const unusedOperations = rewriting(
  "unused-operations",
  /client-[^/]+\/dist-es\/schemas\/schemas_\d+\.js$/,
  withoutUnusedOperations,
);

const tableKeepersErrors =
  /^n0_registry\.registerError\((?:Backup|Continuous|Duplicate|Export|Global|Import|Index|Invalid|Limit|Point|Policy|Replica(?!ted)|ResourceInUse|Table)\w*\$, \w+\);$/gm;

/**
 * The same for DynamoDB, and of its 35 errors, 8 KB, those that only they meet who make tables, back them up and copy
 * them. An error without a class of its own is told by its name.
 */
const unusedErrors = rewriting(
  "unused-errors",
  /client-dynamodb\/dist-es\/schemas\/schemas_\d+\.js$/,
  (source) => {
    const kept = source.replaceAll(tableKeepersErrors, "");
    return kept === source ? source : withoutUnusedOperations(kept);
  },
);

/** What people call AWS's regions, 2 KB. */
const unusedRegionNames = rewriting(
  "unused-region-names",
  /\/util-endpoints\/lib\/aws\/partitions\.js$/,
  (source) => source.replaceAll(/^ +"description": .*$/gm, ""),
);

/** A client tells AWS its version and brings all of its `package.json` for it, 2 KB. */
const unusedManifests = rewriting(
  "unused-manifests",
  /@aws-sdk\/client-[^/]+\/package\.json$/,
  (source) =>
    `export default { version: "${(JSON.parse(source) as { version: string }).version}" }`,
);

const loggingMethods = [
  "addContext",
  "addPersistentLogAttributes",
  "clearBuffer",
  "createChild",
  "createLogger",
  "critical",
  "getCorrelationId",
  "getLevelName",
  "getLogEvent",
  "getPersistentLogAttributes",
  "injectLambdaContext",
  "injectLambdaContextAfterOrOnError",
  "injectLambdaContextBefore",
  "logEventIfEnabled",
  "refreshSampleRateCalculation",
  "removeKeys",
  "removePersistentKeys",
  "removePersistentLogAttributes",
  "resetKeys",
  "setCorrelationId",
  "setPersistentLogAttributes",
  "shouldLogEvent",
  "trace",
].join("|");

/** What a logger can do besides writing lines, 3 KB. */
const unusedLogging = rewriting(
  "unused-logging",
  /powertools\/logger\/lib\/esm\/Logger\.js$/,
  (source) =>
    source.replaceAll(
      new RegExp(
        `^ {4}(?:/\\*.*\\*/ )?(?:static )?(?:${loggingMethods})\\(.*\\) \\{\\n(?: {5,}.*\\n|\\n)*? {4}\\}\\n`,
        "gm",
      ),
      "",
    ),
);

/** What statuses are called: for that alone middy loads `node:http`, a third of a cold start without the SDK. */
const lateStatusNames = rewriting("late-status-names", /@middy\/util\/index\.js$/, (source) =>
  source
    .replace('import { STATUS_CODES } from "node:http";', "")
    .replaceAll("STATUS_CODES[", 'process.getBuiltinModule("node:http").STATUS_CODES['),
);

/** A hash for platforms that have none, 3 KB. */
const unusedHash = rewriting("unused-hash", /\/checksum\/sha256\/Sha256Node\.js$/, (source) =>
  source.replace("hasNativeCrypto ? buildNativeClass() : Sha256Js", "buildNativeClass()"),
);

/** Formats of strings as methods, such as `z.string().email()`, which keep every format: they are functions of `z`, too. */
const zodFormatMethods =
  /^ {4}\w+\(params\) \{\n {8}return this\.check\(core\._\w+\(Zod\w+, params\)\);\n {4}\},?$/gm;

const zodSchemas = /\/zod\/v4\/classic\/schemas\.js$/;

/**
 * Leaves out of zod what makes JSON Schemas, 18 KB and a closure in every schema; its own sentences, 3 KB: callers
 * are told ours, and what an issue is stands in its code and path; the helpers that it does not use itself, 5 KB,
 * which a namespace handed on by another module keeps; and formats as methods of strings, 8 KB.
 */
const zodDescriptions = [
  rewriting("zod-descriptions", zodSchemas, (source) =>
    source
      .replaceAll(/^ +inst\._zod\.processJSONSchema = .*;$/gm, "")
      .replace('import { util } from "../core/index.js"', 'import * as util from "../core/util.js"')
      .replace("core.util.", "util.")
      .replaceAll(zodFormatMethods, "")
      .replace("core.config(en())", "core.config({ localeError: () => undefined })"),
  ),
  replacing("json-schemas", /\/to-json-schema\.js$/, zodSchemas, "no-json-schemas.ts"),
];

/** What the SDK is prepared for and no client here does: 18 KB. */
const unusedPreparations = [
  replacing("event-headers", /\/HeaderFormatter$/, /signature-v4\//, "no-event-streams.ts"),
  replacing("adaptive", /\/AdaptiveRetryStrategy$/, /\/retry\//, "no-adaptive-retries.ts"),
  replacing(
    "config-files",
    /\/(?:loadSharedConfigFiles|getInstanceMetadataRegion)$/,
    /\/(?:regionConfig\/config|fromSharedConfigFiles|resolveDefaultsModeConfig)\.js$/,
    "no-config-files.ts",
  ),
  replacing(
    "table-endpoint",
    /\/endpoint\/endpointResolver$/,
    /\/client-dynamodb\/dist-es\//,
    "table-endpoint.ts",
  ),
];

/** What no bundle needs. */
export const unused: Plugin[] = [
  ...unusedPreparations,
  ...zodDescriptions,
  ownModules,
  lateStatusNames,
  unusedLogging,
  // A module is loaded by the first that takes it.
  unusedErrors,
  unusedOperations,
  unusedRegionNames,
  unusedManifests,
  unusedHash,
];
