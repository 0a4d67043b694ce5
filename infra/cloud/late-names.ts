import type {
  AnyNode,
  Identifier,
  ModuleDeclaration,
  Program,
  Statement,
  VariableDeclarator,
} from "acorn";

/** A constant that has one name. */
type Constant = VariableDeclarator & { id: Identifier; init: AnyNode };

/** Those at the top of a module. */
export const constantsOf = (statements: readonly (Statement | ModuleDeclaration)[]): Constant[] =>
  statements
    .map((statement) =>
      statement.type === "ExportNamedDeclaration" ? statement.declaration : statement,
    )
    .flatMap((statement) =>
      statement?.type === "VariableDeclaration" ? statement.declarations : [],
    )
    .filter((each): each is Constant => each.id.type === "Identifier" && !!each.init);

/** What Lambda calls. */
const calledFromOutside = "handler";

/**
 * The names at the top of a module, its own and imported ones, whose values take work to make.
 *
 * @param exportedBy gives those that an imported module exports
 * @throws Error where such names leave a module in a way that nobody could follow: handed on, taken all at once or by
 *   `import()`, or beside what Lambda calls
 */
export async function lateNames(
  program: Program,
  exportedBy: (specifier: string) => Promise<ReadonlySet<string>>,
): Promise<Set<string>> {
  const { body } = program;
  const late = new Set<string>();
  for (const specifier of importedLater(program)) {
    if ((await exportedBy(specifier)).size > 0)
      throw new Error(`${specifier} is imported too late`);
  }
  for (const statement of body) {
    if (!("source" in statement) || !statement.source) continue;
    const specifier = String(statement.source.value);
    const theirs = await exportedBy(specifier);
    if (theirs.size === 0) continue;
    for (const [imported, local] of namedIn(statement, specifier)) {
      if (theirs.has(imported)) late.add(local);
    }
  }
  for (const { id, init } of constantsOf(body)) {
    if (id.name !== calledFromOutside && takesWork(init, late)) late.add(id.name);
  }
  const isEntry = exportedOf(program, new Set([calledFromOutside])).size > 0;
  if (isEntry && exportedOf(program, late).size > 0) {
    throw new Error(`What Lambda loads exports ${calledFromOutside} alone`);
  }
  return late;
}

/** What `import("…")` names. */
function importedLater(node: AnyNode): string[] {
  const inside = partsOf(node).flatMap(importedLater);
  return node.type === "ImportExpression" && node.source.type === "Literal"
    ? [String(node.source.value), ...inside]
    : inside;
}

/** @throws Error where names are handed on, or taken all at once: whose they are could not be told */
function namedIn(
  statement: ModuleDeclaration,
  specifier: string,
): [imported: string, local: string][] {
  const specifiers = statement.type === "ImportDeclaration" ? statement.specifiers : [undefined];
  return specifiers.map((each) => {
    if (each?.type === "ImportSpecifier") return [nameOf(each.imported), each.local.name];
    if (each?.type === "ImportDefaultSpecifier") return ["default", each.local.name];
    throw new Error(`What ${specifier} exports has to be imported by name, where it is used`);
  });
}

export const nameOf = (node: AnyNode): string => (node.type === "Identifier" ? node.name : "");

/** Which of these names a module exports. */
export const exportedOf = ({ body }: Program, names: ReadonlySet<string>): Set<string> =>
  new Set(
    constantsOf(body.filter(({ type }) => type === "ExportNamedDeclaration"))
      .map(({ id }) => id.name)
      .filter((name) => names.has(name)),
  );

const working = new Set(["CallExpression", "NewExpression", "TaggedTemplateExpression"]);
const functions = new Set(["ArrowFunctionExpression", "FunctionExpression"]);

function takesWork(node: AnyNode, late: ReadonlySet<string>): boolean {
  if (functions.has(node.type)) return false;
  if (working.has(node.type) || late.has(nameOf(node))) return true;
  return partsOf(node).some((part) => takesWork(part, late));
}

export const partsOf = (node: AnyNode): AnyNode[] =>
  Object.values(node)
    .flat()
    .filter((part): part is AnyNode => typeof part?.type === "string");

/** Where a name of the module's top is read. */
export interface Reading {
  readonly at: Identifier;
  /** Where it also names a member: `{ name }`. */
  readonly isMember?: true;
}

/**
 * Where these names are read. Nothing else has them: esbuild, which takes the types out of a module first, gives what
 * functions and blocks name alike a name of its own.
 */
export function readingsOf(names: ReadonlySet<string>, node: AnyNode): Reading[] {
  if (names.size === 0) return [];
  const inside = (part: AnyNode | null | undefined) => (part ? readingsOf(names, part) : []);
  switch (node.type) {
    case "Identifier":
      return names.has(node.name) ? [{ at: node }] : [];
    case "ImportDeclaration":
    case "MetaProperty":
      return [];
    case "VariableDeclarator":
      return [...(node.id.type === "Identifier" ? [] : inside(node.id)), ...inside(node.init)];
    case "MemberExpression":
      return [...inside(node.object), ...(node.computed ? inside(node.property) : [])];
    case "Property":
      if (node.shorthand && node.value.type === "Identifier") {
        return inside(node.value).map(({ at }) => ({ at, isMember: true }));
      }
      return [...(node.computed ? inside(node.key) : []), ...inside(node.value)];
    case "PropertyDefinition":
    case "MethodDefinition":
      return [...(node.computed ? inside(node.key) : []), ...inside(node.value)];
    default:
      return partsOf(node).flatMap(inside);
  }
}
