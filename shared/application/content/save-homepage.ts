import { type Home, type HomeDraft, publishHome } from "#shared/domain/content/home.ts";
import type { Saving } from "#shared/application/saving.ts";
import { is, isNew } from "#shared/storage/conditions.ts";
import { HomeDrafts, HomeVersions } from "#shared/storage/content/content-edits.ts";
import { PublishedHome } from "#shared/storage/content/content.ts";
import { schedulePublications } from "#shared/storage/content/due-publications.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { type Write, put } from "#shared/storage/writes.ts";

export const homeTarget = { kind: "homepage", id: "homepage", label: "Homepage" } as const;

/**
 * The draft after publishing, which clears `publish_at`. Unchanged if its current version is public and no time is set.
 */
export const publishedHome = (draft: HomeDraft, now: Date): HomeDraft =>
  draft.published_version === draft.version && draft.publish_at === null
    ? draft
    : {
        ...draft,
        version: draft.version + 1,
        publish_at: null,
        published_at: now.toISOString(),
        published_version: draft.version + 1,
      };

/**
 * Stores the homepage in one transaction with its published copy and version if it was published, its timer and the
 * activity record.
 *
 * @param before undefined if it was never saved
 * @throws Refused on a conflict
 */
export async function saveHomepage(
  verb: "update" | "publish" | "restore",
  { before, after }: { before: HomeDraft | undefined; after: HomeDraft },
  { table, audit, further = [] }: Saving,
): Promise<void> {
  await table.transact([
    ...further,
    put(HomeDrafts, after, before ? is("version", before.version) : isNew),
    ...(verb === "publish" ? publishing(publishHome(after), audit) : []),
    ...schedulePublications(homeTarget, before, after, audit.actor.id),
    recordActivity(audit, `homepage.${verb}`, homeTarget, { before, after }),
  ]);
}

/** The writes of the published copy and its version. */
export const publishing = (home: Home, { actor, now }: AuditContext): Write[] => [
  put(PublishedHome, home),
  put(HomeVersions, {
    version: home.version,
    published_at: home.published_at ?? now.toISOString(),
    published_by: actor.id,
    content: { sections: home.sections },
  }),
];
