import { readFile } from "node:fs/promises";
import {
  type AnyNode,
  type CallExpression,
  type Program,
  type Property,
  type SpreadElement,
  parse,
} from "acorn";
import { type Plugin, transform } from "esbuild";

/**
 * Makes it cheap to import our own modules, which does nothing, by rule. What the function does not use is dropped:
 * esbuild alone keeps every schema, because building one might have an effect. So is what describes schemas, 8 KB.
 * And members of an object are built when that first parses something: most of what a function could be asked, no
 * call asks of one instance.
 */
export const ownModules: Plugin = {
  name: "own-modules",
  setup({ onLoad }) {
    onLoad({ filter: /\/(?:shared|functions)\/.*\.ts$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, "utf8"), {
        loader: "ts",
        sourcefile: path,
        sourcemap: "inline",
        sourcesContent: false,
      });
      return { contents: cheapToImport(code), loader: "js" };
    });
  },
};

/** Text that takes the place of a stretch of a module. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const insertion = (at: number, text: string): Edit => ({ start: at, end: at, text });

/** Lines stay where they are, so that source maps hold. */
function cheapToImport(module: string): string {
  const program = parse(module, { ecmaVersion: "latest", sourceType: "module" });
  const edits = [
    ...droppable(program),
    ...callsIn(program).flatMap((call) => [...undescribed(call, module), ...builtLater(call)]),
  ];
  let made = "";
  let at = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    // What lies within something left out goes with it.
    if (start < at) continue;
    made += module.slice(at, start) + text;
    at = end;
  }
  return made + module.slice(at);
}

/** Says of every value at the top of a module that making it has no effect. */
function droppable({ body }: Program): Edit[] {
  return body
    .map((statement) =>
      statement.type === "ExportNamedDeclaration" ? statement.declaration : statement,
    )
    .flatMap((statement) =>
      statement?.type === "VariableDeclaration" ? statement.declarations : [],
    )
    .flatMap(({ id, init }) =>
      id.type === "Identifier" && init && init.type !== "ArrowFunctionExpression"
        ? [insertion(init.start, "/* @__PURE__ */ (() => ("), insertion(init.end, "))()")]
        : [],
    );
}

function callsIn(node: AnyNode): CallExpression[] {
  const parts = Object.values(node)
    .flat()
    .filter((part): part is AnyNode => typeof part?.type === "string");
  const inside = parts.flatMap(callsIn);
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

const takingShapes = new Set(["object", "strictObject", "looseObject", "extend", "safeExtend"]);

/** `z.object({ name: z.string() })` becomes `z.object({ get name() { return (z.string()); } })`: zod asks once. */
function builtLater(call: CallExpression): Edit[] {
  const [shape] = call.arguments;
  if (!takingShapes.has(methodOf(call) ?? "") || shape?.type !== "ObjectExpression") return [];
  return shape.properties.flatMap((member) =>
    isPlain(member) && member.value.type !== "Identifier"
      ? [
          insertion(member.key.start, "get "),
          { start: member.key.end, end: member.value.start, text: "() { return (" },
          insertion(member.value.end, "); }"),
        ]
      : [],
  );
}

/** `name: value`, and nothing else that may stand between braces. */
const isPlain = (member: Property | SpreadElement): member is Property =>
  member.type === "Property" && member.kind === "init" && !member.method && !member.computed;
