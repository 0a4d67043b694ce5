import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { isUnchanged, replace } from "#shared/application/edit.ts";
import type { HomeDraft } from "#shared/domain/content/home.ts";
import type { ExpectedVersion } from "#shared/domain/request/app-error.ts";
import { HomeDrafts } from "#shared/storage/content/content-edits.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";
import { requireTimes } from "./document-store.ts";
import { saveHomepage } from "./save-homepage.ts";

/** The draft before the first save. */
export const unwrittenHome: HomeDraft = {
  sections: [],
  version: 0,
  publish_at: null,
  published_at: null,
  published_version: null,
};

export const readHomeDraft = (table: Table): Promise<HomeDraft | undefined> =>
  table.get(HomeDrafts, {});

export const nextHomeDraft = (before: HomeDraft): HomeDraft => ({
  ...before,
  version: before.version + 1,
});

export interface HomeCall extends AuditedCall {
  readonly headers: { readonly "if-match"?: ExpectedVersion };
  readonly permissions: readonly string[];
}

export interface HomeEdit {
  readonly verb: "update" | "publish" | "restore";
  change(before: HomeDraft): HomeDraft;
  /** Further writes for the transaction that stores the draft. */
  further?(before: HomeDraft): Promise<Write[]>;
}

/**
 * Changes the draft of the homepage. If nothing changes, nothing is stored.
 *
 * @param first the draft, as the request has read it; undefined before the first save
 * @returns the draft after the change
 * @throws AppError `version_mismatch`, `forbidden`, `validation_failed`
 */
export async function changeHomepage(
  call: HomeCall,
  first: HomeDraft | undefined,
  { verb, change, further = async () => [] }: HomeEdit,
  table: Table,
): Promise<HomeDraft> {
  const readAgain = () => readHomeDraft(table);
  return replace(first, readAgain, call.headers["if-match"], async (before) => {
    const draft = before ?? unwrittenHome;
    const after = change(draft);
    if (before && isUnchanged(before, after)) return before;
    if (verb !== "publish") requireTimes(before, after, call);
    await saveHomepage(
      verb,
      { before, after },
      { table, audit: auditContextOf(call), further: await further(draft) },
    );
    return after;
  });
}
