import * as z from "zod";
import { FaqGroup, Faqs } from "#shared/domain/content.ts";
import { Slug } from "#shared/domain/names.ts";
import { createOnce, creationHeaders } from "#shared/http/create-once.ts";
import { found } from "#shared/http/edit.ts";
import { AppError } from "#shared/http/errors.ts";
import { requireVersion } from "#shared/http/if-match.ts";
import { ifMatch } from "#shared/http/one-record.ts";
import { CursorMeta, CursorPage } from "#shared/http/paging.ts";
import { patchOf } from "#shared/http/patch.ts";
import { type Call, apiPrefix, route, staff } from "#shared/http/route.ts";
import { doingOf } from "#shared/http/staff-call.ts";
import { recordActivity } from "#shared/storage/activity.ts";
import { is, isNew } from "#shared/storage/conditions.ts";
import { LiveFaqs } from "#shared/storage/content.ts";
import { onFresh } from "#shared/storage/on-fresh.ts";
import { type Write, put } from "#shared/storage/writes.ts";
import type { Deps } from "./deps.ts";
import { entriesPage, requireUnchanged } from "./entries.ts";
import { partsOf, storable, withIds } from "./input.ts";

const { shape } = FaqGroup;
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

const first = (_call: unknown, { table }: Deps) => table.get(LiveFaqs, {});
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
  async handle(call, deps: Deps) {
    const { body, now } = call;
    const made = await createOnce(
      "POST /admin/faqs",
      call,
      deps.table,
      body.slug,
      async (further) =>
        write(
          await first(call, deps),
          { call, deps, verb: "create", slug: body.slug, further },
          (groups) => withGroup(groups, body, groups.length, now),
        ),
    );
    const headers = creationHeaders(`${apiPrefix}/admin/faqs`, made);
    return { ...answerOf(found(await first(call, deps)), made.id), headers };
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
  async handle(call, deps: Deps) {
    const { slug } = call.params;
    const groupAsRead = call.first?.groups.find((group) => group.slug === slug);
    const faqs = await save(call, deps, "update", slug, (groups, version) => {
      const { index, group, others } = taken(groups, slug);
      requireUnchanged(groupAsRead, group, version);
      return withGroup(others, call.body, index, call.now);
    });
    return answerOf(faqs, call.body.slug);
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
  async handle(call, deps: Deps) {
    const { slug } = call.params;
    const faqs = await save(call, deps, "update", slug, (groups) => {
      const { index, group, others } = taken(groups, slug);
      return withGroup(others, { ...group, ...call.body }, index, call.now);
    });
    return answerOf(faqs, call.body.slug ?? slug);
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
  async handle(call, deps: Deps) {
    const { slug } = call.params;
    await save(call, deps, "delete", slug, (groups) => taken(groups, slug).others);
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

interface Saving extends Pick<Call, "actor" | "requestId" | "now"> {
  readonly headers: z.output<typeof ifMatch>;
  readonly first: Faqs | undefined;
}

type Change = (groups: readonly FaqGroup[], version: number) => object[];

/** Saves what a change makes of the groups, on a fresh read when somebody else wrote in between. */
function save(
  call: Saving,
  deps: Deps,
  verb: "update" | "delete",
  slug: string,
  change: Change,
): Promise<Faqs> {
  return onFresh(
    call.first,
    () => first(call, deps),
    async (before) => {
      requireVersion(call.headers["if-match"], before?.version ?? 0);
      return write(before, { call, deps, verb, slug }, change);
    },
  );
}

interface Writing {
  readonly call: Parameters<typeof doingOf>[0];
  readonly deps: Deps;
  readonly verb: "create" | "update" | "delete";
  readonly slug: string;
  /** Writes of the same transaction. */
  readonly further?: readonly { write: Write }[];
}

/** Throws Refused when the groups are not those that were read any more. */
async function write(
  before: Faqs | undefined,
  { call, deps, verb, slug, further = [] }: Writing,
  change: Change,
): Promise<Faqs> {
  const { groups, version } = before ?? { groups: [], version: 0 };
  const changed = storable(Faqs, { groups: change(groups, version), version: version + 1 });
  const target = { kind: "faq_group", id: slug, label: slug };
  const states = { before: byName(groups), after: byName(changed.groups) };
  await deps.table.transact([
    ...further.map(({ write }) => write),
    put(LiveFaqs, changed, before ? is("version", version) : isNew),
    recordActivity(doingOf(call), `faq_group.${verb}`, target, states),
  ]);
  return changed;
}

/** So that the diff of a change names the group, not its place. */
const byName = (groups: readonly FaqGroup[]) =>
  Object.fromEntries(groups.map((group) => [group.slug, group]));
