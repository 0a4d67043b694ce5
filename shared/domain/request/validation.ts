import type * as z from "zod";
import { type AppError, invalid, mostPaths } from "./app-error.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Replaces Zod's own messages: they are not shown, and building one for each of many issues is expensive. */
const unspoken = () => "Invalid input";

/**
 * Parses request data.
 *
 * @throws AppError `validation_failed` with dotted paths and readable messages
 */
export function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  // The issues must contain the input, because only the input tells a wrong type from a missing member.
  const result = schema.safeParse(value, { reportInput: true, error: unspoken });
  if (result.success) return result.data;
  throw validationFailed(result.error.issues);
}

/**
 * Parses request headers like `parsed`. Errors spell their names as HTTP does: `If-Match`.
 *
 * @param values by names in lower case
 */
export function parsedHeaders<Schema extends z.ZodType>(
  schema: Schema,
  values: unknown,
): z.output<Schema> {
  const result = schema.safeParse(values, { reportInput: true, error: unspoken });
  if (result.success) return result.data;
  throw validationFailed(result.error.issues, (header) => {
    const name = header.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
    return { path: name, field: `${name} header` };
  });
}

/** Parses a query like `parsed`. Errors name the parameters that were sent, not positions within their lists. */
export function parsedQuery<Schema extends z.ZodType>(
  schema: Schema,
  values: unknown,
): z.output<Schema> {
  const result = schema.safeParse(values, { reportInput: true, error: unspoken });
  if (result.success) return result.data;
  throw validationFailed(result.error.issues, (dotted) => fieldAt(dotted.split(".", 1)[0] ?? ""));
}

/**
 * The `validation_failed` error for Zod's issues.
 *
 * @param named returns a path as errors write it, and the field's name for its message
 */
export function validationFailed(issues: readonly Issue[], named: Naming = fieldAt): AppError {
  const faults = new Map<string, Fault>();
  collect(issues, [], faults);
  const errors = Array.from(faults, ([dotted, fault]): [string, string[]] => {
    const { path, field } = named(dotted);
    return [path, [fault.sentence(field)]];
  });
  return invalid(new Map(errors), [...faults.values()].find(({ allowed }) => allowed)?.allowed);
}

type Naming = (dotted: string) => { path: string; field: string };

/** The problem at a path. */
interface Fault {
  /** How specific it is. Of several problems of a path, the most specific one is shown. */
  readonly rank: number;
  /** The values that would be right, if the rule knows them. */
  readonly allowed?: readonly string[] | undefined;
  sentence(field: string): string;
}

/** The field's own name: for `billing_address.line1` and `line1.0` it is "line1". */
function fieldAt(path: string) {
  const name = path.split(".").findLast((part) => !/^\d+$/.test(part)) ?? path;
  return { path, field: `${name.replaceAll("_", " ").trim() || name} field` };
}

function collect(issues: readonly Issue[], above: Path, into: Map<string, Fault>): void {
  for (const issue of issues) {
    // Collects one path more than is reported, so that the response can say that there are more.
    if (into.size > mostPaths) return;
    const path = [...above, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys.slice(0, mostPaths + 1)) {
        add(into, [...path, key], { rank: 0, sentence: (field) => `The ${field} is not allowed.` });
      }
    } else if (issue.code === "invalid_union" && issue.errors.length > 0) {
      collect(closestBranch(issue.errors), path, into);
    } else if (issue.code === "invalid_key" || issue.code === "invalid_element") {
      collect(issue.issues, path, into);
    } else {
      add(into, path, {
        rank: rankOf(issue),
        allowed: allowedBy(issue),
        sentence: (field) => sentence(issue, field),
      });
    }
  }
}

/** Rules of our own name the right values in the parameter `allowed`. */
const allowedBy = (issue: Issue): readonly string[] | undefined =>
  issue.code === "custom" && Array.isArray(issue.params?.["allowed"])
    ? issue.params["allowed"].map(String)
    : undefined;

function add(into: Map<string, Fault>, path: Path, fault: Fault): void {
  const dotted = path.map(String).join(".") || "body";
  const earlier = into.get(dotted);
  if (!earlier || fault.rank > earlier.rank) into.set(dotted, fault);
}

/**
 * How specific an issue's message is. A rule's own message ranks highest, then a bound, then a format. A tighter bound
 * ranks higher, from 3 to 4.
 */
function rankOf(issue: Issue): number {
  switch (issue.code) {
    case "custom":
      return issue.message === "Invalid input" ? 1 : 5;
    case "invalid_format":
      return issue.message.startsWith("Invalid ") ? 2 : 5;
    case "too_small":
      return 3 + tightness(Number(issue.minimum));
    case "too_big":
      return 4 - tightness(Number(issue.maximum));
    default:
      return 3;
  }
}

/** Maps a bound to a number from 0 to 1 that grows with it. */
const tightness = (limit: number): number => 0.5 + Math.atan(limit) / Math.PI;

/**
 * The branch of a union that the caller most likely meant. Branches that accept this kind of value come first, then
 * branches that know most of the sent members, then branches with the fewest problems.
 */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] {
  const judged = branches.map((issues) => ({
    issues,
    otherKind: issues.some(({ code, path }) => code === "invalid_type" && path.length === 0),
    unknown: issues.reduce(
      (sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 0),
      0,
    ),
  }));
  const [closest] = judged.toSorted(
    (one, other) =>
      Number(one.otherKind) - Number(other.otherKind) ||
      one.unknown - other.unknown ||
      one.issues.length - other.issues.length,
  );
  return closest?.issues ?? [];
}

function sentence(issue: Issue, field: string): string {
  switch (issue.code) {
    case "invalid_type":
      return (issue.input ?? null) === null
        ? `The ${field} is required.`
        : wrongType(issue.expected, field);
    case "invalid_value":
      return (issue.input ?? null) === null
        ? `The ${field} is required.`
        : `The selected ${field.replace(/ field$/, "")} is invalid.${choiceOf(issue.values)}`;
    case "too_small":
      return bound(issue.origin, field, "at least", Number(issue.minimum));
    case "too_big":
      return issue.message === "Invalid input"
        ? bound(issue.origin, field, "at most", Number(issue.maximum))
        : issue.message;
    case "not_multiple_of":
      return `The ${field} must be a multiple of ${issue.divisor}.`;
    case "invalid_format":
      // Only Zod's own messages start with "Invalid ".
      return issue.message.startsWith("Invalid ")
        ? wrongFormat(issue.format, field)
        : issue.message;
    case "custom":
      return issue.message === "Invalid input" ? `The ${field} is invalid.` : issue.message;
    default:
      return `The ${field} is invalid.`;
  }
}

/** Longer lists of values are left to the documentation. */
const mostNamed = 12;

/** The sentence that names the values to choose from. */
function choiceOf(values: readonly z.core.util.Primitive[]): string {
  if (values.length > mostNamed) return "";
  const names = values.map(String);
  const last = names.pop() ?? "";
  return ` It must be ${names.length === 0 ? last : `${names.join(", ")} or ${last}`}.`;
}

function wrongType(expected: string, field: string): string {
  switch (expected) {
    case "string":
      return `The ${field} must be a string.`;
    case "int":
      return `The ${field} must be an integer.`;
    case "number":
      return `The ${field} must be a number.`;
    case "boolean":
      return `The ${field} must be true or false.`;
    case "array":
      return `The ${field} must be a list.`;
    case "object":
    case "record":
      return `The ${field} must be an object.`;
    default:
      return `The ${field} is invalid.`;
  }
}

function bound(origin: string, field: string, how: "at least" | "at most", limit: number): string {
  const plural = limit === 1 ? "" : "s";
  if (origin === "string") {
    return limit === 1 && how === "at least"
      ? `The ${field} is required.`
      : `The ${field} must be ${how} ${limit} character${plural}.`;
  }
  if (origin === "array" || origin === "set") {
    return `The ${field} must have ${how} ${limit} item${plural}.`;
  }
  return `The ${field} must be ${how} ${limit}.`;
}

function wrongFormat(format: string, field: string): string {
  switch (format) {
    case "integer":
      return `The ${field} must be an integer.`;
    case "email":
      return `The ${field} must be a valid email address.`;
    case "url":
      return `The ${field} must be a valid URL.`;
    case "datetime":
      return `The ${field} must be a date and time with offset.`;
    case "date":
      return `The ${field} must be a date such as 2026-01-31.`;
    default:
      return `The ${field} format is invalid.`;
  }
}
