import * as z from "zod";
import {
  type PagePaths,
  type PlacedLink,
  announcementLinks,
  linkTargets,
  menuLinks,
} from "../../domain/content/content.ts";
import { homeLinks, homeReferences } from "../../domain/content/home.ts";
import { type InteriorStory, storyReferences } from "../../domain/content/interior-story.ts";
import { documentSlugs } from "../../domain/content/document.ts";
import {
  type Page,
  type PageContent,
  pageReferences,
  railLinks,
} from "../../domain/content/page.ts";
import { searchTargets } from "../../domain/settings/further-settings.ts";
import { redirectsToHosts } from "../../domain/content/redirect.ts";
import { defaultMaterials, materialCodes } from "../../domain/sofa/sofa-choices.ts";
import type { Sellable } from "../../domain/catalog/product.ts";
import {
  CategoryUses,
  PublishedSofas,
  Products,
  Sofas,
  publishedPartition,
  draftPartition,
} from "./catalog.ts";
import { type Condition, absent, is } from "../conditions.ts";
import { HomeDrafts } from "../content/content-edits.ts";
import {
  PublishedAnnouncement,
  PublishedHome,
  PublishedMenus,
  PublishedPages,
  PublishedSofaLanding,
  PublishedStories,
  Pages,
  Stories,
  pageList,
  storyList,
} from "../content/content.ts";
import { Coupons, couponList } from "../pricing/coupons.ts";
import { type Entity, entity } from "../entity.ts";
import { at } from "../reads.ts";
import { readRedirects } from "../content/redirects.ts";
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
  readonly kind:
    | "product"
    | "sofa"
    | "story"
    | "faq_group"
    | "material"
    | "category"
    | "collection"
    | "room"
    | "style"
    | "page"
    | "tax_class"
    | "redirect_host";
  /** The record's id; its slug or code if other records store that as their reference. */
  readonly id: string;
  /** The slug in links to a record whose other references use its id. */
  readonly slug?: string;
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

/** The coupons for a category of any kind. */
const couponsFor = (table: Table, slug: string) =>
  couponsWith(table, ({ applies_to }) => applies_to.categories.includes(slug));

/**
 * Lists the records that refer to a target, drafts and published copies. Reading stops once there are enough referring
 * records for the error.
 */
export async function usersOf(table: Table, target: ReferenceTarget): Promise<User[]> {
  const { kind, id } = target;
  switch (kind) {
    case "page":
      return documentsWith(table, target);
    case "material":
      return sofasWith(table, id);
    case "category":
      return inParallel(
        sellablesIn(table, target, ({ category_slug }) => category_slug === id),
        couponsFor(table, id),
        documentsWith(table, target),
      );
    case "collection":
      return inParallel(
        sellablesIn(table, target, ({ collection_slug }) => collection_slug === id),
        couponsFor(table, id),
        documentsWith(table, target),
      );
    case "room":
      return inParallel(
        sellablesIn(table, target, ({ rooms }) => rooms.includes(id)),
        couponsFor(table, id),
        storiesWith(table, ({ room }) => room === id),
      );
    case "style":
      return inParallel(
        sellablesIn(table, target, ({ styles }) => styles.includes(id)),
        couponsFor(table, id),
        storiesWith(table, ({ style }) => style === id),
      );
    case "tax_class":
      return sellablesWith(table, ({ tax_class }) => tax_class === id);
    case "redirect_host":
      return redirectsTo(table, id);
    case "faq_group":
    case "story":
      return documentsWith(table, target);
    case "product":
    case "sofa":
      return inParallel(
        documentsWith(table, target),
        storiesWith(table, (story) => storyReferences(story).includes(id)),
        couponsWith(table, ({ applies_to }) => applies_to.product_ids.some((each) => each === id)),
        sellablesWith(table, ({ related_ids }) => related_ids.some((each) => each === id)),
      );
  }
}

async function redirectsTo(table: Table, host: string): Promise<User[]> {
  const { redirects } = await readRedirects(table);
  return redirectsToHosts(redirects, [host]).map(({ id, from }) => ({
    kind: "redirect",
    id,
    label: from,
  }));
}

/** The homepage, pages, menus and other documents that link to a record. */
export const linkUsersOf = (table: Table, target: ReferenceTarget): Promise<User[]> =>
  documentsWith(table, target, { linksOnly: true });

const inParallel = async (...lists: Promise<User[]>[]): Promise<User[]> =>
  (await Promise.all(lists)).flat();

/** Whether a link leads to a record. */
const leadsTo =
  ({ kind, id, slug = id }: ReferenceTarget, paths: PagePaths) =>
  ({ href }: { href: string }): boolean =>
    linkTargets(href, paths).some((target) => target.kind === kind && target.slug === slug);

interface Shown {
  readonly cards: readonly string[];
  readonly stories?: readonly string[];
  readonly faqs: readonly string[];
}

/** Whether a document shows a record itself, and not only a link to it. */
const shows = ({ cards, stories = [], faqs }: Shown, { kind, id }: ReferenceTarget): boolean => {
  if (kind === "faq_group") return faqs.includes(id);
  if (kind === "story") return stories.includes(id);
  return (kind === "product" || kind === "sofa") && cards.includes(id);
};

/**
 * Homepage, pages, menus, announcement, sofa landing and the settings of search, if they show the record, link to it,
 * or name it. A page may link to itself.
 */
async function documentsWith(
  table: Table,
  target: ReferenceTarget,
  { linksOnly = false } = {},
): Promise<User[]> {
  const isCard = target.kind === "product" || target.kind === "sofa";
  const [read, pages] = await Promise.all([
    table.getMany({
      drafts: [at(HomeDrafts, {})],
      lives: [at(PublishedHome, {})],
      menus: [at(PublishedMenus, {})],
      announcements: [at(PublishedAnnouncement, {})],
      landings: linksOnly ? [] : [at(PublishedSofaLanding, {})],
      searches: !linksOnly && isCard ? [at(SettingsRows, { group: "search" })] : [],
      seo: [at(SettingsRows, { group: "seo" })],
    }),
    pagesWithCopies(table),
  ]);
  const { drafts, lives, menus, announcements, landings, searches, seo } = read;
  const isLink = leadsTo(target, savedOrDefault("seo", seo[0]).paths);
  const names = (shown: Shown, links: readonly PlacedLink[]) =>
    (!linksOnly && shows(shown, target)) || links.some(isLink);
  const onHome = [drafts[0], lives[0]].some(
    (home) => home && names(homeReferences(home), homeLinks(home)),
  );
  const onPages = pages.filter(
    ({ page, contents }) =>
      !(target.kind === "page" && documentSlugs(page).has(target.id)) &&
      contents.some((content) => names(pageReferences(content), railLinks(content))),
  );
  const [menu, announcement, landing] = [menus[0], announcements[0], landings[0]];
  const user = (kind: string, label: string): User => ({ kind, id: kind, label });
  return [
    ...(onHome ? [user("homepage", "Homepage")] : []),
    ...onPages.map(({ page }) => ({ kind: "page", id: page.id, label: page.title })),
    ...(menu && menuLinks(menu).some(isLink) ? [user("menus", "Menus")] : []),
    ...(announcement && announcementLinks(announcement).some(isLink)
      ? [user("announcement", "Announcement bar")]
      : []),
    ...(landing?.featured.some(({ id }) => id === target.id)
      ? [user("sofa_landing", "Sofa landing")]
      : []),
    ...(searches.some(
      (row) =>
        row && searchTargets(savedOrDefault("search", row)).some(({ id }) => id === target.id),
    )
      ? [{ kind: "settings", id: "search", label: "Settings: search" }]
      : []),
  ];
}

/** Products and sofas in a category. Nothing is read while the category's count is 0. */
async function sellablesIn(
  table: Table,
  { counted }: ReferenceTarget,
  names: (sellable: Sellable) => boolean,
): Promise<User[]> {
  const count = counted === undefined ? undefined : await table.get(CategoryUses, { id: counted });
  if (counted !== undefined && !count?.uses) return [];
  const users = await sellablesWith(table, names);
  if (users.length > 0 || counted === undefined) return users;
  // A record is counted before the index lists it, so it may not have been found yet.
  return [{ kind: "catalog", id: counted, label: "Products or sofas" }];
}

/** All products and sofas that match, archived ones included. */
const sellablesWith = (table: Table, names: (sellable: Sellable) => boolean): Promise<User[]> =>
  inParallel(
    some(table, { of: Products, partition: draftPartition.product }, names).then((products) =>
      products.map(({ id, name }) => ({ kind: "product", id, label: name })),
    ),
    some(table, { of: Sofas, partition: draftPartition.sofa }, names).then((sofas) =>
      sofas.map(({ id, name }) => ({ kind: "sofa", id, label: name })),
    ),
  );

/** All pages, each with the content of its draft and of a published copy that differs from it. */
async function pagesWithCopies(
  table: Table,
): Promise<{ page: Page; contents: Pick<PageContent, "blocks">[] }[]> {
  const pages = await all(table, Pages, pageList);
  const { published } = await table.getMany({
    published: pages.flatMap(({ published, version }) =>
      published && published.version !== version
        ? [at(PublishedPages, { slug: published.slug })]
        : [],
    ),
  });
  const copies = new Map(published.flatMap((copy) => (copy ? [[copy.id, copy] as const] : [])));
  return pages.map((page) => ({ page, contents: [page, copies.get(page.id) ?? []].flat() }));
}

async function storiesWith(
  table: Table,
  names: (story: Pick<InteriorStory, "images" | "room" | "style">) => boolean,
): Promise<User[]> {
  const stories = await all(table, Stories, storyList);
  const behind = stories.filter(
    ({ published, version }) => published && published.version !== version,
  );
  const { published } = await table.getMany({
    published: behind.flatMap(({ published }) =>
      published ? [at(PublishedStories, { slug: published.slug })] : [],
    ),
  });
  const naming = new Set(
    [...stories, ...published].flatMap((story) => (story && names(story) ? story.id : [])),
  );
  return stories
    .filter(({ id }) => naming.has(id))
    .map(({ id, title }) => ({ kind: "story", id, label: title }));
}

/** Sofas that use the material by default, and drafts that offer it. */
async function sofasWith(table: Table, code: string): Promise<User[]> {
  const [published, drafts] = await Promise.all([
    all(table, PublishedSofas, publishedPartition("sofa")),
    all(table, Sofas, draftPartition.sofa),
  ]);
  const users = [
    ...published.filter((sofa) => defaultMaterials(sofa).includes(code)),
    ...drafts.filter((sofa) => sofa.status === "draft" && materialCodes(sofa).includes(code)),
  ];
  const byId = new Map(users.map(({ id, name }) => [id, { kind: "sofa", id, label: name }]));
  return [...byId.values()];
}

async function couponsWith(
  table: Table,
  names: (coupon: z.output<typeof Coupons.schema>) => boolean,
): Promise<User[]> {
  const coupons = await some(table, { of: Coupons, partition: couponList }, names);
  return coupons.map(({ id, code }) => ({ kind: "coupon", id, label: code }));
}

/**
 * Reads all records of a list in the first index. The cost is acceptable, because staff maintain few records and
 * deletions are rare.
 */
const all = <Schema extends z.ZodObject, Id>(
  table: Table,
  of: Entity<Schema, Id>,
  partition: string,
): Promise<z.output<Schema>[]> => some(table, { of, partition, most: Infinity }, () => true);

/** The first records of a list that match. */
async function some<Schema extends z.ZodObject, Id>(
  table: Table,
  { of, partition, most = mostUsers }: { of: Entity<Schema, Id>; partition: string; most?: number },
  matches: (record: z.output<Schema>) => boolean,
): Promise<z.output<Schema>[]> {
  const options = { limit: most, matches, most: Infinity };
  return (await table.page(of, { index: "gsi1", partition }, options)).records;
}
