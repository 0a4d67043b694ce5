import * as z from "zod";
import { type Faqs, FaqGroup } from "../../domain/content/content.ts";
import { Slug } from "../../domain/base/names.ts";
import { Timestamp } from "../../domain/base/text.ts";
import { rowChanges } from "../../domain/base/versioned-rows.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove, replace } from "../writes.ts";

export const faqPartition = "FAQS";

const StoredFaqGroup = FaqGroup.extend({ version: z.int().min(1), created_at: Timestamp });
export type StoredFaqGroup = z.output<typeof StoredFaqGroup>;

/** An FAQ group. Staff edit the row that the public reads. */
export const FaqGroups = entity({
  name: "faq_group",
  isPublic: true,
  schema: StoredFaqGroup,
  key: ({ slug }: { slug: string }) => ({ pk: faqPartition, sk: `GROUP#${slug}` }),
});

/** The order of the groups. Every change of a group is a new version. */
export const FaqOrders = entity({
  name: "faq_order",
  isPublic: true,
  schema: z.object({ slugs: z.array(Slug), version: z.int().min(1) }),
  key: () => ({ pk: faqPartition, sk: "ORDER" }),
});

/** All groups in display order. */
export interface StoredFaqs extends Faqs {
  groups: StoredFaqGroup[];
}

/** Version 0 means that no group was ever created. */
export async function readFaqs(table: Pick<Table, "getPartition">): Promise<StoredFaqs> {
  const kinds = { groups: FaqGroups, orders: FaqOrders };
  const { groups, orders } = await table.getPartition(faqPartition, kinds);
  const bySlug = new Map(groups.map((group) => [group.slug, group]));
  return {
    groups: (orders[0]?.slugs ?? []).flatMap((slug) => bySlug.get(slug) ?? []),
    version: orders[0]?.version ?? 0,
  };
}

/** The writes that change the stored groups from `before` to `groups`; empty if nothing changes. */
export function changeFaqs(
  before: StoredFaqs,
  groups: readonly FaqGroup[],
  now: Date,
): { writes: Write[]; after: StoredFaqs } {
  const changes = rowChanges<FaqGroup>(before.groups, groups, ({ slug }) => slug, now);
  const version = before.version + 1;
  const slugs = changes.rows.map(({ slug }) => slug);
  const stays =
    changes.stored.length + changes.removed.length === 0 &&
    slugs.every((slug, index) => slug === before.groups[index]?.slug);
  if (stays) return { writes: [], after: before };
  return {
    after: { groups: changes.rows, version },
    writes: [
      replace(
        FaqOrders,
        { slugs, version },
        before.version > 0 ? is("version", before.version) : isNew,
      ),
      ...changes.stored.map(({ before: was, after }) =>
        put(FaqGroups, { ...was, ...after }, was ? is("version", was.version) : isNew),
      ),
      ...changes.removed.map(({ slug, version: at }) =>
        remove(FaqGroups, { slug }, is("version", at)),
      ),
    ],
  };
}
