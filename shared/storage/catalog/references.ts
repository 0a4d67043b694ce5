import * as z from "zod";
import type { MenuItem } from "../../domain/content/content.ts";
import { menuPages } from "../../domain/content/content.ts";
import { type Home, homeReferences } from "../../domain/content/home.ts";
import { storyReferences } from "../../domain/content/interior-story.ts";
import { pageReferences } from "../../domain/content/page.ts";
import { defaultMaterials, materialCodes } from "../../domain/sofa/sofa-choices.ts";
import { PublishedSofas, Sofas, publishedPartition, draftPartition } from "./catalog.ts";
import { type Condition, absent, is } from "../conditions.ts";
import { HomeDrafts } from "../content/content-edits.ts";
import {
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
import type { Table } from "../table.ts";
import { type Write, update } from "../writes.ts";

/**
 * Counts the writes that add references, and the writes that remove referenced records. Each kind is conditional on
 * the counter of the other, so no reference is added while its target is removed.
 */
export const ReferenceEpochs = entity({
  name: "reference_epoch",
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

/** For the transaction of a write that adds a reference. @param read the epoch, read with or before the target */
export const whileNothingGoes = (read: ReferenceEpoch | undefined): Write =>
  counting("named", unchanged("removed", read?.removed));

/**
 * For the transaction of a write that removes a record. @param read the epoch, read before its users were searched
 */
export const whileNothingIsNamed = (read: ReferenceEpoch | undefined): Write =>
  counting("removed", unchanged("named", read?.named));

/** A record that others may refer to. */
export interface Target {
  readonly kind: "product" | "sofa" | "story" | "faq_group" | "material" | "category" | "page";
  /** Its slug or code, if it is referred to by that. */
  readonly id: string;
}

/** A record that refers to a target. */
export interface User {
  readonly kind: string;
  readonly id: string;
  readonly label: string;
}

/**
 * Lists the records that refer to a target, drafts and published copies. Picks of related products do not count: a
 * missing pick is skipped when they are shown.
 */
export async function usersOf(table: Table, target: Target): Promise<User[]> {
  switch (target.kind) {
    case "page":
      return menusWith(table, target.id);
    case "material":
      return sofasWith(table, target.id);
    case "category":
      return couponsWith(table, ({ applies_to }) => applies_to.categories.includes(target.id));
    case "faq_group":
      return [...(await homesWith(table, target)), ...(await pagesWith(table, target.id))];
    case "story":
      return homesWith(table, target);
    case "product":
    case "sofa":
      return [
        ...(await homesWith(table, target)),
        ...(await landingWith(table, target.id)),
        ...(await storiesWith(table, target.id)),
        ...(await couponsWith(table, ({ applies_to }) =>
          applies_to.product_ids.some((id) => id === target.id),
        )),
      ];
  }
}

async function homesWith(table: Table, { kind, id }: Target): Promise<User[]> {
  const [draft, published] = await Promise.all([
    table.get(HomeDrafts, {}),
    table.get(PublishedHome, {}),
  ]);
  const names = (home: Pick<Home, "sections"> | undefined): boolean => {
    const { cards, stories, faqs } = homeReferences({ sections: home?.sections ?? [] });
    return (kind === "faq_group" ? faqs : kind === "story" ? stories : cards).includes(id);
  };
  const found = names(draft) || names(published);
  return found ? [{ kind: "homepage", id: "homepage", label: "Homepage" }] : [];
}

async function landingWith(table: Table, id: string): Promise<User[]> {
  const landing = await table.get(PublishedSofaLanding, {});
  const found = landing?.featured.some((card) => card.id === id);
  return found ? [{ kind: "sofa_landing", id: "sofa_landing", label: "Sofa landing" }] : [];
}

async function menusWith(table: Table, slug: string): Promise<User[]> {
  const menus = await table.get(PublishedMenus, {});
  if (!menus) return [];
  const lists: MenuItem[][] = [menus.header, menus.footer, menus.mobile, menus.legal];
  const found = lists.flatMap(menuPages).some((page) => page.slug === slug);
  return found ? [{ kind: "menus", id: "menus", label: "Menus" }] : [];
}

async function pagesWith(table: Table, group: string): Promise<User[]> {
  const pages = await all(table, Pages, pageList);
  const behind = pages.filter(
    ({ published, version }) => published && published.version !== version,
  );
  const { published } = await table.getMany({
    published: behind.flatMap(({ published }) =>
      published ? [at(PublishedPages, { slug: published.slug })] : [],
    ),
  });
  const naming = new Set(
    [...pages, ...published].flatMap((page) =>
      page && pageReferences(page).includes(group) ? page.id : [],
    ),
  );
  return pages
    .filter(({ id }) => naming.has(id))
    .map(({ id, title }) => ({ kind: "page", id, label: title }));
}

async function storiesWith(table: Table, card: string): Promise<User[]> {
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
    [...stories, ...published].flatMap((story) =>
      story && storyReferences(story).includes(card) ? story.id : [],
    ),
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
  const coupons = await all(table, Coupons, couponList);
  return coupons.filter(names).map(({ id, code }) => ({ kind: "coupon", id, label: code }));
}

/** All records of a list in the first index. Staff maintain few of them, and deletions are rare. */
async function all<Schema extends z.ZodObject, Id>(
  table: Table,
  of: Entity<Schema, Id>,
  partition: string,
): Promise<z.output<Schema>[]> {
  const records: z.output<Schema>[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const page = await table.query(of, { index: "gsi1", partition, after });
    records.push(...page.records);
    after = page.next;
  } while (after);
  return records;
}
