import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { listRoute } from "#functions/list-route.ts";
import { Slug } from "#shared/domain/base/names.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { WholeList } from "#shared/http/paging.ts";
import { type Route, anyone, route } from "#shared/http/route.ts";
import type { Entity } from "#shared/storage/entity.ts";
import type { Table } from "#shared/storage/table.ts";

/** A kind of record that the public reads. All its records are rows of one partition, with their slugs as keys. */
export interface PublicRecordKind<Schema extends z.ZodObject> {
  /** The path of the list. The path of one record ends in `/{slug}`. */
  readonly path: string;
  /** The record's noun with its article, such as "a showroom", and its plural; used in summaries. */
  readonly one: string;
  readonly many: string;
  readonly descriptions: { readonly list: string; readonly get: string };
  /** It declares `isPublic`, so that a change shows within seconds. */
  readonly entity: Entity<Schema, { slug: string }>;
  readonly partition: string;
  /** The schema of the response. */
  readonly record: z.ZodObject;
  /** Whether the public may see a record. Neither the list nor the detail returns any other record. */
  visible(record: z.output<Schema>): boolean;
  /** Query parameters of the list. It returns the records whose members of these names have the given values. */
  readonly filters?: Readonly<Record<string, z.ZodType>>;
}

/** The public's routes of a kind of record: its list, sorted by slug, and one record. */
export function publicRecords<Schema extends z.ZodObject>(
  kind: PublicRecordKind<Schema>,
): Route<{ readonly table: Table }>[] {
  const { path, one, many, descriptions, entity, partition, record, filters = {} } = kind;
  const optional = Object.entries(filters).map(
    ([name, value]) => [name, value.optional()] as const,
  );
  // The type of the query does not name the filters, because they are known only here.
  const query = WholeList.extend(Object.fromEntries(optional)) as unknown as typeof WholeList;
  const shared = { access: anyone, cache: "public", remembered: true } as const;

  const list = listRoute({
    ...shared,
    path,
    summary: `List ${many}`,
    description: descriptions.list,
    query,
    row: record,
    async list({ query }, { table }: Shop<"table">) {
      const { rows } = await table.getPartition(partition, { rows: entity });
      const values: Readonly<Record<string, unknown>> = query;
      const chosen = Object.keys(filters).filter((name) => values[name] !== undefined);
      const matching = rows.filter(
        (row) => kind.visible(row) && chosen.every((name) => row[name] === values[name]),
      );
      const name = JSON.stringify([many, ...chosen.map((name) => [name, values[name]])]);
      // Every record of the entity has a slug, because its key is made from it.
      return { name, entries: matching, nameOf: ({ slug }) => slug };
    },
  });

  const get = route({
    ...shared,
    method: "GET",
    path: `${path}/{slug}`,
    summary: `Get ${one}`,
    description: descriptions.get,
    request: { params: z.object({ slug: Slug }) },
    response: { status: 200, data: record },
    async handle({ params: { slug } }, { table }: Shop<"table">) {
      const row = await table.get(entity, { slug });
      if (row && kind.visible(row)) return { data: row };
      throw new AppError("not_found", {
        message: `There is no ${one.replace(/^an? /, "")} with this slug.`,
      });
    },
  });

  return [list, get];
}
