import { requireReferences } from "#shared/http/references.ts";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { AnnouncementInput } from "#functions/admin-content/announcement.ts";
import { storable } from "#functions/admin-content/input.ts";
import { featuredReferencesOf, homeReferencesOf } from "#functions/admin-content/references.ts";
import { Announcement, Faqs, Menus, SofaLanding } from "#shared/domain/content.ts";
import { exportedRecords } from "#shared/domain/exported-records.ts";
import { Home, type HomeDraft, publishHome } from "#shared/domain/home.ts";
import { type Redirect, Redirects, flattenRedirects } from "#shared/domain/redirect.ts";
import { invalidField, invalidFields } from "#shared/http/errors.ts";
import { parsed } from "#shared/http/validation.ts";
import { recordActivity } from "#shared/storage/activity.ts";
import { is, isNew } from "#shared/storage/conditions.ts";
import { HomeDrafts, HomeVersions } from "#shared/storage/content-edits.ts";
import { LiveAnnouncement, LiveHome, LiveMenus, LiveSofaLanding } from "#shared/storage/content.ts";
import { changeFaqs, readFaqs } from "#shared/storage/faqs.ts";
import { changeRedirects, readRedirects } from "#shared/storage/redirects.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Write, put } from "#shared/storage/writes.ts";
import { type ImportRecord, type Importing, requireNotNewer } from "./importing.ts";

/** A document that the public sees as soon as it is saved. */
interface Single {
  readonly kind: string;
  readonly content: z.ZodObject;
  find(table: Table): Promise<{ version: number } | undefined>;
  /** The writes that store it over what was found, on condition that this is still there. */
  writes(
    after: object & { version: number },
    before: { version: number } | undefined,
    importing: Importing,
  ): Write[] | Promise<Write[]>;
  /** Throws AppError on what the rules refuse. @returns the content as it is stored */
  check?(content: object, importing: Importing): Promise<object>;
}

/** Of 100 that a transaction takes. */
const mostRows = 90;

const whileIs = (before: { version: number } | undefined) =>
  before ? is("version", before.version) : isNew;

function singleImport({ kind, content, find, writes, check }: Single): ImportRecord {
  const members = { ...content.shape, version: z.int().min(1) };
  const row: z.ZodType<{ version: number }> = z.strictObject(members);
  return async (data, importing) => {
    const { version, ...sent } = parsed(row, data);
    const { table, doing } = importing;
    const before = await find(table);
    if (before && isDeepStrictEqual({ ...sent, version: before.version }, before)) {
      return "unchanged";
    }
    if (before) requireNotNewer(before, { version }, importing);
    const safe = storable(content, sent);
    const checked = (await check?.(safe, importing)) ?? safe;
    const after = { ...checked, version: before ? before.version + 1 : version };
    const [head, ...rows] = await writes(after, before, importing);
    // A map of redirects may change in more places than a transaction takes.
    while (rows.length > mostRows) await table.transact(rows.splice(0, mostRows));
    await table.transact([
      ...(head ? [head] : []),
      ...rows,
      recordActivity(doing, `${kind}.update`, { kind, id: kind, label: kind }, { before, after }),
    ]);
    return before ? "updated" : "created";
  };
}

export const importFaqs = singleImport({
  kind: "faqs",
  content: Faqs.omit({ version: true }),
  async find(table) {
    const { groups, version } = await readFaqs(table);
    const contents = groups.map(({ slug, title, items }) => ({ slug, title, items }));
    return version > 0 ? { groups: contents, version } : undefined;
  },
  writes: async (after: Faqs, _before, { table, doing }) =>
    changeFaqs(await readFaqs(table), after.groups, doing.now).writes,
  async check(content) {
    const { groups } = content as Faqs;
    const twin = groups.findIndex(({ slug }, index) =>
      groups.slice(0, index).some((other) => other.slug === slug),
    );
    if (twin >= 0) throw invalidField(`groups.${twin}.slug`, "Another group has this slug.");
    return content;
  },
});

export const importMenus = singleImport({
  kind: "menus",
  content: Menus,
  find: (table) => table.get(LiveMenus, {}),
  writes: (after: Menus & { version: number }, before) => [put(LiveMenus, after, whileIs(before))],
});

export const importAnnouncement = singleImport({
  kind: "announcement",
  content: Announcement,
  find: (table) => table.get(LiveAnnouncement, {}),
  writes: (after: Announcement & { version: number }, before) => [
    put(LiveAnnouncement, after, whileIs(before)),
  ],
  check: async (content) => parsed(AnnouncementInput, content),
});

export const importSofaLanding = singleImport({
  kind: "sofa_landing",
  content: SofaLanding,
  find: (table) => table.get(LiveSofaLanding, {}),
  writes: (after: SofaLanding & { version: number }, before) => [
    put(LiveSofaLanding, after, whileIs(before)),
  ],
  async check(content, { table }) {
    await requireReferences(table, featuredReferencesOf((content as SofaLanding).featured));
    return content;
  },
});

export const importRedirects = singleImport({
  kind: "redirects",
  content: Redirects.omit({ version: true }),
  async find(table) {
    const { redirects, version } = await readRedirects(table);
    const contents = redirects.map(({ from, to, status }) => ({ from, to, status }));
    return version > 0 ? { redirects: contents, version } : undefined;
  },
  writes: async (after: Redirects, _before, { table, doing }) =>
    changeRedirects(await readRedirects(table), after.redirects, doing.now).writes,
  async check(content, { hosts }) {
    const { redirects } = content as { redirects: Redirect[] };
    const flattened = flattenRedirects(redirects, hosts);
    if (!flattened.ok) throw invalidFields(flattened.problems);
    return { redirects };
  },
});

const HomeRow = z.strictObject(exportedRecords.content.home.shape);
const HomeContent = Home.pick({ sections: true });

/** The homepage: its working copy, and what the public sees of it. */
export const importHome: ImportRecord = async (data, importing) => {
  const { live_copy, ...sent } = parsed(HomeRow, data);
  const { table, doing } = importing;
  if (sent.live_version !== null && sent.live_version !== sent.version && !live_copy) {
    throw invalidField("live_copy", "What the public sees of it is missing.");
  }
  const seen = sent.live_version === null ? null : (live_copy ?? publishHome(sent));
  const [before, live] = [await table.get(HomeDrafts, {}), await table.get(LiveHome, {})];
  const isSeenAnew = seen !== null && !isDeepStrictEqual(live?.sections, seen.sections);
  const isSame = isDeepStrictEqual(before?.sections, sent.sections);
  if (before && isSame && !isSeenAnew) return "unchanged";
  if (before) requireNotNewer(before, sent, importing);
  await requireReferences(table, homeReferencesOf(sent.sections));
  const { sections } = storable(HomeContent, { sections: sent.sections });
  const safeSeen = isSeenAnew
    ? { ...seen, ...storable(HomeContent, { sections: seen.sections }) }
    : null;
  const step = before
    ? nextHome(before, sections, safeSeen, doing.now)
    : { draft: { ...sent, sections }, live: safeSeen };
  const target = { kind: "homepage", id: "homepage", label: "Homepage" };
  await table.transact([
    put(HomeDrafts, step.draft, before ? is("version", before.version) : isNew),
    ...(step.live ? publishing(step.live, doing.actor.id, doing.now) : []),
    recordActivity(doing, `homepage.${step.live ? "publish" : "update"}`, target, {
      before,
      after: step.draft,
    }),
  ]);
  return before ? "updated" : "created";
};

/** The homepage after an import over one that is there; what is published counts as a version of its own. */
function nextHome(
  before: HomeDraft,
  sections: HomeDraft["sections"],
  seen: Home | null,
  now: Date,
): { draft: HomeDraft; live: Home | null } {
  if (!seen) {
    return { draft: { ...before, sections, version: before.version + 1 }, live: null };
  }
  const version = before.version + 1;
  const published_at = now.toISOString();
  const isAhead = !isDeepStrictEqual(seen.sections, sections);
  return {
    draft: {
      ...before,
      sections,
      published_at,
      live_version: version,
      version: isAhead ? version + 1 : version,
    },
    live: { sections: seen.sections, version, published_at },
  };
}

const publishing = (live: Home, published_by: string, now: Date): Write[] => [
  put(LiveHome, live),
  put(HomeVersions, {
    version: live.version,
    published_at: live.published_at ?? now.toISOString(),
    published_by,
    content: { sections: live.sections },
  }),
];
