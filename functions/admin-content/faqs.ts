import * as z from "zod";
import { FaqGroup, Faqs } from "#shared/domain/content.ts";
import { Slug } from "#shared/domain/names.ts";
import { found } from "#shared/http/edit.ts";
import { AppError } from "#shared/http/errors.ts";
import { ifMatch } from "#shared/http/one-record.ts";
import { CursorMeta, CursorPage } from "#shared/http/paging.ts";
import { patchOf } from "#shared/http/patch.ts";
import { route, staff } from "#shared/http/route.ts";
import { is, isNew } from "#shared/storage/conditions.ts";
import { LiveFaqs } from "#shared/storage/content.ts";
import { put } from "#shared/storage/writes.ts";
import type { Deps } from "./deps.ts";
import {
  type EntryDocument,
  addEntry,
  entriesPage,
  requireUnchanged,
  saveEntry,
} from "./entries.ts";
import { partsOf, storable, withIds } from "./input.ts";

const shape = FaqGroup.shape;
const position = z.int().min(0).max(39).meta({ description: "Place among the groups, from 0" });
const StaffFaqGroup = FaqGroup.extend({
  position,
  version: z.int().meta({ description: "Of all groups together" }),
});
const FaqGroupInput = z
  .strictObject({
    slug: shape.slug,
    title: shape.title,
    items: partsOf(shape.items).default([]),
    position: position.optional(),
  })
  .meta({
    example: {
      slug: "delivery",
      title: "Delivery",
      items: [{ question: "How long does it take?", answer_html: "<p>Nine days.</p>" }],
    },
  });
const FaqGroupPatch = patchOf(FaqGroupInput).meta({ example: { title: "Delivery" } });
const bySlug = z.object({ slug: Slug });

const faqs: EntryDocument<Faqs> = {
  path: "/admin/faqs",
  kind: "faq_group",
  empty: { groups: [], version: 0 },
  find: (table) => table.get(LiveFaqs, {}),
  checked: (document) => storable(Faqs, document),
  put: (after, before) => put(LiveFaqs, after, before ? is("version", before.version) : isNew),
  byName: ({ groups }) => Object.fromEntries(groups.map((group) => [group.slug, group])),
};
const first = (_call: unknown, { table }: Deps) => faqs.find(table);
const entryOf = (slug: string) => ({ id: slug, label: slug });
const atOnce = "There is no draft: the public sees it as soon as it is saved.";

function answerOf({ groups, version }: Faqs, slug: string) {
  const index = groups.findIndex((group) => group.slug === slug);
  return { data: { ...found(groups[index]), position: index, version }, version };
}

export const listFaqGroups = route({
  method: "GET",
  path: "/admin/faqs",
  summary: "FAQ groups in the order shown",
  access: staff("content.view"),
  request: { query: CursorPage },
  response: { status: 200, data: z.array(StaffFaqGroup), meta: CursorMeta },
  first,
  async handle({ first, query }) {
    const version = first?.version ?? 0;
    const rows = (first?.groups ?? []).map((group, position) => ({ ...group, position, version }));
    return entriesPage("faqs", rows, ({ slug }) => slug, query);
  },
});

export const createFaqGroup = route({
  method: "POST",
  path: "/admin/faqs",
  summary: "Add an FAQ group",
  description: `${atOnce} Without \`position\` it comes last.`,
  access: staff("content.edit"),
  request: { body: FaqGroupInput },
  response: { status: 201, data: StaffFaqGroup },
  errors: ["already_exists"],
  idempotent: true,
  async handle(call, { table }: Deps) {
    const { body, now } = call;
    const { document, id, headers } = await addEntry(faqs, {
      call,
      table,
      entry: entryOf(body.slug),
      change: ({ groups }) => ({ groups: withGroup(groups, body, groups.length, now) }),
    });
    return { ...answerOf(document, id), headers };
  },
});

export const getFaqGroup = route({
  method: "GET",
  path: "/admin/faqs/{slug}",
  summary: "An FAQ group",
  access: staff("content.view"),
  request: { params: bySlug },
  response: { status: 200, data: StaffFaqGroup },
  first,
  handle: async (call) => answerOf(found(call.first), call.params.slug),
});

export const replaceFaqGroup = route({
  method: "PUT",
  path: "/admin/faqs/{slug}",
  summary: "Replace an FAQ group",
  description: atOnce,
  access: staff("content.edit"),
  request: { params: bySlug, body: FaqGroupInput, headers: ifMatch },
  response: { status: 200, data: StaffFaqGroup },
  errors: ["already_exists", "version_mismatch"],
  first,
  async handle(call, { table }: Deps) {
    const { slug } = call.params;
    const groupAsRead = call.first?.groups.find((group) => group.slug === slug);
    const saved = await saveEntry(faqs, "update", {
      call,
      table,
      entry: entryOf(slug),
      change({ groups, version }) {
        const { index, group, others } = taken(groups, slug);
        requireUnchanged(groupAsRead, group, version);
        return { groups: withGroup(others, call.body, index, call.now) };
      },
    });
    return answerOf(saved, call.body.slug);
  },
});

export const changeFaqGroup = route({
  method: "PATCH",
  path: "/admin/faqs/{slug}",
  summary: "Change members of an FAQ group",
  description: atOnce,
  access: staff("content.edit"),
  request: { params: bySlug, body: FaqGroupPatch, headers: ifMatch },
  response: { status: 200, data: StaffFaqGroup },
  errors: ["already_exists", "version_mismatch"],
  first,
  async handle(call, { table }: Deps) {
    const { slug } = call.params;
    const saved = await saveEntry(faqs, "update", {
      call,
      table,
      entry: entryOf(slug),
      change({ groups }) {
        const { index, group, others } = taken(groups, slug);
        return { groups: withGroup(others, { ...group, ...call.body }, index, call.now) };
      },
    });
    return answerOf(saved, call.body.slug ?? slug);
  },
});

export const deleteFaqGroup = route({
  method: "DELETE",
  path: "/admin/faqs/{slug}",
  summary: "Delete an FAQ group",
  description: "It is gone from the public at once.",
  access: staff("content.edit"),
  request: { params: bySlug, headers: ifMatch },
  response: { status: 204 },
  errors: ["version_mismatch"],
  first,
  async handle(call, { table }: Deps) {
    const { slug } = call.params;
    const change = ({ groups }: Faqs) => ({ groups: taken(groups, slug).others });
    await saveEntry(faqs, "delete", { call, table, entry: entryOf(slug), change });
  },
});

/** A group and its neighbours. Throws AppError `not_found`. */
function taken(groups: readonly FaqGroup[], slug: string) {
  const index = groups.findIndex((group) => group.slug === slug);
  const group = found(groups[index]);
  return { index, group, others: groups.filter((other) => other !== group) };
}

interface SentGroup {
  slug?: string | undefined;
  items?: object[] | undefined;
  position?: number | undefined;
}

/** The groups with one more. Throws AppError `already_exists` when another has its slug. */
function withGroup(
  others: readonly FaqGroup[],
  { position, items = [], ...group }: SentGroup,
  usual: number,
  now: Date,
): object[] {
  if (others.some(({ slug }) => slug === group.slug)) {
    throw new AppError("already_exists", {
      message: "Another group has this slug.",
      details: { path: "slug", slug: group.slug },
    });
  }
  const added = storable(FaqGroup, { ...group, items: withIds("faq", items, now) });
  return others.toSpliced(position ?? usual, 0, added);
}
