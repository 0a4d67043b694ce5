import * as z from "zod";
import {
  CursorMeta,
  CursorPage,
  cursorAt,
  cursorOf,
  keyOfCursor,
  positionOf,
  sliceOf,
} from "#shared/http/paging.ts";
import type { Call, CallBefore, Route } from "#shared/http/route.ts";
import type { KeyRange, RecordPage, StorageKey } from "#shared/storage/pages.ts";

/** How a list reads its pages. */
export type ListSource<Stored> =
  | {
      /** A cursor is valid in the range for which it was created. */
      readonly range: KeyRange;
      readonly name?: undefined;
      readonly entries?: undefined;
      page(at: {
        readonly limit: number;
        readonly after: StorageKey | undefined;
      }): Promise<Pick<RecordPage<Stored>, "records" | "next">>;
    }
  | {
      /** Identifies the list and its filters. A cursor is valid for the name for which it was created. */
      readonly name: string;
      readonly range?: undefined;
      readonly entries?: undefined;
      /** The format of the list's positions. */
      readonly position: RegExp;
      page(at: {
        readonly limit: number;
        readonly after: string | undefined;
      }): Promise<{ readonly records: Stored[]; readonly next: string | null }>;
    }
  | {
      readonly name: string;
      readonly range?: undefined;
      readonly page?: undefined;
      /** The whole list, for a list that is read whole. */
      readonly entries: readonly Stored[];
      /** Tells the entries apart. A cursor is valid while the entry at which its page ended exists. */
      nameOf(entry: Stored): string;
    };

interface PageQuery {
  /** Undefined for a `WholeList` that is not read in pages. */
  readonly per_page?: number | undefined;
  readonly cursor?: string | undefined;
}

type ListCall<Query, Params> = CallBefore<Call<undefined, Query, Params>>;

interface ListDeclaration<
  Deps,
  Query extends z.ZodType<PageQuery>,
  Params extends z.ZodType,
  Row extends z.ZodType,
  Stored,
> extends Omit<Route<Deps>, "method" | "request" | "response" | "first" | "open" | "handle"> {
  readonly params?: Params;
  /** `CursorPage` or `WholeList` with the list's filters. Default: `CursorPage` */
  readonly query?: Query;
  /** The schema of an entry in the response. */
  readonly row: Row;
  /** Where the list is read. The page is read concurrently with the session check, if the route has one. */
  list(
    call: ListCall<z.output<Query>, z.output<Params>>,
    deps: Deps,
  ): ListSource<Stored> | Promise<ListSource<Stored>>;
  /** The entries of a page, of which the response has the members of `row`. Default: the records */
  shown?(
    records: Stored[],
    call: ListCall<z.output<Query>, z.output<Params>>,
    deps: Deps,
  ): NoInfer<z.input<Row>>[] | Promise<NoInfer<z.input<Row>>[]>;
}

/**
 * Declares a list with cursors. Each page says where the next one starts; a cursor that another list has created is
 * refused with `validation_failed`.
 */
export function listRoute<
  Deps,
  Row extends z.ZodType,
  Stored,
  Query extends z.ZodType<PageQuery> = typeof CursorPage,
  Params extends z.ZodType = z.ZodType,
>(declaration: ListDeclaration<Deps, Query, Params, Row, Stored>): Route<Deps> {
  const { params, query = CursorPage, row, list, shown, ...declared } = declaration;
  // The casts are safe: the route has parsed the call with these schemas, and `first` has read the page.
  type Parsed = ListCall<z.output<Query>, z.output<Params>>;
  const read: NonNullable<Route<Deps>["first"]> = async (call, deps) =>
    readPage(await list(call as Parsed, deps), call.query as PageQuery);
  const isRemembered = declared.remembered !== undefined;
  return {
    ...declared,
    method: "GET",
    request: { ...(params && { params }), query },
    response: { status: 200, data: z.array(row), meta: CursorMeta },
    ...(!isRemembered && { first: read }),
    async handle(call, deps) {
      const page = isRemembered ? await read(call, deps) : call.first;
      const { records, meta } = page as ListPage<Stored>;
      return { data: shown ? await shown(records, call as Parsed, deps) : records, meta };
    },
  };
}

interface ListPage<Stored> {
  readonly records: Stored[];
  readonly meta: z.output<typeof CursorMeta>;
}

async function readPage<Stored>(
  source: ListSource<Stored>,
  { per_page, cursor }: PageQuery,
): Promise<ListPage<Stored>> {
  if (source.entries !== undefined) {
    const { entries, name, nameOf } = source;
    const { data, meta } = sliceOf(entries, name, nameOf, { per_page, cursor });
    return { records: data, meta };
  }
  const limit = per_page ?? Infinity;
  const metaOf = (records: Stored[], next_cursor: string | null) => ({
    records,
    meta: { per_page: per_page ?? records.length, next_cursor },
  });
  if (source.name !== undefined) {
    const after = positionOf(cursor, source.name, source.position);
    const { records, next } = await source.page({ limit, after });
    return metaOf(records, cursorAt(next, source.name));
  }
  const { index = "", partition: value, prefix, between } = source.range;
  const scope = { attribute: `${index}pk`, value, prefix, ...(between && { between }) };
  const after = keyOfCursor(cursor, scope);
  const { records, next } = await source.page({ limit, after });
  return metaOf(records, cursorOf(next, scope));
}
