import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { FaqGroup, Faqs } from "#shared/domain/content/content.ts";
import { listRoute } from "#functions/list-route.ts";
import { recordRoutes } from "#functions/record-routes.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { requireUnused } from "#shared/application/require-references.ts";
import { staff } from "#shared/http/route.ts";
import { changeFaqs, readFaqs } from "#shared/storage/content/faqs.ts";
import type { Table } from "#shared/storage/table.ts";
import { type EntrySet, type Placed, entryStore } from "#shared/application/content/save-entry.ts";
import { documentPartsOf, storable, withIds } from "#shared/application/content/document-input.ts";

const shape = FaqGroup.shape;
const position = z.int().min(0).max(39).meta({ description: "Position among the groups, from 0" });
const AdminFaqGroup = FaqGroup.extend({ position, version: z.int() });
const FaqGroupInput = z.strictObject({
  slug: shape.slug,
  title: shape.title,
  items: documentPartsOf(shape.items).default([]),
  position: position.optional(),
});
type FaqGroupInput = z.output<typeof FaqGroupInput>;
const example = {
  slug: "delivery",
  title: "Delivery",
  items: [{ question: "How long does it take?", answer_html: "<p>Nine days.</p>" }],
};
const path = "/admin/faqs";

const faqs: EntrySet<FaqGroup, FaqGroupInput> = {
  kind: "faq_group",
  async read(table: Table) {
    const { groups: entries, version } = await readFaqs(table);
    return { entries, version };
  },
  idOf: ({ slug }) => slug,
  labelOf: ({ slug }) => slug,
  check: (entries) => {
    storable(Faqs.pick({ groups: true }), { groups: entries.map(contentOf) });
  },
  changes({ entries, version }, after, now) {
    const before = { groups: [...entries], version };
    const changes = changeFaqs(before, after.map(contentOf), now);
    return {
      writes: changes.writes,
      after: { entries: changes.after.groups, version: changes.after.version },
    };
  },
  async added({ entries }, input, { audit }) {
    return { entries: withGroup(entries, input, entries.length, audit.now), id: input.slug };
  },
  async changed({ entry, others, index }, change, { audit, deps }) {
    const after = { ...contentOf(entry), ...change };
    const entries = withGroup(others, after, index, audit.now);
    // Pages and the homepage refer to a group by its slug, so the slug changes only while none of them does.
    const further = after.slug === entry.slug ? [] : await unused(entry, deps.table);
    return { entries, id: after.slug, further };
  },
  removed: (group, { deps }) => unused(group, deps.table),
};
const unused = ({ slug }: FaqGroup, table: Table) =>
  requireUnused(table, { kind: "faq_group", id: slug });
const contentOf = ({ slug, title, items }: FaqGroup): FaqGroup => ({ slug, title, items });
const publicAtOnce = "Changes are public within five seconds.";

const shown = ({ entry, index }: Pick<Placed<FaqGroup>, "entry" | "index">) => ({
  ...contentOf(entry),
  position: index,
  version: entry.version,
});
const list = listRoute({
  path,
  summary: "List FAQ groups in display order",
  description: "Includes each group's questions and `position`.",
  access: staff("content.view"),
  row: AdminFaqGroup,
  async list(_call, { table }: Shop<"table">) {
    const { entries } = await faqs.read(table);
    const rows = entries.map((entry, index) => shown({ entry, index }));
    return { name: "staff's faqs", entries: rows, nameOf: ({ slug }) => slug };
  },
});

/** Inserts a group among the others. Throws AppError `already_exists` if another group has its slug. */
function withGroup(
  others: readonly FaqGroup[],
  { position, items, ...group }: FaqGroupInput,
  usual: number,
  now: Date,
): FaqGroup[] {
  if (others.some(({ slug }) => slug === group.slug)) {
    throw new AppError("already_exists", {
      message: "Another group has this slug. Choose another slug.",
      details: { path: "slug", slug: group.slug },
    });
  }
  const added = storable(FaqGroup, { ...group, items: withIds("faq", items, now) });
  return others.toSpliced(position ?? usual, 0, added);
}

export const routes = [
  list,
  ...recordRoutes({
    path,
    name: "slug",
    one: "an FAQ group",
    permissions: { view: "content.view", edit: "content.edit" },
    record: AdminFaqGroup,
    input: FaqGroupInput,
    examples: { record: example, patch: { title: "Delivery" } },
    descriptions: {
      create: `${publicAtOnce} Without \`position\` the group is added last.`,
      get: "Includes the group's questions and `position`.",
      replace: publicAtOnce,
      change: publicAtOnce,
      remove:
        "The group disappears from the storefront. Returns 409 while a page or the homepage shows it.",
    },
    errors: {
      create: ["already_exists"],
      edit: ["already_exists", "in_use"],
      remove: ["in_use"],
    },
    store: entryStore(faqs),
    shown,
  }),
];
