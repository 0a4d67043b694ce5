import type { Category } from "#shared/domain/catalog/category.ts";
import { type RecordReference, newReferences } from "#shared/domain/base/references.ts";
import type { Problem } from "#shared/domain/base/names.ts";
import type { Sellable } from "#shared/domain/catalog/product.ts";
import { missingHsnCode, needsHsnCode } from "#shared/domain/catalog/product-problems.ts";
import {
  type Redirect,
  redirectsAfterMove,
  withoutRedirectFrom,
  withoutRedirectsTo,
} from "#shared/domain/content/redirect.ts";
import type { Stock, StockOwner } from "#shared/domain/catalog/stock.ts";
import type { Saving } from "#shared/application/saving.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import { AppError, invalidField, invalidFields } from "#shared/domain/request/app-error.ts";
import { pagePath } from "#shared/domain/settings/storefront-address.ts";
import { followedRedirects } from "#shared/application/content/followed-redirects.ts";
import {
  requireReferences,
  requireUnlinked,
  requireUnused,
} from "#shared/application/require-references.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import {
  requireCategoriesVersion,
  checkPublished,
  claimSlug,
  countCategoryUses,
  freeOrOwn,
  freeSlug,
  removePublished,
} from "#shared/storage/catalog/catalog-edits.ts";
import { CategoryTree, Stocks } from "#shared/storage/catalog/catalog.ts";
import { type Condition, is, isNew } from "#shared/storage/conditions.ts";
import { schedulePublications } from "#shared/storage/content/due-publications.ts";
import { readRedirects } from "#shared/storage/content/redirects.ts";
import { byName } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import { SettingsRows, savedOrDefault } from "#shared/storage/settings/settings.ts";
import type { Table } from "#shared/storage/table.ts";
import { type TransactionWrite, type Write, put } from "#shared/storage/writes.ts";
import { actionOn } from "#shared/application/catalog/action-on.ts";
import {
  type NamedStock,
  type SkuRequest,
  type StockWrites,
  stockWrites,
} from "#shared/application/catalog/stock-claims.ts";

/**
 * DynamoDB allows 100 writes in a transaction. When public data changes, `table` adds a write of the public generation.
 */
const mostWrites = 99;

/** How one kind of record is validated and stored. */
export interface SellableStorage<Record extends Sellable> {
  readonly kind: "product" | "sofa";
  /** The problems that keep a draft from being stored. */
  check(draft: Record, categories: readonly Category[]): Problem[];
  put(record: Record, condition: Condition): Write;
  remove(id: string, condition: Condition): Write;
  /** The write of the published copy, or the problems that prevent publishing. */
  publish(
    record: Record,
    categories: readonly Category[],
    now: Date,
  ): { ok: true; put(condition: Condition): Write } | { ok: false; problems: Problem[] };
  /** The SKUs that records of this kind own; null for sofas, which own none. */
  readonly skus: {
    /** The kind of owner that the stock rows of these SKUs store. */
    readonly owner: StockOwner["kind"];
    /** The SKUs that the record will have. */
    readonly skuRequests: readonly SkuRequest[];
    of(record: Record): NamedStock[];
  } | null;
  /** The problems of prices that the edit writes. */
  checkPrices(
    before: Record | undefined,
    after: Record,
    table: Table,
  ): Problem[] | Promise<Problem[]>;
  /** References other than categories and pictures. */
  referencesOf(record: Record): RecordReference[];
}

/**
 * Stores a product or sofa in one transaction with its published copy, its slug, its SKUs, the redirect from an old
 * slug, the reference counts of its categories, its timers and the activity record.
 *
 * @param before undefined for a new record
 * @param after undefined to delete it permanently
 * @returns the stock rows of its variants as they were before, by id; `isChanged` is false if nothing was stored
 * @throws AppError `validation_failed`, `already_exists`, `in_use`; Refused on a conflict
 */
export async function saveSellable<Record extends Sellable>(
  storage: SellableStorage<Record>,
  before: Record | undefined,
  after: Record | undefined,
  { table, audit, further = [] }: Saving,
): Promise<{ isChanged: boolean; stock: ReadonlyMap<string, Stock> }> {
  const record = after ?? before;
  if (!record) return { isChanged: false, stock: new Map() };
  const { kind } = storage;
  const skus = {
    before: before ? (storage.skus?.of(before) ?? []) : [],
    after: after ? (storage.skus?.skuRequests ?? []) : [],
  };
  const stockIds = new Set([...skus.before, ...skus.after].map(({ stock_id }) => stock_id));
  const isMoved = concernsRedirects(before, after);
  const lacksHsnCode = after !== undefined && needsHsnCode(before, after);
  const [read, map, references, prices] = await Promise.all([
    table.getMany({
      tree: [at(CategoryTree, {})],
      stock: [...stockIds].map((id) => at(Stocks, { id })),
      seo: isMoved ? [at(SettingsRows, { group: "seo" })] : [],
      store: lacksHsnCode ? [at(SettingsRows, { group: "store" })] : [],
    }),
    isMoved ? readRedirects(table) : undefined,
    referenceWrites(storage, before, after, table),
    after ? storage.checkPrices(before, after, table) : [],
  ]);
  const isInIndia = lacksHsnCode && savedOrDefault("store", read.store[0]).country === "IN";
  const problems = isInIndia ? [...prices, missingHsnCode] : prices;
  if (problems.length > 0) throw invalidFields(problems);
  const categories = read.tree[0]?.categories ?? [];
  const rows = byName(read.stock, ({ id }) => id);
  const { id, slug } = record;
  const { added, others }: StockWrites = storage.skus
    ? stockWrites({ kind: storage.skus.owner, id, slug }, skus, rows, audit.now)
    : { added: [], others: [] };
  const isSameStock = added.length + others.length === 0;
  const nothing = before && after && isUnchanged(before, after) && isSameStock;
  if (nothing) return { isChanged: false, stock: rows };

  const writes: TransactionWrite[] = [
    ...further,
    ...references,
    ...recordWrites(storage, before, after, { categories, now: audit.now }),
    ...others,
    ...countCategoryUses(categories, before, after),
    ...(after && read.tree[0] ? [requireCategoriesVersion(read.tree[0].version)] : []),
  ];
  if (map) {
    const seo = savedOrDefault("seo", read.seo[0]);
    const address = (slug: string) => pagePath({ seo }, kind, slug);
    const redirects = redirectsAfter(address, before, after, map.redirects);
    writes.push(...followedRedirects(map, redirects, audit));
  }
  const target = { kind, id: record.id, label: record.name };
  writes.push(
    ...(after ? schedulePublications(target, before, after, audit.actor.id) : []),
    recordActivity(audit, actionOn(kind, before, after), target, { before, after }),
  );
  // Rows of new variants may be stored before the record, because nothing refers to them yet.
  const isTogether = writes.length + added.length <= mostWrites;
  if (isTogether) writes.push(...added.map((row) => put(Stocks, row, isNew)));
  if (writes.length > mostWrites) {
    throw invalidField(
      "variants",
      "Too many variants change in one request. Split the change into two requests.",
    );
  }
  if (!isTogether) await table.writeMany(added.map((row) => put(Stocks, row)));
  await table.transact(writes);
  return { isChanged: true, stock: rows };
}

/**
 * Checks the references to and from a record. The returned writes make the transaction fail in two cases: a record to
 * which this record gains a reference is removed meanwhile, or this record is removed or archived and another record
 * gains a reference to it meanwhile.
 */
async function referenceWrites<Record extends Sellable>(
  { kind, referencesOf }: SellableStorage<Record>,
  before: Record | undefined,
  after: Record | undefined,
  table: Table,
): Promise<Write[]> {
  const target = before && { kind, id: before.id, slug: before.slug };
  if (!after) return target ? requireUnused(table, target) : [];
  const named = newReferences(before ? referencesOf(before) : [], referencesOf(after));
  const writes = await requireReferences(table, named);
  const isArchived = after.status === "archived" && before && before.status !== "archived";
  // `requireUnlinked` and `requireReferences` update the same counter row, and a transaction can write a row only once.
  // So only the writes of one of them are returned.
  return isArchived && target ? requireUnlinked(table, target) : writes;
}

/** The writes of the draft, the claim to the slug, and the published copy. */
function recordWrites<Record extends Sellable>(
  storage: SellableStorage<Record>,
  before: Record | undefined,
  after: Record | undefined,
  { categories, now }: { categories: readonly Category[]; now: Date },
): TransactionWrite[] {
  const { kind } = storage;
  const unchanged = before ? is("version", before.version) : isNew;
  const writes: TransactionWrite[] = [];

  const leaves = before && before.slug !== after?.slug;
  if (leaves) writes.push(freeSlug(kind, before.slug));
  const published =
    after?.status === "published" ? publishable(storage, after, categories, now) : null;
  if (before?.status === "published" && (leaves || !published))
    writes.push(removePublished(kind, before.slug));
  if (!after) {
    if (before) writes.push(storage.remove(before.id, unchanged));
    return writes;
  }

  const problems = published ? [] : storage.check(after, categories);
  if (problems.length > 0) throw invalidFields(problems);
  const refused = () =>
    new AppError("already_exists", {
      message: `Another ${kind} has this slug.`,
      details: { path: "slug", slug: after.slug },
    });
  writes.push(storage.put(after, unchanged));
  writes.push({ write: claimSlug(kind, after.slug, after.id), refused });
  if (published) writes.push({ write: published.put(freeOrOwn(after.id)), refused });
  else if (!before || leaves) {
    writes.push({ write: checkPublished(kind, after.slug, after.id), refused });
  }
  return writes;
}

function publishable<Record extends Sellable>(
  storage: SellableStorage<Record>,
  record: Record,
  categories: readonly Category[],
  now: Date,
) {
  const published = storage.publish(record, categories, now);
  if (!published.ok) throw invalidFields(published.problems);
  return published;
}

/** Whether the record gains or loses an address on the site. */
const concernsRedirects = (before: Sellable | undefined, after: Sellable | undefined): boolean =>
  after?.status === "published"
    ? before?.status !== "published" || before.slug !== after.slug
    : before !== undefined && before.status !== after?.status;

/** The redirect map after the change; undefined if it stays unchanged. `address` returns the path of a slug's page. */
function redirectsAfter(
  address: (slug: string) => string,
  before: Sellable | undefined,
  after: Sellable | undefined,
  map: readonly Redirect[],
): Redirect[] | undefined {
  if (after?.status === "published") {
    if (before?.status === "published" && before.slug !== after.slug) {
      return redirectsAfterMove(map, address(before.slug), address(after.slug));
    }
    return fewer(map, withoutRedirectFrom(map, address(after.slug)));
  }
  if (!before || after?.status === "draft") return undefined;
  return fewer(map, withoutRedirectsTo(map, address(before.slug)));
}

const fewer = (map: readonly Redirect[], left: Redirect[]): Redirect[] | undefined =>
  left.length < map.length ? left : undefined;
