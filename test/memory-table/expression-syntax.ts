import { invalid, unsupported } from "./refusals.ts";

/** The placeholders of attribute names from the outermost, such as `#cart`, `#lines`. */
export type Path = readonly string[];

export type Condition =
  | { readonly kind: "exists"; readonly path: Path }
  | { readonly kind: "missing"; readonly path: Path }
  | { readonly kind: Comparator; readonly path: Path; readonly value: string }
  | { readonly kind: "begins_with"; readonly path: Path; readonly value: string }
  | { readonly kind: "BETWEEN"; readonly path: Path; readonly low: string; readonly high: string }
  | { readonly kind: "AND" | "OR"; readonly parts: readonly Condition[] };

type Comparator = "=" | "<>" | "<" | "<=" | ">" | ">=";

interface ParsedAction {
  readonly clause: "SET" | "ADD" | "REMOVE";
  readonly path: Path;
  readonly value: string | undefined;
}

const token = /\s*(?:([:#]?[A-Za-z_]\w*|:\d\w*|#\d\w*)|(<>|<=|>=|[<>=(),.]))/y;
const comparators: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">="]);

/** Reads the tokens of an expression one after the other. */
function reader(text: string, what: string) {
  if (text.trim() === "") throw invalid(`Invalid ${what}: The expression can not be empty;`);
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.trimEnd().length) {
    const found = token.exec(text);
    if (!found) throw unsupported(`the ${what} ${text}`);
    tokens.push(found[1] ?? found[2] ?? "");
  }
  let position = 0;
  const peek = (ahead = 0) => tokens[position + ahead] ?? "";
  const next = () => tokens[position++] ?? "";
  return {
    peek,
    next,
    isDone: () => position >= tokens.length,
    skip(wanted: string) {
      if (next() !== wanted) throw unsupported(`the ${what} ${text}`);
    },
    path(): Path {
      const path = [next()];
      while (peek() === ".") {
        next();
        path.push(next());
      }
      // Only these names are surely no reserved words.
      if (!path.every((name) => name.startsWith("#") || name === "pk" || name === "sk"))
        throw unsupported(`the ${what} ${text}, whose names are no placeholders`);
      return path;
    },
    value(): string {
      const name = next();
      if (!name.startsWith(":")) throw unsupported(`the ${what} ${text}`);
      return name;
    },
  };
}

type Reader = ReturnType<typeof reader>;

/** Parses each text once. */
export const memoized = <Parsed>(parse: (text: string) => Parsed): ((text: string) => Parsed) => {
  const known = new Map<string, Parsed>();
  return (text) => {
    const found = known.get(text) ?? parse(text);
    known.set(text, found);
    return found;
  };
};

function alternatives(from: Reader): Condition {
  const parts = [conjunction(from)];
  while (from.peek() === "OR") {
    from.next();
    parts.push(conjunction(from));
  }
  return parts.length === 1 ? parts[0]! : { kind: "OR", parts };
}

function conjunction(from: Reader): Condition {
  const parts = [comparison(from)];
  while (from.peek() === "AND") {
    from.next();
    parts.push(comparison(from));
  }
  return parts.length === 1 ? parts[0]! : { kind: "AND", parts };
}

function comparison(from: Reader): Condition {
  const first = from.peek();
  if (first === "(") {
    from.next();
    const isNested = from.peek() === "(";
    const inner = alternatives(from);
    from.skip(")");
    if (isNested && !("parts" in inner))
      throw invalid("Invalid ConditionExpression: The expression has redundant parentheses;");
    return inner;
  }
  if (from.peek(1) === "(") return callOf(from);
  const path = from.path();
  const operator = from.next();
  if (operator === "BETWEEN") {
    const low = from.value();
    from.skip("AND");
    return { kind: operator, path, low, high: from.value() };
  }
  if (!comparators.has(operator)) throw unsupported(`the operator ${operator}`);
  return { kind: operator as Comparator, path, value: from.value() };
}

function callOf(from: Reader): Condition {
  const name = from.next();
  from.skip("(");
  const path = from.path();
  if (name === "begins_with") {
    from.skip(",");
    const value = from.value();
    from.skip(")");
    return { kind: name, path, value };
  }
  from.skip(")");
  if (name === "attribute_exists") return { kind: "exists", path };
  if (name === "attribute_not_exists") return { kind: "missing", path };
  throw unsupported(`the function ${name}`);
}

/** Parses a condition, also one on keys. */
export const conditionOf = memoized((text) => {
  const from = reader(text, "ConditionExpression");
  const condition = alternatives(from);
  if (!from.isDone()) throw unsupported(`the condition ${text}`);
  return condition;
});

/** Parses the changes of an update expression. */
export const parsedActions = memoized((text) => {
  const from = reader(text, "UpdateExpression");
  const actions: ParsedAction[] = [];
  while (!from.isDone()) {
    const clause = from.next();
    if (clause !== "SET" && clause !== "ADD" && clause !== "REMOVE")
      throw unsupported(`the update ${text}`);
    do {
      if (from.peek() === ",") from.next();
      const path = from.path();
      if (clause === "SET") from.skip("=");
      actions.push({ clause, path, value: clause === "REMOVE" ? undefined : from.value() });
    } while (from.peek() === ",");
  }
  return actions;
});

/** Parses a projection. */
export const pathsOf = memoized((text) => {
  const from = reader(text, "ProjectionExpression");
  const paths = [from.path()];
  while (!from.isDone()) {
    from.skip(",");
    paths.push(from.path());
  }
  return paths;
});
