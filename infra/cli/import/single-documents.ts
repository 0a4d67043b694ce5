import { requireReferences } from "#shared/application/require-references.ts";
import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import { AnnouncementInput } from "#functions/admin-content/announcement.ts";
import { storable } from "#shared/application/content/document-input.ts";
import { landingReferences, homeReferences } from "#shared/domain/content/content-references.ts";
import { Announcement, Faqs, Menus, SofaLanding } from "#shared/domain/content/content.ts";
import type { ContentRecord } from "#shared/domain/export/exported-records.ts";
import { Home, type HomeDraft, publishHome } from "#shared/domain/content/home.ts";
import { type Redirect, Redirects, flattenRedirects } from "#shared/domain/content/redirect.ts";
import { invalidField, invalidFields } from "#shared/domain/request/app-error.ts";
import { parsed } from "#shared/domain/request/validation.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { is, isNew } from "#shared/storage/conditions.ts";
import { HomeDrafts, HomeVersions } from "#shared/storage/content/content-edits.ts";
import {
  PublishedAnnouncement,
  PublishedHome,
  PublishedMenus,
  PublishedSofaLanding,
} from "#shared/storage/content/content.ts";
import { schedulePublications } from "#shared/storage/content/due-publications.ts";
import { changeFaqs, readFaqs } from "#shared/storage/content/faqs.ts";
import { changeRedirects, readRedirects } from "#shared/storage/content/redirects.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Write, put } from "#shared/storage/writes.ts";
import { importedRows } from "./imported-rows.ts";
import { type ImportRecord, type Importing, completed, requireNotNewer } from "./importing.ts";

/** A document without a draft: the public sees it as soon as it is saved. */
interface Single {
  readonly kind: ContentRecord;
  readonly content: z.ZodObject;
  find(table: Table): Promise<{ version: number } | undefined>;
  /** Returns the writes that replace the stored document, on condition that it is unchanged. */
  writes(
    after: object & { version: number },
    before: { version: number } | undefined,
    importing: Importing,
  ): Write[] | Promise<Write[]>;
  /** Returns the content to store. Throws AppError if a rule refuses the content. */
  check?(content: object, importing: Importing): Promise<object>;
}

/** Rows per transaction, which takes at most 100 writes. */
const mostRows = 90;

const whileIs = (before: { version: number } | undefined) =>
  before ? is("version", before.version) : isNew;

function singleImport({ kind, content, find, writes, check }: Single): ImportRecord {
  const row: z.ZodType<{ version: number }> = importedRows.content[kind];
  return async (data, importing) => {
    const { table, audit } = importing;
    const before = await find(table);
    const { version, ...sent } = parsed(row, completed(data, before, importing));
    if (before && isDeepStrictEqual({ ...sent, version: before.version }, before)) {
      return "unchanged";
    }
    if (before) requireNotNewer(before, { version }, importing);
    const safe = storable(content, sent);
    const checked = (await check?.(safe, importing)) ?? safe;
    const after = { ...checked, version: before ? before.version + 1 : version };
    const [head, ...rows] = await writes(after, before, importing);
    // Redirects may change more rows than one transaction takes.
    while (rows.length > mostRows) await table.transact(rows.splice(0, mostRows));
    await table.transact([
      ...(head ? [head] : []),
      ...rows,
      recordActivity(audit, `${kind}.update`, { kind, id: kind, label: kind }, { before, after }),
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
  writes: async (after: Faqs, _before, { table, audit }) =>
    changeFaqs(await readFaqs(table), after.groups, audit.now).writes,
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
  find: (table) => table.get(PublishedMenus, {}),
  writes: (after: Menus & { version: number }, before) => [
    put(PublishedMenus, after, whileIs(before)),
  ],
});

export const importAnnouncement = singleImport({
  kind: "announcement",
  content: Announcement,
  find: (table) => table.get(PublishedAnnouncement, {}),
  writes: (after: Announcement & { version: number }, before) => [
    put(PublishedAnnouncement, after, whileIs(before)),
  ],
  check: async (content) => parsed(AnnouncementInput, content),
});

export const importSofaLanding = singleImport({
  kind: "sofa_landing",
  content: SofaLanding,
  find: (table) => table.get(PublishedSofaLanding, {}),
  writes: (after: SofaLanding & { version: number }, before) => [
    put(PublishedSofaLanding, after, whileIs(before)),
  ],
  async check(content, { table }) {
    await requireReferences(table, landingReferences(content as SofaLanding));
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
  writes: async (after: Redirects, _before, { table, audit }) =>
    changeRedirects(await readRedirects(table), after.redirects, audit.now).writes,
  async check(content, { hosts }) {
    const { redirects } = content as { redirects: Redirect[] };
    const flattened = flattenRedirects(redirects, hosts);
    if (!flattened.ok) throw invalidFields(flattened.problems);
    return { redirects };
  },
});

const HomeContent = Home.pick({ sections: true });
const homeTarget = { kind: "homepage", id: "homepage", label: "Homepage" } as const;

/** The writes of the published copy and its version. */
const publishing = (home: Home, { actor, now }: AuditContext): Write[] => [
  put(PublishedHome, home),
  put(HomeVersions, {
    version: home.version,
    published_at: home.published_at ?? now.toISOString(),
    published_by: actor.id,
    content: { sections: home.sections },
  }),
];

/** Imports the homepage's draft and published copy. */
export const importHome: ImportRecord = async (data, importing) => {
  const { table, audit } = importing;
  const [before, published] = [await table.get(HomeDrafts, {}), await table.get(PublishedHome, {})];
  const { published_copy, ...sent } = parsed(
    importedRows.content.home,
    completed(data, before, importing),
  );
  if (
    sent.published_version !== null &&
    sent.published_version !== sent.version &&
    !published_copy
  ) {
    throw invalidField("published_copy", "The published copy is missing.");
  }
  const seen = sent.published_version === null ? null : (published_copy ?? publishHome(sent));
  const isPublishedChanged =
    seen !== null && !isDeepStrictEqual(published?.sections, seen.sections);
  const isSame =
    isDeepStrictEqual(before?.sections, sent.sections) && before?.publish_at === sent.publish_at;
  if (before && isSame && !isPublishedChanged) return "unchanged";
  if (before) requireNotNewer(before, sent, importing);
  await requireReferences(table, homeReferences(sent));
  const { sections } = storable(HomeContent, { sections: sent.sections });
  const safePublished = isPublishedChanged
    ? { ...seen, ...storable(HomeContent, { sections: seen.sections }) }
    : null;
  const content = { sections, publish_at: sent.publish_at };
  const step = before
    ? nextHome(before, content, safePublished, audit.now)
    : { draft: { ...sent, ...content }, published: safePublished };
  await table.transact([
    put(HomeDrafts, step.draft, before ? is("version", before.version) : isNew),
    ...(step.published ? publishing(step.published, audit) : []),
    ...schedulePublications(homeTarget, before, step.draft, audit.actor.id),
    recordActivity(audit, `homepage.${step.published ? "publish" : "update"}`, homeTarget, {
      before,
      after: step.draft,
    }),
  ]);
  return before ? "updated" : "created";
};

/**
 * Returns the draft and the published copy that replace an existing homepage. If the two differ, each gets a version of
 * its own.
 */
function nextHome(
  before: HomeDraft,
  content: Pick<HomeDraft, "sections" | "publish_at">,
  seen: Home | null,
  now: Date,
): { draft: HomeDraft; published: Home | null } {
  if (!seen) {
    return { draft: { ...before, ...content, version: before.version + 1 }, published: null };
  }
  const version = before.version + 1;
  const published_at = now.toISOString();
  const isAhead = !isDeepStrictEqual(seen.sections, content.sections);
  return {
    draft: {
      ...before,
      ...content,
      published_at,
      published_version: version,
      version: isAhead ? version + 1 : version,
    },
    published: { sections: seen.sections, version, published_at },
  };
}
