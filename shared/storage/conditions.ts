type Value = string | number | boolean | null;

/** A condition on an item, or on its absence. DynamoDB checks it as part of the write. */
export type Condition =
  | {
      readonly kind: "compare";
      readonly path: string;
      readonly operator: "=" | "<>" | ">=" | ">" | "<";
      readonly value: Value;
    }
  | { readonly kind: "present" | "absent"; readonly path: string }
  | { readonly kind: "and" | "or"; readonly parts: readonly Condition[] };

export const is = (path: string, value: Value): Condition => ({
  kind: "compare",
  path,
  operator: "=",
  value,
});
export const isNot = (path: string, value: Value): Condition => ({
  kind: "compare",
  path,
  operator: "<>",
  value,
});
export const atLeast = (path: string, value: number): Condition => ({
  kind: "compare",
  path,
  operator: ">=",
  value,
});
export const above = (path: string, value: string | number): Condition => ({
  kind: "compare",
  path,
  operator: ">",
  value,
});
export const below = (path: string, value: string | number): Condition => ({
  kind: "compare",
  path,
  operator: "<",
  value,
});
export const present = (path: string): Condition => ({ kind: "present", path });
export const absent = (path: string): Condition => ({ kind: "absent", path });
export const every = (...parts: Condition[]): Condition => ({ kind: "and", parts });
export const either = (...parts: Condition[]): Condition => ({ kind: "or", parts });
/** The condition that no item has the key yet. */
export const isNew = absent("pk");

/** Changes to single attributes of an item. */
export interface Changes {
  set?: Record<string, unknown>;
  /** Numbers to add. An absent attribute counts as 0. */
  add?: Record<string, number>;
  remove?: readonly string[];
}

/** Whether a nested condition needs brackets. DynamoDB refuses redundant brackets. */
const isCompound = (of: Condition) => "parts" in of && of.parts.length > 1;

/**
 * Names that serve as their own placeholder; all other names get a number. DynamoDB allows only ASCII letters, digits
 * and underscores in a placeholder, and 4 KB per expression.
 */
const plainName = /^(?!n\d+$)\w{1,16}$/;

/** The attribute names and values that the expressions of one request refer to. */
export function expressionScope() {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};

  const numbered = new Map<string, string>();

  const placeholderOf = (part: string): string => {
    if (plainName.test(part)) return `#${part}`;
    const known = numbered.get(part) ?? `#n${numbered.size}`;
    numbered.set(part, known);
    return known;
  };

  const name = (path: string): string =>
    path
      .split(".")
      .map((part) => {
        const placeholder = placeholderOf(part);
        names[placeholder] = part;
        return placeholder;
      })
      .join(".");

  const value = (of: unknown): string => {
    const placeholder = `:v${Object.keys(values).length}`;
    values[placeholder] = of;
    return placeholder;
  };

  const condition = (of: Condition): string => {
    switch (of.kind) {
      case "compare":
        return `${name(of.path)} ${of.operator} ${value(of.value)}`;
      case "present":
        return `attribute_exists(${name(of.path)})`;
      case "absent":
        return `attribute_not_exists(${name(of.path)})`;
      case "and":
      case "or":
        return of.parts
          .map((part) => (isCompound(part) ? `(${condition(part)})` : condition(part)))
          .join(of.kind === "and" ? " AND " : " OR ");
    }
  };

  const update = ({ set = {}, add = {}, remove = [] }: Changes): string => {
    const assignments = Object.entries(set).map(([path, to]) => `${name(path)} = ${value(to)}`);
    const additions = Object.entries(add).map(([path, by]) => `${name(path)} ${value(by)}`);
    return [
      assignments.length > 0 ? `SET ${assignments.join(", ")}` : "",
      additions.length > 0 ? `ADD ${additions.join(", ")}` : "",
      remove.length > 0 ? `REMOVE ${remove.map(name).join(", ")}` : "",
    ]
      .filter((clause) => clause !== "")
      .join(" ");
  };

  const attributes = () => ({
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  });

  return { name, value, condition, update, attributes };
}
