import { hash } from "node:crypto";
import * as z from "zod";
import { Timestamp } from "../base/text.ts";

/** A value in a diff. A long value is replaced by its length and hash, to keep the row small. */
const RecordedValue = z.union([
  z.null(),
  z.boolean(),
  z.number(),
  z.string(),
  z.object({ length: z.int(), sha256: z.string() }),
]);
export type RecordedValue = z.output<typeof RecordedValue>;

export const ActivityChange = z.object({
  path: z
    .string()
    .meta({ description: "Dotted path of the changed member", example: "variants.0.price" }),
  from: RecordedValue,
  to: RecordedValue,
});
export type ActivityChange = z.output<typeof ActivityChange>;

/** An action of a staff user. It is stored in the transaction of the action, and never changed. */
export const Activity = z.object({
  id: z.string(),
  at: Timestamp,
  /** Id of the staff user. */
  actor_id: z.string(),
  action: z.string().meta({
    description: "Kind of the changed record and the action",
    example: "product.publish",
  }),
  target: z.object({ kind: z.string(), id: z.string(), label: z.string() }),
  changes: z.array(ActivityChange),
  request_id: z.string(),
});
export type Activity = z.output<typeof Activity>;

const longestValue = 200;
const mostChanges = 100;
/** Members whose values must not be readable in the log. */
const secret = /(?:password|secret|token|hash|api_key)/i;
/** Members that change with every write. */
const silent = new Set(["version", "updated_at"]);

/**
 * The differences between two states of a record, by dotted paths in the order of the record; secrets are masked.
 *
 * @param before undefined for a new record
 * @param after undefined for a deleted record
 */
export function changesBetween(before: unknown, after: unknown): ActivityChange[] {
  const changes: ActivityChange[] = [];
  collect("", before, after, changes);
  if (changes.length <= mostChanges) return changes;
  const listed = changes.slice(0, mostChanges - 1);
  const rest = changes.slice(mostChanges - 1);
  // Further changes are not listed; one entry has their number and digest.
  return [
    ...listed,
    { path: `and ${rest.length} more`, from: null, to: digest(JSON.stringify(rest)) },
  ];
}

function collect(path: string, before: unknown, after: unknown, into: ActivityChange[]): void {
  const words = wordsChanged(path, before, after);
  if (words.length > 0) {
    into.push(...words);
    return;
  }
  if (isRecord(before) || isRecord(after)) {
    const [one, other] = [membersOf(before), membersOf(after)];
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      if (path === "" && silent.has(name)) continue;
      collect(path === "" ? name : `${path}.${name}`, one[name], other[name], into);
    }
    // An empty list or map has no members to compare, so it is compared as a whole.
    if (Object.keys(membersOf(before)).length + Object.keys(membersOf(after)).length > 0) return;
  }
  const [from, to] = [recorded(path, before), recorded(path, after)];
  if (JSON.stringify(before ?? null) !== JSON.stringify(after ?? null))
    into.push({ path, from, to });
}

/** The removed and the added entries of two lists of words, such as permissions or tags. */
function wordsChanged(path: string, before: unknown, after: unknown): ActivityChange[] {
  if (!isWords(before) || !isWords(after)) return [];
  const removed = [...new Set(before).difference(new Set(after))];
  const added = [...new Set(after).difference(new Set(before))];
  return [
    ...removed.map((word) => ({ path, from: recorded(path, word), to: null })),
    ...added.map((word) => ({ path, from: null, to: recorded(path, word) })),
  ];
}

const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
const membersOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

function recorded(path: string, value: unknown): RecordedValue {
  if (value === undefined || value === null) return null;
  if (secret.test(path)) return "••••";
  if (typeof value === "number" || typeof value === "boolean") return value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= longestValue ? text : digest(text);
}

const digest = (text: string): RecordedValue => ({
  length: text.length,
  sha256: hash("sha256", text, "hex"),
});
