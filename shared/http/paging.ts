import { hash } from "node:crypto";
import * as z from "zod";
import { invalidField } from "../domain/request/app-error.ts";
import { wholeNumber } from "./query.ts";
import type { PageLinks } from "./route.ts";

const perPage = wholeNumber(1, 100).default(24).meta({ description: "Items per page" });

/** Query parameters of a list with numbered pages. */
export const NumberedPage = z.strictObject({
  page: wholeNumber(1, 1_000_000).default(1).meta({ description: "Page, from 1" }),
  per_page: perPage,
});
export type NumberedPage = z.output<typeof NumberedPage>;

export const NumberedMeta = z.object({
  page: z.int(),
  per_page: z.int(),
  total: z.int(),
  last_page: z.int(),
});

/** Query parameters of a list with cursors. */
export const CursorPage = z.strictObject({
  per_page: perPage,
  cursor: z
    .string()
    .max(1_000)
    .optional()
    .meta({ description: "`next_cursor` of the previous page" }),
});

/** Query parameters of a list that is returned whole unless the caller asks for pages. */
export const WholeList = CursorPage.extend({
  per_page: wholeNumber(1, 100)
    .optional()
    .meta({ description: "Items per page. Default: all", param: { id: "PerPageOrAll" } }),
});

export const CursorMeta = z.object({ per_page: z.int(), next_cursor: z.string().nullable() });

export function numberedMeta(
  { page, per_page }: NumberedPage,
  total: number,
): z.output<typeof NumberedMeta> {
  return { page, per_page, total, last_page: Math.max(1, Math.ceil(total / per_page)) };
}

/** One page of a whole list. */
export const pageOf = <Element>(
  list: readonly Element[],
  { page, per_page }: NumberedPage,
): Element[] => list.slice((page - 1) * per_page, page * per_page);

/**
 * Links to the neighbouring pages that keep the caller's other query parameters.
 *
 * @throws AppError `validation_failed` when the page is after the last one
 */
export function pageLinks(
  path: string,
  query: Record<string, unknown>,
  meta: z.output<typeof NumberedMeta>,
): PageLinks {
  if (meta.page > meta.last_page) {
    throw invalidField("page", `The page field must be at most ${meta.last_page}.`);
  }
  const link = (page: number) => {
    const members = Object.entries({ ...query, page }).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`],
    );
    return `${path}?${members.join("&")}`;
  };
  return {
    first: link(1),
    prev: meta.page > 1 ? link(meta.page - 1) : null,
    next: meta.page < meta.last_page ? link(meta.page + 1) : null,
    last: link(meta.last_page),
  };
}

/** The list that a cursor belongs to: a partition of the table or of an index. */
export interface CursorScope {
  /** `pk`, `gsi1pk` or `gsi2pk`. */
  attribute: string;
  value: string;
  /** The prefix of the list's sort keys. */
  prefix?: string | undefined;
  /** Alternative to `prefix`: the first and last possible sort key. */
  between?: readonly [string, string];
}

const Positions = z.array(z.string().min(1)).min(1).max(3);

/** The attributes of a start key apart from the partition key, which the list already knows. */
function positionAttributes({ attribute }: CursorScope): string[] {
  const sortKey = attribute.replace(/pk$/, "sk");
  return attribute === "pk" ? [sortKey] : [sortKey, "pk", "sk"];
}

/** An opaque cursor with the storage key at which a page ended. */
export function cursorOf(
  next: Record<string, unknown> | undefined,
  scope: CursorScope,
): string | null {
  if (!next) return null;
  const positions = JSON.stringify(positionAttributes(scope).map((name) => next[name]));
  return `${Buffer.from(positions).toString("base64url")}.${seal(positions, scope)}`;
}

/**
 * The storage key that a cursor contains.
 *
 * @throws AppError `validation_failed` on `cursor` when it was changed or belongs to another list
 */
export function keyOfCursor(
  cursor: string | undefined,
  scope: CursorScope,
): Record<string, string> | undefined {
  if (cursor === undefined) return undefined;
  const [encoded = "", sealed] = cursor.split(".");
  const text = Buffer.from(encoded, "base64url").toString("utf8");
  const positions = Positions.safeParse(sealed === seal(text, scope) ? jsonOrNothing(text) : null);
  const attributes = positionAttributes(scope);
  if (
    !positions.success ||
    positions.data.length !== attributes.length ||
    !liesIn(positions.data[0] ?? "", scope)
  ) {
    throw invalidField("cursor", "The cursor field is invalid.");
  }
  const key = attributes.map((name, index) => [name, positions.data[index] ?? ""] as const);
  return { [scope.attribute]: scope.value, ...Object.fromEntries(key) };
}

const liesIn = (sortKey: string, { prefix = "", between }: CursorScope): boolean =>
  between ? sortKey >= between[0] && sortKey <= between[1] : sortKey.startsWith(prefix);

/**
 * An opaque cursor with a position that only the list itself understands, for example a position in another partition.
 *
 * @param list identifies the list: its name and its filters
 */
export function cursorAt(position: string | null, list: string): string | null {
  if (position === null) return null;
  const text = Buffer.from(position).toString("base64url");
  return `${text}.${seal(position, { attribute: "", value: list })}`;
}

/**
 * The position in a cursor that `cursorAt` created.
 *
 * @param form the format of the list's positions
 * @throws AppError `validation_failed` on `cursor` when it was changed or belongs to another list
 */
export function positionOf(
  cursor: string | undefined,
  list: string,
  form: RegExp,
): string | undefined {
  if (cursor === undefined) return undefined;
  const [encoded = "", sealed] = cursor.split(".");
  const position = Buffer.from(encoded, "base64url").toString("utf8");
  if (sealed !== seal(position, { attribute: "", value: list }) || !form.test(position)) {
    throw invalidField("cursor", "The cursor field is invalid.");
  }
  return position;
}

/**
 * A list that is stored whole, or the requested page of it.
 *
 * @param list identifies the list: its name and its filters
 * @throws AppError `validation_failed` on `cursor` when it belongs to another list or names an entry that no longer
 * exists
 */
export function sliceOf<Entry>(
  entries: readonly Entry[],
  list: string,
  nameOf: (entry: Entry) => string,
  { per_page, cursor }: z.output<typeof WholeList>,
): { data: Entry[]; meta: z.output<typeof CursorMeta> } {
  const after = positionOf(cursor, list, /^/);
  const start = after === undefined ? 0 : 1 + entries.findIndex((entry) => nameOf(entry) === after);
  if (after !== undefined && start === 0) {
    throw invalidField("cursor", "The cursor field is invalid.");
  }
  const end = per_page === undefined ? entries.length : start + per_page;
  const data = entries.slice(start, end);
  const last = data.at(-1);
  const position = last !== undefined && end < entries.length ? nameOf(last) : null;
  const next_cursor = cursorAt(position, list);
  return { data, meta: { per_page: per_page ?? data.length, next_cursor } };
}

/**
 * A short hash that binds a position to its list. It needs no secret key: a caller who forges it can only move within a
 * list that the caller may read.
 */
const seal = (positions: string, { attribute, value }: CursorScope): string =>
  hash("sha256", JSON.stringify([attribute, value, positions]), "base64url").slice(0, 16);

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
