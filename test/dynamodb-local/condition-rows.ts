import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { Attributes, WireRequest } from "#test/guards/request-shapes.ts";

/** A row of the table, or undefined if there is none. */
export type Row = Attributes | undefined;

type Condition =
  | { readonly kind: "exists" | "missing"; readonly path: readonly string[] }
  | {
      readonly kind: "compare";
      readonly path: readonly string[];
      readonly operator: string;
      readonly value: AttributeValue;
    }
  | { readonly kind: "AND" | "OR"; readonly parts: readonly Condition[] };

/**
 * Rows on which a request's condition holds, and rows on which it fails. Where one part of the condition decides,
 * there is a row for each part.
 *
 * @param base the row without regard to the condition
 */
export function rowsFor(request: WireRequest, base: Attributes): { holds: Row[]; fails: Row[] } {
  if (request.ConditionExpression === undefined) return { holds: [base, undefined], fails: [] };
  const condition = parsed(request);
  return { holds: rowsWhere(condition, true, base), fails: rowsWhere(condition, false, base) };
}

function rowsWhere(condition: Condition, wanted: boolean, base: Attributes): Row[] {
  if (!("parts" in condition)) return [rowWhere(base, base, condition, wanted)];
  const { parts } = condition;
  const allAlike = parts.reduce<Row>((row, part) => rowWhere(row, base, part, wanted), base);
  // All parts of an AND must hold, while one that fails is enough. OR is the reverse.
  if ((condition.kind === "AND") === wanted) return [allAlike];
  return parts.map((part) => {
    const others = parts
      .filter((each) => each !== part)
      .reduce<Row>((row, each) => rowWhere(row, base, each, !wanted), base);
    return rowWhere(others, base, part, wanted);
  });
}

/** The row, changed so that a condition holds or fails on it. */
function rowWhere(row: Row, base: Attributes, condition: Condition, wanted: boolean): Row {
  switch (condition.kind) {
    case "AND":
    case "OR":
      return (condition.kind === "AND") === wanted
        ? condition.parts.reduce<Row>((each, part) => rowWhere(each, base, part, wanted), row)
        : rowWhere(row, base, condition.parts[0]!, wanted);
    case "exists":
    case "missing": {
      const present = (condition.kind === "exists") === wanted;
      if (condition.path[0] === "pk") return present ? (row ?? base) : undefined;
      if (!present) return row && without(row, condition.path);
      const known = valueAt(row ?? base, condition.path);
      return withValue(row ?? base, condition.path, known ?? { S: "present" });
    }
    case "compare": {
      const { path, operator, value } = condition;
      return withValue(
        row ?? base,
        path,
        wanted ? meeting(operator, value) : missing(operator, value),
      );
    }
  }
}

const opposite: Readonly<Record<string, string>> = {
  "=": "<>",
  "<>": "=",
  ">=": "<",
  ">": "<=",
  "<": ">=",
};

/** A value for which `value operator bound` holds. */
function meeting(operator: string, bound: AttributeValue): AttributeValue {
  switch (operator) {
    case "=":
    case ">=":
    case "<=":
      return bound;
    case "<":
      return bound.N !== undefined
        ? { N: String(Number(bound.N) - 1) }
        : { S: bound.S!.slice(0, -1) };
    default:
      return other(bound);
  }
}

const missing = (operator: string, bound: AttributeValue) => meeting(opposite[operator]!, bound);

/** Another value, greater if it is a number or a text. */
function other(value: AttributeValue): AttributeValue {
  if (value.N !== undefined) return { N: String(Number(value.N) + 1) };
  if (value.BOOL !== undefined) return { BOOL: !value.BOOL };
  return { S: `${value.S ?? ""}~` };
}

const valueAt = (
  row: Attributes,
  [name = "", ...inner]: readonly string[],
): AttributeValue | undefined =>
  inner.length === 0 ? row[name] : valueAt(row[name]?.M ?? {}, inner);

/** The row with a value at a path. Maps on the way are created. */
export function withValue(
  row: Attributes,
  [name = "", ...inner]: readonly string[],
  value: AttributeValue,
): Attributes {
  if (inner.length === 0) return { ...row, [name]: value };
  return { ...row, [name]: { M: withValue(row[name]?.M ?? {}, inner, value) } };
}

function without(row: Attributes, [name = "", ...inner]: readonly string[]): Attributes {
  const { [name]: removed, ...others } = row;
  if (inner.length === 0 || !removed?.M) return others;
  return { ...others, [name]: { M: without(removed.M, inner) } };
}

/** The attribute names of a path of an expression. */
export const pathOf = (
  text: string,
  { ExpressionAttributeNames: names = {} }: WireRequest,
): string[] => text.split(".").map((placeholder) => names[placeholder] ?? placeholder);

const token = /attribute_(?:not_)?exists|[#:]?\w[\w.#]*|[()]|<>|[<>]=?|=/g;

/** Parses the conditions that `expressionScope` writes. */
function parsed(request: WireRequest): Condition {
  const { ConditionExpression = "", ExpressionAttributeValues: values = {} } = request;
  const tokens = ConditionExpression.match(token) ?? [];
  const next = () => tokens.shift() ?? "";

  function part(): Condition {
    const first = next();
    if (first === "(") {
      const inner = list();
      next();
      return inner;
    }
    if (first.startsWith("attribute_")) {
      const [, path] = [next(), next(), next()];
      return {
        kind: first === "attribute_exists" ? "exists" : "missing",
        path: pathOf(path, request),
      };
    }
    const [operator, placeholder] = [next(), next()];
    return { kind: "compare", path: pathOf(first, request), operator, value: values[placeholder]! };
  }

  function list(): Condition {
    const parts = [part()];
    let kind: "AND" | "OR" = "AND";
    while (tokens[0] === "AND" || tokens[0] === "OR") {
      kind = next() as typeof kind;
      parts.push(part());
    }
    return parts.length === 1 ? parts[0]! : { kind, parts };
  }

  return list();
}
