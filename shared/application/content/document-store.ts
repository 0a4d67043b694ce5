import { newReferences } from "#shared/domain/base/references.ts";
import {
  referencesIn,
  requireReferences,
  requireUnused,
} from "#shared/application/require-references.ts";
import type { RecordStore } from "#shared/application/record-store.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { change, isUnchanged } from "#shared/application/edit.ts";
import {
  type SomeTimes,
  changedActions,
  editedTimes,
  noTimes,
  timeProblems,
} from "#shared/domain/base/publication-schedule.ts";
import { newState } from "#shared/domain/content/document.ts";
import { type ExpectedVersion, AppError, invalidFields } from "#shared/domain/request/app-error.ts";
import { covers } from "#shared/domain/staff/permission.ts";
import type { Table } from "#shared/storage/table.ts";
import type { DocumentKind, Draft } from "./document-kinds.ts";
import { type Verb, saveDocument } from "./save-document.ts";

/** Reads a draft. A single document that was never saved has version 0. */
export async function readDraft(
  { drafts, single }: DocumentKind,
  table: Table,
  id: string,
): Promise<Draft | undefined> {
  // The drafts of a kind have its type.
  return ((await table.get(drafts, { id })) as Draft | undefined) ?? single?.unwritten;
}

const asStored = (draft: Draft): Draft | undefined => (draft.version > 0 ? draft : undefined);

/**
 * Converts a request body to the content of a document.
 *
 * @throws AppError `validation_failed`, `payload_too_large`
 */
export type ContentOf = (sent: object, now: Date) => object;

/** Stores the drafts of one kind of document, with the times at which the schedule publishes them. */
export const documentStore = (
  kind: DocumentKind,
  contentOf: ContentOf,
): RecordStore<{ readonly table: Table }, SomeTimes, Draft> => ({
  newId: (_input, now) => kind.newId(now),
  read: (id, { table }) => readDraft(kind, table, id),
  async create(input, { id, audit, permissions, deps: { table }, bind }) {
    const content = contentOf(input, audit.now);
    const times = editedTimes(noTimes, input);
    requireDocumentTimes(undefined, times, { permissions, now: audit.now });
    const after = { id, ...content, ...newState(audit.now), ...times };
    const references = await requireReferences(table, referencesIn(kind.drafts, content));
    const further = [...references, ...(await bind(after))];
    await saveDocument(kind, "create", { before: undefined, after }, { table, audit, further });
    return after;
  },
  async update(before, change, { audit, permissions, deps: { table } }) {
    const content = contentOf({ ...before, ...change }, audit.now);
    const edited = { ...content, ...editedTimes(before, change) };
    const after = kind.next(before, edited, audit.now);
    const stored = asStored(before);
    if (stored && isUnchanged(before, after)) return before;
    requireDocumentTimes(before, after, { permissions, now: audit.now });
    const added = newReferences(
      referencesIn(kind.drafts, before),
      referencesIn(kind.drafts, content),
    );
    const further = await requireReferences(table, added);
    await saveDocument(kind, "update", { before: stored, after }, { table, audit, further });
    return after;
  },
  async remove(before, { audit, permissions, deps: { table } }) {
    if (kind.copyOf(before)) requirePublisher(permissions);
    const further = await requireUnused(table, ...kind.targetsOf(before));
    await saveDocument(kind, "delete", { before, after: undefined }, { table, audit, further });
    await table.clear(kind.partition(kind.namesOf(before).id));
  },
});

/** The call of a change of one document, and the document as the request has read it. */
export interface DocumentCall extends AuditedCall {
  readonly params: { readonly id?: string };
  readonly first: Draft | undefined;
}

export interface DocumentStep {
  readonly verb: Verb;
  readonly expected: ExpectedVersion;
  change(before: Draft): Draft;
}

/**
 * Changes a document outside its draft's form: publishes, unpublishes or restores it.
 *
 * @throws AppError `not_found`, `version_mismatch`, and what `change` throws
 */
export function stepDocument(
  kind: DocumentKind,
  call: DocumentCall,
  { verb, expected, change: step }: DocumentStep,
  table: Table,
): Promise<Draft> {
  return change(call.first, () => readDraft(kind, table, call.params.id ?? ""), expected, {
    change: step,
    save: (before, after) =>
      saveDocument(
        kind,
        verb,
        { before: asStored(before), after },
        { table, audit: auditContextOf(call) },
      ),
  });
}

/**
 * Checks the times of an edit. Editing a draft that the schedule will publish requires `content.publish`, because the
 * edit will become public.
 *
 * @throws AppError `forbidden`, `validation_failed`
 */
export function requireDocumentTimes(
  before: SomeTimes | undefined,
  after: SomeTimes,
  { permissions, now }: { permissions: readonly string[]; now: Date },
): void {
  const isTimed = typeof before?.publish_at === "string";
  if (isTimed || changedActions(before, after).length > 0) requirePublisher(permissions);
  const problems = timeProblems(before, after, now);
  if (problems.length > 0) throw invalidFields(problems);
}

/** @throws AppError `forbidden` */
export function requirePublisher(permissions: readonly string[]): void {
  if (covers(permissions, "content.publish")) return;
  throw new AppError("forbidden", { details: { permission: "content.publish" } });
}
