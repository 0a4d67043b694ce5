import {
  type Reference,
  newReferences,
  requireReferences,
  requireUnused,
} from "#shared/application/require-references.ts";
import type { RecordStore } from "#shared/application/record-store.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { change, isUnchanged } from "#shared/application/edit.ts";
import { newId } from "#shared/domain/base/ids.ts";
import {
  type SomeTimes,
  changedActions,
  editedTimes,
  noTimes,
  timeProblems,
} from "#shared/domain/base/publication-schedule.ts";
import { type Document, newState, nextDraft } from "#shared/domain/content/document.ts";
import { type ExpectedVersion, AppError, invalidFields } from "#shared/domain/request/app-error.ts";
import { covers } from "#shared/domain/staff/permission.ts";
import type { Target } from "#shared/storage/catalog/references.ts";
import type { Table } from "#shared/storage/table.ts";
import { type DocumentStorage, type Verb, saveDocument } from "./save-document.ts";

type Content = Pick<Document, "slug" | "title">;

/** How one kind of document is read, checked and stored. */
export interface StoredDocumentKind {
  readonly prefix: "page" | "story";
  readonly storage: DocumentStorage;
  /** The partition of one document with its versions. */
  partition(id: string): string;
  find(table: Table, id: string): Promise<Document | undefined>;
  /** Converts a request body to stored content. Throws AppError `validation_failed`. */
  content(sent: object, now: Date): Content;
  references(content: Content): Reference[];
  /** The ids and slugs, of the draft and of the published copy, by which other records may refer to the document. */
  targets(document: Document): Target[];
}

/** Stores the drafts of one kind of document, with the times at which the schedule publishes them. */
export const documentStore = (
  kind: StoredDocumentKind,
): RecordStore<{ readonly table: Table }, SomeTimes, Document> => ({
  newId: (_input, now) => newId(kind.prefix, now),
  read: (id, { table }) => kind.find(table, id),
  async create(input, { id, audit, permissions, deps: { table }, bind }) {
    const content = kind.content(input, audit.now);
    const times = editedTimes(noTimes, input);
    requireTimes(undefined, times, { permissions, now: audit.now });
    const created = { id, ...content, ...newState(audit.now), ...times };
    const references = await requireReferences(table, kind.references(content));
    const further = [...references, ...(await bind(created))];
    await saveDocument(
      kind.storage,
      "create",
      { before: undefined, after: created },
      { table, audit, further },
    );
    return created;
  },
  async update(before, change, { audit, permissions, deps: { table } }) {
    const content = kind.content({ ...before, ...change }, audit.now);
    const after = nextDraft(before, { ...content, ...editedTimes(before, change) }, audit.now);
    if (isUnchanged(before, after)) return before;
    requireTimes(before, after, { permissions, now: audit.now });
    const added = newReferences(kind.references(before), kind.references(content));
    const references = await requireReferences(table, added);
    await saveDocument(
      kind.storage,
      "update",
      { before, after },
      { table, audit, further: references },
    );
    return after;
  },
  async remove(before, { audit, permissions, deps: { table } }) {
    if (before.published) requirePublisher(permissions);
    const unused = await requireUnused(table, ...kind.targets(before));
    await saveDocument(
      kind.storage,
      "delete",
      { before, after: undefined },
      { table, audit, further: unused },
    );
    await table.clear(kind.partition(before.id));
  },
});

/** The call of a change of one document, and the document as the request has read it. */
export interface DocumentCall extends AuditedCall {
  readonly params: { readonly id: string };
  readonly first: Document | undefined;
}

export interface DocumentStep {
  readonly verb: Verb;
  readonly expected: ExpectedVersion;
  change(before: Document): Document;
}

/**
 * Changes a document outside its draft's form: publishes, unpublishes or restores it.
 *
 * @throws AppError `not_found`, `version_mismatch`, and what `change` throws
 */
export function stepDocument(
  kind: StoredDocumentKind,
  call: DocumentCall,
  { verb, expected, change: step }: DocumentStep,
  table: Table,
): Promise<Document> {
  return change(call.first, () => kind.find(table, call.params.id), expected, {
    change: step,
    save: (before, after) =>
      saveDocument(kind.storage, verb, { before, after }, { table, audit: auditContextOf(call) }),
  });
}

/**
 * Checks the times of an edit. Editing a draft that the schedule will publish requires `content.publish`, because the
 * edit will become public.
 *
 * @throws AppError `forbidden`, `validation_failed`
 */
export function requireTimes(
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
