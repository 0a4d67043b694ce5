import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type AnyNode,
  type CallExpression,
  type ObjectExpression,
  type Program,
  type Property,
  type SpreadElement,
  parse,
} from "acorn";
import { type Plugin, transform } from "esbuild";
import {
  constantsOf,
  exportedOf,
  type Reading,
  lateNames,
  nameOf,
  partsOf,
  readingsOf,
} from "./late-names.ts";

const root = join(import.meta.dirname, "../..");

/** Those that bundles hold. What stands in for packages is not among them: packages read it as it is. */
const ownModule = /\/(?:shared|functions|test)\/.*\.ts$/;

/** CommonJS packages that few calls want, and that cost something to load. */
const loadedLate = new Set([
  "@node-rs/argon2",
  "sanitize-html",
  "swagger-ui-dist/absolute-path.js",
]);

/** A module of ours, read once. */
interface OwnModule {
  readonly code: string;
  readonly program: Program;
  /** The names in it of values that are made late: they stand for functions that give them. */
  readonly late: ReadonlySet<string>;
}

/**
 * Makes it cheap to import our own modules, which does nothing, by rule. What the function does not use is dropped:
 * esbuild alone keeps every schema, because building one might have an effect. So is what describes schemas, 8 KB.
 * And what is computed at the top of a module, schemas above all, is made when something first wants it: most of what a
 * function could be asked, no call asks of one instance. So a constant must not depend on what changes later, nor be
 * there for what making it does. Imports in a circle, which lint forbids, would wait for one another.
 */
export const ownModules: Plugin = {
  name: "own-modules",
  setup({ onLoad }) {
    const modules = new Map<string, Promise<OwnModule>>();
    function moduleAt(path: string): Promise<OwnModule> {
      const module = modules.get(path) ?? read(path);
      modules.set(path, module);
      return module;
    }
    async function read(path: string): Promise<OwnModule> {
      const { code } = await transform(await readFile(path, "utf8"), {
        loader: "ts",
        sourcefile: path,
        sourcemap: "inline",
        sourcesContent: false,
      });
      const program = parse(code, { ecmaVersion: "latest", sourceType: "module" });
      const late = await lateNames(program, async (specifier) => {
        if (loadedLate.has(specifier)) return new Set(["default"]);
        const imported = pathOf(specifier, path);
        if (imported === undefined) return new Set();
        const module = await moduleAt(imported);
        return exportedOf(module.program, module.late);
      });
      return { code, program, late };
    }
    onLoad({ filter: ownModule }, async ({ path }) =>
      /\/node_modules\//.test(path)
        ? undefined
        : { contents: cheapToImport(await moduleAt(path)), loader: "js" },
    );
  },
};

/** The file of one of our own modules; undefined for a package. */
function pathOf(specifier: string, importer: string): string | undefined {
  if (!/^[#.]/.test(specifier)) return undefined;
  const path = specifier.startsWith("#")
    ? join(root, specifier.slice(1))
    : join(dirname(importer), specifier);
  return ownModule.test(path) ? path : undefined;
}

/** Text that takes the place of a stretch of a module. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const insertion = (at: number, text: string): Edit => ({ start: at, end: at, text });

const helper = join(import.meta.dirname, "late.ts");

/** Lines stay where they are, so that source maps hold. */
function cheapToImport({ code, program, late }: OwnModule): string {
  const readings = readingsOf(late, program);
  const edits = [
    ...packagesLate(program),
    ...madeLate(program, late),
    ...callsIn(program).flatMap((call) => [...undescribed(call, code), ...routedLater(call)]),
    // Last, because of edits that begin at the same place the first counts.
    ...readings.map(asked),
  ];
  let made =
    edits.length > 0
      ? `import { late as __late, kept as __kept } from ${JSON.stringify(helper)};`
      : "";
  let at = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    // What lies within something left out goes with it.
    if (start < at) continue;
    made += code.slice(at, start) + text;
    at = end;
  }
  return made + code.slice(at);
}

/** `name` becomes `(name())`, where it stands for what gives a value. */
function asked({ at: { name, start, end }, isMember }: Reading): Edit {
  return { start, end, text: isMember ? `${name}: (${name}())` : `(${name}())` };
}

/** Says of every value at the top of a module that making it has no effect; makes it when it is first read. */
const madeLate = ({ body }: Program, late: ReadonlySet<string>): Edit[] =>
  constantsOf(body)
    .filter(({ init }) => init.type !== "ArrowFunctionExpression")
    .flatMap(({ id, init }) =>
      late.has(id.name)
        ? [insertion(init.start, "/* @__PURE__ */ __late(() => ("), insertion(init.end, "))")]
        : [insertion(init.start, "/* @__PURE__ */ (() => ("), insertion(init.end, "))()")],
    );

/** `import name from "package"` becomes the package's exports, loaded when they are first read. */
const packagesLate = ({ body }: Program): Edit[] =>
  body.flatMap((statement) => {
    if (statement.type !== "ImportDeclaration") return [];
    const { start, end, source, specifiers } = statement;
    if (!loadedLate.has(String(source.value))) return [];
    const [whole, ...others] = specifiers;
    if (whole?.type !== "ImportDefaultSpecifier" || others.length > 0) {
      throw new Error(`${source.raw} has to be imported as a whole`);
    }
    const { name } = whole.local;
    const text = `const ${name} = /* @__PURE__ */ __late(() => require(${source.raw}));`;
    return [{ start, end, text }];
  });

function callsIn(node: AnyNode): CallExpression[] {
  const inside = partsOf(node).flatMap(callsIn);
  return node.type === "CallExpression" ? [node, ...inside] : inside;
}

/** The method's name, where a call is one of a method. */
const methodOf = ({ callee }: CallExpression): string | undefined =>
  callee.type === "MemberExpression" && callee.property.type === "Identifier"
    ? callee.property.name
    : undefined;

/** `schema.meta({ … })` becomes `schema`. */
function undescribed(call: CallExpression, module: string): Edit[] {
  if (call.callee.type !== "MemberExpression" || methodOf(call) !== "meta") return [];
  const { end: start } = call.callee.object;
  const { end } = call;
  return [{ start, end, text: module.slice(start, end).replaceAll(/[^\n]/g, "") }];
}

/**
 * What `route({ … })` and functions that make routes, whose names end in `Routes`, are told of schemas is made when it
 * is first wanted, too: `body: Cart.optional()` becomes `get body() { … }`. What is asked often is kept.
 */
function routedLater({ callee, arguments: [told] }: CallExpression): Edit[] {
  if (callee.type !== "Identifier" || told?.type !== "ObjectExpression") return [];
  const makesOne = callee.name === "route";
  if (!makesOne && !callee.name.endsWith("Routes")) return [];
  const members = plainMembers(told);
  return (
    makesOne
      ? members.flatMap(({ value }) =>
          value.type === "ObjectExpression" ? plainMembers(value) : [],
        )
      : members
  )
    .filter(({ value, shorthand }) => !shorthand && made.has(value.type))
    .flatMap((member) => gettingLate(member, member.value.type === "CallExpression"));
}

const made = new Set(["Identifier", "CallExpression", "MemberExpression"]);

/** `name: value` becomes `get name() { return (value); }`. */
function gettingLate({ key, value }: Property, isKept = false): Edit[] {
  const name = key.type === "Literal" ? String(key.value) : nameOf(key);
  const [before, after] = isKept ? [`__kept(this, ${JSON.stringify(name)}, `, ")"] : ["(", ")"];
  return [
    insertion(key.start, "get "),
    { start: key.end, end: value.start, text: `() { return ${before}` },
    insertion(value.end, `${after}; }`),
  ];
}

const plainMembers = ({ properties }: ObjectExpression): Property[] => properties.filter(isPlain);

/** `name: value`, and nothing else that may stand between braces. */
const isPlain = (member: Property | SpreadElement): member is Property =>
  member.type === "Property" && member.kind === "init" && !member.method && !member.computed;
