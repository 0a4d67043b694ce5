import { isDeepStrictEqual } from "node:util";
import { compareNumbers, isStoredNumber, sumOf } from "./decimals.ts";
import {
  type Condition,
  type Path,
  conditionOf,
  memoized,
  parsedActions,
  pathsOf,
} from "./expression-syntax.ts";
import { invalid, unsupported } from "./refusals.ts";
import { type Item, compareTexts, storedValue } from "./values.ts";

/** The expressions of a request, with the names and values that they refer to. */
export interface Expressions {
  readonly ConditionExpression?: string | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly KeyConditionExpression?: string | undefined;
  readonly ProjectionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Record<string, unknown> | undefined;
}

/** The placeholders in a text: `#…` for names and `:…` for values. */
const placeholdersIn = memoized((text) => text.match(/[#:]\w+/g) ?? []);

/**
 * Refuses placeholders without a meaning, and names and values that no expression uses.
 *
 * @throws a ValidationException
 */
export function checkPlaceholders(request: Expressions): void {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = request;
  const used = new Set<string>();
  for (const text of [
    request.ConditionExpression,
    request.UpdateExpression,
    request.KeyConditionExpression,
    request.ProjectionExpression,
  ]) {
    for (const each of text === undefined ? [] : placeholdersIn(text)) used.add(each);
  }
  for (const each of used) {
    const known = each.startsWith("#") ? names[each] : values[each];
    if (known === undefined)
      throw invalid(
        `An expression attribute used in expression is not defined; attribute: ${each}`,
      );
  }
  for (const each of [...Object.keys(names), ...Object.keys(values)]) {
    if (!used.has(each))
      throw invalid(`Value provided in ExpressionAttribute unused in expressions: keys: {${each}}`);
  }
}

const nameIn = ({ ExpressionAttributeNames: names = {} }: Expressions, placeholder: string) =>
  names[placeholder] ?? placeholder;

const namesIn = (request: Expressions, path: Path): string[] =>
  path.map((placeholder) => nameIn(request, placeholder));

const valueIn = ({ ExpressionAttributeValues: values = {} }: Expressions, placeholder: string) =>
  storedValue(values[placeholder]);

function memberAt(item: unknown, path: readonly string[]): unknown {
  let value = item;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Item)[name];
  }
  return value;
}

/** Whether the request's condition holds on an item, or on its absence. */
export function isMet(request: Expressions, item: Item | undefined): boolean {
  if (request.ConditionExpression === undefined) return true;
  return holds(conditionOf(request.ConditionExpression), request, item);
}

function holds(condition: Condition, request: Expressions, item: Item | undefined): boolean {
  switch (condition.kind) {
    case "AND":
      return condition.parts.every((part) => holds(part, request, item));
    case "OR":
      return condition.parts.some((part) => holds(part, request, item));
    case "begins_with":
    case "BETWEEN":
      throw unsupported(`${condition.kind} in a condition`);
  }
  const found = memberAt(item, namesIn(request, condition.path));
  if (condition.kind === "exists") return found !== undefined;
  if (condition.kind === "missing") return found === undefined;
  const bound = valueIn(request, condition.value);
  switch (condition.kind) {
    case "=":
      return isEqual(found, bound);
    case "<>":
      return !isEqual(found, bound);
    default:
      return isOrdered(condition.kind, found, bound);
  }
}

const isEqual = (one: unknown, other: unknown): boolean =>
  isStoredNumber(one) && isStoredNumber(other)
    ? compareNumbers(one, other) === 0
    : isDeepStrictEqual(one, other);

function isOrdered(operator: "<" | "<=" | ">" | ">=", found: unknown, bound: unknown): boolean {
  if (typeof bound !== "string" && !isStoredNumber(bound))
    throw invalid(
      `Invalid ConditionExpression: Incorrect operand type for operator or function; operator: ${operator}`,
    );
  const order =
    typeof found === "string" && typeof bound === "string"
      ? compareTexts(found, bound)
      : isStoredNumber(found) && isStoredNumber(bound)
        ? compareNumbers(found, bound)
        : Number.NaN;
  return { "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0 }[operator];
}

const noSuchPath = () =>
  invalid("The document path provided in the update expression is invalid for update");

interface Action {
  readonly clause: "SET" | "ADD" | "REMOVE";
  readonly path: readonly string[];
  readonly value: unknown;
}

function actionsIn(request: Expressions): Action[] {
  return parsedActions(request.UpdateExpression ?? "").map(({ clause, path, value }) => ({
    clause,
    path: namesIn(request, path),
    value: value === undefined ? undefined : valueIn(request, value),
  }));
}

/**
 * The attributes that an update expression changes, as paths of names.
 *
 * @throws a ValidationException when two of them overlap
 */
export function changedPaths(request: Expressions): readonly (readonly string[])[] {
  const paths = parsedActions(request.UpdateExpression ?? "").map(({ path }) =>
    namesIn(request, path),
  );
  const overlap = paths.some((path, position) =>
    paths.some(
      (other, at) => at !== position && path.every((name, depth) => other[depth] === name),
    ),
  );
  if (overlap)
    throw invalid("Invalid UpdateExpression: Two document paths overlap with each other;");
  return paths;
}

/** The item after the changes of an update expression. */
export const updated = (request: Expressions, before: Item): Item =>
  actionsIn(request).reduce<Item>((item, { clause, path, value }) => {
    if (clause === "REMOVE") return without(item, path);
    if (clause === "SET") return withMember(item, path, value);
    return withMember(item, path, added(memberAt(item, path), value));
  }, before);

function added(found: unknown, value: unknown): unknown {
  if (!isStoredNumber(value)) throw unsupported("ADD of anything but a number");
  if (found === undefined) return value;
  if (isStoredNumber(found)) return sumOf(found, value);
  throw invalid("An operand in the update expression has an incorrect data type");
}

function withMember(item: Item, [name = "", ...inner]: readonly string[], value: unknown): Item {
  return {
    ...item,
    [name]: inner.length === 0 ? value : withMember(mapIn(item, name), inner, value),
  };
}

function without(item: Item, [name = "", ...inner]: readonly string[]): Item {
  const { [name]: _removed, ...others } = item;
  return inner.length === 0 ? others : { ...item, [name]: without(mapIn(item, name), inner) };
}

function mapIn(item: Item, name: string): Item {
  const value = Object.hasOwn(item, name) ? item[name] : undefined;
  if (
    typeof value !== "object" ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    throw noSuchPath();
  return value as Item;
}

/** Limits an item to the members of a projection. */
export function projected(request: Expressions, item: Item): Item {
  if (request.ProjectionExpression === undefined) return item;
  const members: Record<string, unknown> = {};
  for (const path of pathsOf(request.ProjectionExpression)) {
    if (path.length > 1) throw unsupported("a projection of nested members");
    const name = nameIn(request, path[0] ?? "");
    if (Object.hasOwn(item, name)) members[name] = item[name];
  }
  return members;
}

/** What a query asks for: a partition, and a range of its sort keys. */
export interface KeyCondition {
  readonly partition: string;
  readonly prefix?: string;
  readonly between?: readonly [string, string];
}

/** @param keys the names of the partition key and the sort key */
export function keyConditionOf(
  request: Expressions,
  keys: { readonly pk: string; readonly sk: string },
): KeyCondition {
  const condition = conditionOf(request.KeyConditionExpression ?? "");
  const [first, second, ...rest] = "parts" in condition ? condition.parts : [condition];
  const text = (name: string, placeholder: string): string => {
    const value = valueIn(request, placeholder);
    if (typeof value !== "string")
      throw invalid(
        "One or more parameter values were invalid: Condition parameter type does not match schema type",
      );
    if (value === "")
      throw invalid(
        `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
      );
    return value;
  };
  const isAbout = (path: Path, name: string) =>
    path.length === 1 && nameIn(request, path[0] ?? "") === name;
  const isKnown = condition.kind !== "OR" && rest.length === 0;
  if (!isKnown || first?.kind !== "=" || !isAbout(first.path, keys.pk))
    throw unsupported(`the key condition ${request.KeyConditionExpression}`);
  const partition = text(keys.pk, first.value);
  if (!second) return { partition };
  if (second.kind === "begins_with" && isAbout(second.path, keys.sk))
    return { partition, prefix: text(keys.sk, second.value) };
  if (second.kind !== "BETWEEN" || !isAbout(second.path, keys.sk))
    throw unsupported(`the key condition ${request.KeyConditionExpression}`);
  const [low, high] = [text(keys.sk, second.low), text(keys.sk, second.high)];
  if (compareTexts(low, high) > 0)
    throw invalid(
      "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound",
    );
  return { partition, between: [low, high] };
}
