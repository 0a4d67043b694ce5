import * as z from "zod";
import type { RecordReference, ReferredKind } from "../../domain/base/references.ts";
import { type PagePaths, linkTargets } from "../../domain/content/content.ts";
import { searchReferences } from "../../domain/settings/settings.ts";
import { CategoryUses, Products, Sofas } from "./catalog.ts";
import { type Condition, absent, is } from "../conditions.ts";
import { type Entity, type Referring, entity } from "../entity.ts";
import { at } from "../reads.ts";
import { referringEntities } from "../referring-entities.ts";
import { SettingsRows, savedOrDefault } from "../settings/settings.ts";
import type { Table } from "../table.ts";
import { type Write, update } from "../writes.ts";

/**
 * Counts the writes that add references, and the writes that remove referenced records. Each kind of write is
 * conditional on the counter of the other kind, so no reference is added while its target is removed.
 */
export const ReferenceEpochs = entity({
  name: "reference_epoch",
  notExported: "derived",
  schema: z.object({ named: z.int().min(0).optional(), removed: z.int().min(0).optional() }),
  key: () => ({ pk: "REFERENCES", sk: "EPOCH" }),
});
export type ReferenceEpoch = z.output<typeof ReferenceEpochs.schema>;

const unchanged = (counter: string, value: number | undefined): Condition =>
  value === undefined ? absent(counter) : is(counter, value);
const counting = (counter: "named" | "removed", condition: Condition): Write =>
  update(
    ReferenceEpochs,
    {},
    { add: { [counter]: 1 }, set: { entity: ReferenceEpochs.name } },
    condition,
  );

/**
 * A write for a transaction that adds a reference. It is refused if a referenced record was removed since the counters
 * were read.
 *
 * @param read the counters, read with or before the target
 */
export const guardNoRemovalSince = (read: ReferenceEpoch | undefined): Write =>
  counting("named", unchanged("removed", read?.removed));

/**
 * A write for a transaction that removes a record. It is refused if a reference was added since the counters were read.
 *
 * @param read the counters, read before the search for referring records
 */
export const guardNoReferenceSince = (read: ReferenceEpoch | undefined): Write =>
  counting("removed", unchanged("named", read?.named));

/** A record that other records may refer to. */
export interface ReferenceTarget {
  readonly kind: ReferredKind;
  /** The record's id; its slug or code if other records store that as their reference. */
  readonly id: string;
  /** The slug in links to a record whose other references use its id. */
  readonly slug?: string;
  /** The record's own id if its references use its slug: a record may refer to itself. */
  readonly own?: string;
  /** For a category: the id under which its products and sofas are counted. */
  readonly counted?: string;
}

/** A record that refers to a target. */
export interface User {
  readonly kind: string;
  readonly id: string;
  readonly label: string;
}

/** An error lists at most this many referring records. */
export const mostUsers = 20;

/** An entity whose records refer to others. */
type ReferringEntity = Entity & { readonly refers: Referring };
const isReferring = (of: Entity): of is ReferringEntity => of.refers !== undefined;

/** What the settings of search refer to. It stands here, because every function contains the entity of settings. */
const SearchSettingsRow: typeof SettingsRows = {
  ...SettingsRows,
  refers: {
    to: ["product", "sofa"],
    references: ({ value }) => searchReferences(savedOrDefault("search", { value })),
    only: { group: "search" },
    as: { kind: "settings", id: "search" },
    label: () => "Settings: search",
  },
};

/** A record as far as this file knows the records of all entities. */
type Row = Readonly<Record<string, unknown>> & {
  readonly id?: string;
  readonly slug?: string;
  readonly version?: number;
  readonly published?: { readonly version: number; readonly slug: string } | null;
};

/**
 * Lists the records that refer to a target, drafts and published copies, as their entities declare it. Reading stops
 * once there are enough referring records for the error.
 *
 * @param options.linksOnly ignores references that are not links
 */
export async function usersOf(
  table: Table,
  target: ReferenceTarget,
  { linksOnly = false } = {},
): Promise<User[]> {
  const entities: readonly Entity[] = [...referringEntities, SearchSettingsRow];
  const referring = entities
    .filter(isReferring)
    .filter(
      ({ refers }) =>
        (!linksOnly && refers.to.includes(target.kind)) || mayLinkTo(refers, target.kind),
    );
  const isCounted = ({ name }: Entity) =>
    target.counted !== undefined && (name === Products.name || name === Sofas.name);
  const users = await Promise.all([
    usersInCategory(table, target, referring.filter(isCounted)),
    usersAmong(table, target, {
      linksOnly,
      referring: referring.filter((each) => !isCounted(each)),
    }),
  ]);
  // A draft and its published copy are one record.
  return [...new Map(users.flat().map((user) => [`${user.kind} ${user.id}`, user])).values()];
}

const linkedKinds: readonly string[] = [
  "page",
  "product",
  "sofa",
  "story",
  "category",
  "collection",
] satisfies (keyof PagePaths | "collection")[];

const mayLinkTo = ({ to }: Referring, kind: ReferredKind): boolean =>
  to.includes("link") && linkedKinds.includes(kind);

/** Products and sofas in a category. Nothing is read while the category's count is 0. */
async function usersInCategory(
  table: Table,
  target: ReferenceTarget,
  referring: readonly ReferringEntity[],
): Promise<User[]> {
  const { counted } = target;
  if (counted === undefined) return [];
  const count = await table.get(CategoryUses, { id: counted });
  if (!count?.uses) return [];
  const users = await usersAmong(table, target, { referring });
  // A record is counted before the index lists it, so it may not have been found yet.
  return users.length > 0 ? users : [{ kind: "catalog", id: counted, label: "Products or sofas" }];
}

async function usersAmong(
  table: Table,
  target: ReferenceTarget,
  of: { readonly referring: readonly ReferringEntity[]; readonly linksOnly?: boolean },
): Promise<User[]> {
  const { referring, linksOnly = false } = of;
  const single = referring.filter(({ refers }) => refers.only);
  const listed = referring.filter(({ refers }) => refers.list);
  const isLinkable = ({ refers }: ReferringEntity) => mayLinkTo(refers, target.kind);
  const names = (refers: Referring, reference: RecordReference, paths: PagePaths | null) =>
    reference.kind === "link"
      ? paths !== null && leadsTo(reference.id, target, paths)
      : !linksOnly &&
        reference.kind === target.kind &&
        reference.id === target.id &&
        refers.to.includes(target.kind);
  const refersTo = ({ refers }: ReferringEntity, record: Row, paths: PagePaths | null) =>
    (record.id === undefined || record.id !== (target.own ?? target.id)) &&
    refers.references(record).some((reference) => names(refers, reference, paths));

  const [{ records, seo }, lists] = await Promise.all([
    table.getMany({
      // `only` is the id of an entity's only record, whose type differs from entity to entity.
      records: single.map((each) => at(each, each.refers.only as never)),
      seo: referring.some(isLinkable) ? [at(SettingsRows, { group: "seo" })] : [],
    }),
    Promise.all(
      listed.map((each) =>
        each.refers.copies || isLinkable(each)
          ? withCopies(table, each)
          : some(table, each, (record) => refersTo(each, record, null)),
      ),
    ),
  ]);
  const { paths } = savedOrDefault("seo", seo[0]);
  const users = (each: ReferringEntity, found: readonly (readonly (Row | undefined)[])[]) =>
    found
      .filter((states) =>
        states.some((state) => state && refersTo(each, state, isLinkable(each) ? paths : null)),
      )
      .flatMap(([record]) => (record ? userOf(each, record) : []));
  return [
    ...single.flatMap((each, place) => users(each, [[records[place]]])),
    ...listed.flatMap((each, place) => users(each, lists[place] ?? [])),
  ];
}

function userOf({ name, refers }: ReferringEntity, record: Row): User {
  const { kind = name, id = record.id ?? record.slug ?? "" } = refers.as ?? {};
  return { kind, id, label: refers.label(record) };
}

/** Whether a link leads to a record. */
const leadsTo = (
  href: string,
  { kind, id, slug = id }: ReferenceTarget,
  paths: PagePaths,
): boolean =>
  linkTargets(href, paths).some((target) => target.kind === kind && target.slug === slug);

/**
 * All records of an entity, each with its published copy if that differs. The cost is acceptable, because staff maintain
 * few records and deletions are rare.
 */
async function withCopies(table: Table, of: ReferringEntity): Promise<(Row | undefined)[][]> {
  const { copies } = of.refers;
  const records = await some(table, of, () => true, Infinity);
  const behind = records.flatMap(([{ published, version } = {}]) =>
    copies && published && published.version !== version ? [at(copies, published)] : [],
  );
  const { found } = await table.getMany({ found: behind });
  const byId = new Map(found.flatMap((copy) => (copy ? [[copy["id"], copy] as const] : [])));
  return records.map(([record]) => [record, byId.get(record?.id)]);
}

/** The first records of an entity that match. */
async function some(
  table: Table,
  of: ReferringEntity,
  matches: (record: Row) => boolean,
  limit = mostUsers,
): Promise<Row[][]> {
  const { list } = of.refers;
  if (!list) return [];
  const { records } = await table.page(of, list, { limit, matches, most: Infinity });
  return records.map((record) => [record]);
}
