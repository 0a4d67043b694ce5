import ts from "typescript";
import * as z from "zod";

/** The kinds of changes. */
export const Operator = z.enum([
  "condition",
  "logic",
  "comparison",
  "arithmetic",
  "constant",
  "call",
  "return",
  "member",
]);
export type Operator = z.infer<typeof Operator>;

/** What identifies a change within the sources, whatever its file and line. */
export const Change = z.object({
  operator: Operator,
  /** Name of the top-level declaration around it: a function, a constant, a class. */
  within: z.string(),
  original: z.string(),
  replacement: z.string(),
  /** Its number, from 0, among the equal changes of this declaration. */
  occurrence: z.int(),
});
export type Change = z.infer<typeof Change>;

/** A change and its place in a text; `form` says what stands there. */
export interface Mutation extends Change {
  readonly start: number;
  readonly end: number;
  readonly form: "expression" | "statement" | "member";
}

/** A text as it compares whatever its formatting. */
export const unformatted = (text: string): string =>
  text.replaceAll(/\s+/g, "").replaceAll(/,(?=[)\]}])/g, "");

const changeKey = ({ operator, original, replacement }: Omit<Change, "occurrence" | "within">) =>
  [operator, unformatted(original), unformatted(replacement)].join("\0");

/** Whether two changes are the same. */
export const isSameChange = (a: Change, b: Change): boolean =>
  a.within === b.within && a.occurrence === b.occurrence && changeKey(a) === changeKey(b);

/** All changes of a source file that a test may notice. */
export function mutationsOf(text: string): Mutation[] {
  const source = ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement) =>
    declarationsOf(statement).flatMap(({ name, node }) => {
      if (/examples?$/i.test(name)) return [];
      const counts = new Map<string, number>();
      return changesBelow(node, source).map((change) => {
        const key = changeKey(change);
        const occurrence = counts.get(key) ?? 0;
        counts.set(key, occurrence + 1);
        return { ...change, within: name, occurrence };
      });
    }),
  );
}

function declarationsOf(statement: ts.Statement): { name: string; node: ts.Node }[] {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
    return statement.name ? [{ name: statement.name.text, node: statement }] : [];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap((node) =>
    ts.isIdentifier(node.name) ? [{ name: node.name.text, node }] : [],
  );
}

type Place = Omit<Mutation, "within" | "occurrence">;

function changesBelow(node: ts.Node, source: ts.SourceFile): Place[] {
  if (isUnproven(node)) return [];
  const places = changesOf(node).map(({ at = node, form = "expression", ...change }) => ({
    ...change,
    form,
    original: at.getText(source),
    start: at.getStart(source),
    end: at.end,
  }));
  ts.forEachChild(node, (child) => {
    places.push(...changesBelow(child, source));
  });
  return places;
}

const textsForPeople = new Set([
  "summary",
  "description",
  "title",
  "example",
  "examples",
  "operationId",
  "tags",
]);

/** Types, texts for people, and what is logged: no test should prove them word by word. */
function isUnproven(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isTypeParameterDeclaration(node)) return true;
  if (ts.isPropertyAssignment(node)) return textsForPeople.has(node.name.getText());
  return ts.isExpressionStatement(node) && /^(await )?(log|logger|console)\b/.test(node.getText());
}

interface Found {
  readonly operator: Operator;
  readonly replacement: string;
  readonly form?: Mutation["form"];
  /** What is replaced, if it is not the whole node. */
  readonly at?: ts.Node;
}

function changesOf(node: ts.Node): Found[] {
  if (ts.isIfStatement(node)) return constantConditions(node.expression);
  if (ts.isConditionalExpression(node)) return constantConditions(node.condition);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [{ operator: "condition", replacement: node.operand.getText() }];
  if (ts.isBinaryExpression(node)) return changesOfBinary(node);
  if (ts.isCallExpression(node)) return changesOfCall(node);
  if (ts.isExpressionStatement(node)) return removedCall(node);
  if (ts.isReturnStatement(node)) return node.expression ? returned(node.expression) : [];
  if (ts.isArrowFunction(node)) return ts.isBlock(node.body) ? [] : returned(node.body);
  if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node))
    return isAssigned(node.parent)
      ? []
      : [{ operator: "member", replacement: "...{}", form: "member" }];
  return changedConstant(node);
}

const constantConditions = (at: ts.Expression): Found[] =>
  ["true", "false"].map((replacement) => ({ operator: "condition", replacement, at }));

const otherToken: ReadonlyMap<string, readonly [Operator, string]> = new Map([
  ["<", ["comparison", "<="]],
  ["<=", ["comparison", "<"]],
  [">", ["comparison", ">="]],
  [">=", ["comparison", ">"]],
  ["===", ["comparison", "!=="]],
  ["!==", ["comparison", "==="]],
  ["&&", ["logic", "||"]],
  ["||", ["logic", "&&"]],
  ["+", ["arithmetic", "-"]],
  ["-", ["arithmetic", "+"]],
  ["*", ["arithmetic", "/"]],
  ["/", ["arithmetic", "*"]],
  ["%", ["arithmetic", "*"]],
  ["+=", ["arithmetic", "-="]],
  ["-=", ["arithmetic", "+="]],
]);

function changesOfBinary(node: ts.BinaryExpression): Found[] {
  const [left, right] = [node.left.getText(), node.right.getText()];
  const token = node.operatorToken.getText();
  if (token === "??") return [{ operator: "logic", replacement: left }];
  const [operator, other] = otherToken.get(token) ?? [];
  if (operator === undefined || (token.startsWith("+") && isText(node))) return [];
  return [{ operator, replacement: `${left} ${other} ${right}` }];
}

/** Whether an expression is, or joins, texts. */
const isText = (node: ts.Expression): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.PlusToken &&
    (isText(node.left) || isText(node.right)));

/** Calls without which a value is still of its type. */
const removable =
  /^(filter|toSorted|toReversed|slice|trim|trimEnd|trimStart|toLowerCase|toUpperCase)$/;
const otherMethod: ReadonlyMap<string, string> = new Map([
  ["some", "every"],
  ["every", "some"],
]);
const otherRounding: ReadonlyMap<string, string> = new Map([
  ["Math.min", "Math.max"],
  ["Math.max", "Math.min"],
  ["Math.floor", "Math.ceil"],
  ["Math.ceil", "Math.floor"],
  ["Math.round", "Math.floor"],
]);

function changesOfCall(node: ts.CallExpression): Found[] {
  const { expression: callee } = node;
  // Half of an optional chain cannot be put between parentheses.
  if (!ts.isPropertyAccessExpression(callee) || ts.isOptionalChain(node)) return [];
  const [object, method] = [callee.expression.getText(), callee.name.text];
  if (removable.test(method)) return [{ operator: "call", replacement: object }];
  const passed = node.getText().slice(callee.getText().length);
  const rounding = otherRounding.get(`${object}.${method}`);
  if (rounding) return [{ operator: "arithmetic", replacement: `${rounding}${passed}` }];
  const other = otherMethod.get(method);
  return other ? [{ operator: "logic", replacement: `${object}.${other}${passed}` }] : [];
}

function removedCall({ expression }: ts.ExpressionStatement): Found[] {
  const call = ts.isAwaitExpression(expression) ? expression.expression : expression;
  const isCall = ts.isCallExpression(call) && call.expression.kind !== ts.SyntaxKind.SuperKeyword;
  return isCall ? [{ operator: "call", replacement: ";", form: "statement" }] : [];
}

const listMethods = /^(map|flatMap|filter|toSorted|toReversed|slice|flat|concat)$/;

/** Leaves out conditions and objects, which have changes of their own. */
function returned(at: ts.Expression): Found[] {
  const value = ts.isParenthesizedExpression(at) ? at.expression : at;
  if (ts.isArrayLiteralExpression(value))
    return value.elements.length === 0 ? [] : [{ operator: "return", replacement: "[]", at }];
  if (ts.isObjectLiteralExpression(value) || ts.isBinaryExpression(value)) return [];
  if (ts.isPrefixUnaryExpression(value) || /^(undefined|true|false)$/.test(value.getText()))
    return [];
  const isList =
    ts.isCallExpression(value) &&
    ts.isPropertyAccessExpression(value.expression) &&
    listMethods.test(value.expression.name.text);
  return [{ operator: "return", replacement: isList ? "[]" : "undefined", at }];
}

/** Whether an object is a pattern that an assignment fills. */
const isAssigned = ({ parent }: ts.ObjectLiteralExpression): boolean =>
  ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;

function changedConstant(node: ts.Node): Found[] {
  const change = (replacement: string): Found[] => [{ operator: "constant", replacement }];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return change("false");
  if (node.kind === ts.SyntaxKind.FalseKeyword) return change("true");
  const isKey = ts.isPropertyAssignment(node.parent) && node.parent.name === node;
  if (!ts.isNumericLiteral(node) || isKey) return [];
  return change(String(Number(node.text) + 1));
}
