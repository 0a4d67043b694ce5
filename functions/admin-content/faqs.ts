import * as z from "zod";
import { FaqGroup, Faqs } from "#shared/domain/content/content.ts";
import { Slug } from "#shared/domain/base/names.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { ifMatch } from "#shared/http/one-record.ts";
import { CursorMeta, CursorPage, sliceOf } from "#shared/http/paging.ts";
import { requireUnused } from "#shared/application/references.ts";
import { type Call, route, staff } from "#shared/http/route.ts";
import { changeFaqs, readFaqs } from "#shared/storage/content/faqs.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Deps } from "./deps.ts";
import {
  type EntrySet,
  type Kept,
  type Placed,
  addEntry,
  deleteEntry,
  placed,
  saveEntry,
} from "./entries.ts";
import { partsOf, storable, withIds } from "#shared/application/content/document-input.ts";

const shape = FaqGroup.shape;
const position = z.int().min(0).max(39).meta({ description: "Position among the groups, from 0" });
const AdminFaqGroup = FaqGroup.extend({ position, version: z.int() });
const FaqGroupInput = z.strictObject({
  slug: shape.slug,
  title: shape.title,
  items: partsOf(shape.items).default([]),
  position: position.optional(),
});
type FaqGroupInput = z.output<typeof FaqGroupInput>;
const example = {
  slug: "delivery",
  title: "Delivery",
  items: [{ question: "How long does it take?", answer_html: "<p>Nine days.</p>" }],
};
const form = editForm(FaqGroupInput, AdminFaqGroup);
const bySlug = z.object({ slug: Slug });

const faqs: EntrySet<FaqGroup> = {
  path: "/admin/faqs",
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
};
const contentOf = ({ slug, title, items }: FaqGroup): FaqGroup => ({ slug, title, items });
const first = (_call: unknown, { table }: Deps) => faqs.read(table);
const publicAtOnce = "There is no draft: changes are public as soon as they are saved.";

const shown = ({ entry, index }: Omit<Placed<FaqGroup>, "others">) => ({
  ...contentOf(entry),
  position: index,
  version: entry.version,
});
const answerOf = (at: Placed<FaqGroup>) => ({ data: shown(at), version: at.entry.version });

export const listFaqGroups = route({
  method: "GET",
  path: "/admin/faqs",
  summary: "List FAQ groups in display order",
  description: "Each group with its questions and its `position`.",
  access: staff("content.view"),
  request: { query: CursorPage },
  response: { status: 200, data: z.array(AdminFaqGroup), meta: CursorMeta },
  first,
  async handle({ first, query }) {
    const rows = first.entries.map((entry, index) => shown({ entry, index }));
    return sliceOf(rows, "staff's faqs", ({ slug }) => slug, query);
  },
});

export const createFaqGroup = route({
  method: "POST",
  path: "/admin/faqs",
  summary: "Add an FAQ group",
  description: `${publicAtOnce} Without \`position\` the group is added last.`,
  access: staff("content.edit"),
  request: { body: FaqGroupInput.meta({ example }) },
  response: { status: 201, data: AdminFaqGroup },
  errors: ["already_exists"],
  idempotent: true,
  handle: async (call, { table }: Deps) =>
    addEntry(faqs, call, table, {
      id: call.body.slug,
      change: ({ entries }) => withGroup(entries, call.body, entries.length, call.now),
      answerOf,
    }),
});

export const getFaqGroup = route({
  method: "GET",
  path: "/admin/faqs/{slug}",
  summary: "Get an FAQ group",
  description: "By slug, with its questions and its `position`.",
  access: staff("content.view"),
  request: { params: bySlug },
  response: { status: 200, data: AdminFaqGroup },
  first,
  handle: async (call) => answerOf(placed(faqs, call.first, call.params.slug)),
});

export const replaceFaqGroup = route({
  method: "PUT",
  path: "/admin/faqs/{slug}",
  summary: "Replace an FAQ group",
  description: publicAtOnce,
  access: staff("content.edit"),
  request: { params: bySlug, body: form.put.meta({ example }), headers: ifMatch },
  response: { status: 200, data: AdminFaqGroup },
  errors: ["already_exists", "in_use", "version_mismatch"],
  first,
  handle: (call, deps: Deps) => {
    const read = placed(faqs, call.first, call.params.slug).entry.version;
    return edited(call, call.headers["if-match"] ?? read, form.replaced, deps);
  },
});

export const changeFaqGroup = route({
  method: "PATCH",
  path: "/admin/faqs/{slug}",
  summary: "Update an FAQ group",
  description: publicAtOnce,
  access: staff("content.edit"),
  request: {
    params: bySlug,
    body: form.patch.meta({ example: { title: "Delivery" } }),
    headers: ifMatch,
  },
  response: { status: 200, data: AdminFaqGroup },
  errors: ["already_exists", "in_use", "version_mismatch"],
  first,
  handle: (call, deps: Deps) => edited(call, call.headers["if-match"], form.patched, deps),
});

export const deleteFaqGroup = route({
  method: "DELETE",
  path: "/admin/faqs/{slug}",
  summary: "Delete an FAQ group",
  description:
    "The group is no longer public at once. Refused while a page or the homepage shows it.",
  access: staff("content.edit"),
  request: { params: bySlug, headers: ifMatch },
  response: { status: 204 },
  errors: ["in_use", "version_mismatch"],
  first,
  handle: (call, { table }: Deps) =>
    deleteEntry(faqs, named(call), table, {
      expected: call.headers["if-match"],
      guard: ({ slug }) => requireUnused(table, { kind: "faq_group", id: slug }),
    }),
});

/** Groups are identified by slug. */
const named = <Of extends { params: { slug: string } }>(call: Of) => ({
  ...call,
  params: { id: call.params.slug },
});

async function edited(
  call: Pick<Call, "actor" | "requestId" | "now"> & {
    readonly first: Kept<FaqGroup>;
    readonly params: { readonly slug: string };
    readonly body: object;
  },
  expected: number | undefined,
  written: (sent: object, shown: object) => Partial<FaqGroupInput>,
  { table }: Deps,
) {
  const { kept, id } = await saveEntry(faqs, named(call), table, {
    expected,
    async change(at) {
      const after = { ...contentOf(at.entry), ...written(call.body, shown(at)) };
      const entries = withGroup(at.others, after, at.index, call.now);
      // Pages and the homepage refer to a group by its slug.
      const isRenamed = after.slug !== at.entry.slug;
      const target = { kind: "faq_group", id: at.entry.slug } as const;
      const further = isRenamed ? await requireUnused(table, target) : [];
      return { entries, id: after.slug, further };
    },
  });
  return answerOf(placed(faqs, kept, id));
}

/** The groups with the new one. Throws AppError `already_exists` when another has its slug. */
function withGroup(
  others: readonly FaqGroup[],
  { position, items, ...group }: FaqGroupInput,
  usual: number,
  now: Date,
): FaqGroup[] {
  if (others.some(({ slug }) => slug === group.slug)) {
    throw new AppError("already_exists", {
      message: "Another group has this slug.",
      details: { path: "slug", slug: group.slug },
    });
  }
  const added = storable(FaqGroup, { ...group, items: withIds("faq", items, now) });
  return others.toSpliced(position ?? usual, 0, added);
}

export const routes = [
  listFaqGroups,
  createFaqGroup,
  getFaqGroup,
  replaceFaqGroup,
  changeFaqGroup,
  deleteFaqGroup,
];
