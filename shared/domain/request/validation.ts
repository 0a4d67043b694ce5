import type * as z from "zod";
import { type AppError, invalid, mostPaths } from "./app-error.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Zod's own sentences are not shown, and to make one for each of many issues is expensive. */
const unspoken = () => "Invalid input";

/**
 * Parses what a caller sent.
 *
 * @throws AppError `validation_failed` with dotted paths and sentences a person can read
 */
export function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  // A wrong type and a missing member differ in the input alone.
  const result = schema.safeParse(value, { reportInput: true, error: unspoken });
  if (result.success) return result.data;
  throw validationFailed(result.error.issues);
}

export function validationFailed(issues: readonly Issue[]): AppError {
  const errors = new Map<string, string[]>();
  collect(issues, [], errors);
  return invalid(errors);
}

function collect(issues: readonly Issue[], above: Path, into: Map<string, string[]>): void {
  for (const issue of issues) {
    // One more than are named, so that the answer says that there are more.
    if (into.size > mostPaths) return;
    const path = [...above, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys.slice(0, mostPaths + 1)) {
        add(into, [...path, key], (field) => `The ${field} field is not allowed.`);
      }
    } else if (issue.code === "invalid_union" && issue.errors.length > 0) {
      collect(closestBranch(issue.errors), path, into);
    } else if (issue.code === "invalid_key" || issue.code === "invalid_element") {
      collect(issue.issues, path, into);
    } else {
      add(into, path, (field) => sentence(issue, field));
    }
  }
}

function add(into: Map<string, string[]>, path: Path, say: (field: string) => string): void {
  const dotted = path.map(String).join(".") || "body";
  into.set(dotted, [...(into.get(dotted) ?? []), say(dotted.replaceAll("_", " "))]);
}

/**
 * Of a union's branches, the one the caller most likely meant: of those that take this kind of value, the one that
 * knows most of the members sent; of several, the one with the fewest mistakes.
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
      return issue.input === undefined
        ? `The ${field} field is required.`
        : wrongType(issue.expected, field);
    case "invalid_value":
      return issue.input === undefined
        ? `The ${field} field is required.`
        : `The selected ${field} is invalid.`;
    case "too_small":
      return bound(issue.origin, field, "at least", Number(issue.minimum));
    case "too_big":
      return bound(issue.origin, field, "at most", Number(issue.maximum));
    case "not_multiple_of":
      return `The ${field} field must be a multiple of ${issue.divisor}.`;
    case "invalid_format":
      // Zod's own sentences begin like this.
      return issue.message.startsWith("Invalid ")
        ? wrongFormat(issue.format, field)
        : issue.message;
    case "custom":
      return issue.message === "Invalid input" ? `The ${field} field is invalid.` : issue.message;
    default:
      return `The ${field} field is invalid.`;
  }
}

function wrongType(expected: string, field: string): string {
  switch (expected) {
    case "string":
      return `The ${field} field must be a string.`;
    case "int":
      return `The ${field} field must be an integer.`;
    case "number":
      return `The ${field} field must be a number.`;
    case "boolean":
      return `The ${field} field must be true or false.`;
    case "array":
      return `The ${field} field must be a list.`;
    case "object":
    case "record":
      return `The ${field} field must be an object.`;
    default:
      return `The ${field} field is invalid.`;
  }
}

function bound(origin: string, field: string, how: "at least" | "at most", limit: number): string {
  const plural = limit === 1 ? "" : "s";
  if (origin === "string") {
    return limit === 1 && how === "at least"
      ? `The ${field} field is required.`
      : `The ${field} field must be ${how} ${limit} character${plural}.`;
  }
  if (origin === "array" || origin === "set") {
    return `The ${field} field must have ${how} ${limit} item${plural}.`;
  }
  return `The ${field} field must be ${how} ${limit}.`;
}

function wrongFormat(format: string, field: string): string {
  switch (format) {
    case "integer":
      return `The ${field} field must be an integer.`;
    case "email":
      return `The ${field} field must be a valid email address.`;
    case "url":
      return `The ${field} field must be a valid URL.`;
    case "datetime":
      return `The ${field} field must be a date and time with offset.`;
    case "date":
      return `The ${field} field must be a date such as 2026-01-31.`;
    default:
      return `The ${field} field format is invalid.`;
  }
}
