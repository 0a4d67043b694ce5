import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { storable } from "#shared/application/content/document-input.ts";
import { isUnchanged, replace } from "#shared/application/edit.ts";
import {
  type Reference,
  newReferences,
  requireReferences,
} from "#shared/application/require-references.ts";
import type { ExpectedVersion } from "#shared/domain/request/app-error.ts";
import { type Condition, is, isNew } from "#shared/storage/conditions.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";
import type * as z from "zod";

/** A stored document. */
type Versioned = { readonly version: number };

/** How a document is stored that exists once and has no draft: a saved change is public. */
export interface LiveDocument {
  readonly kind: string;
  /** The document's name in summaries, such as "menus" in "Replace the menus". */
  readonly what: string;
  readonly content: z.ZodType<object>;
  find(table: Table): Promise<Versioned | undefined>;
  put(document: Versioned, condition: Condition): Write;
  /** The records that the content refers to. */
  references?(content: object): Reference[];
}

interface Replacement {
  readonly call: AuditedCall & { readonly headers: { readonly "if-match"?: ExpectedVersion } };
  /** The document, as the request has read it; undefined before the first save. */
  readonly first: Versioned | undefined;
  /** The content to store, not yet sanitized. */
  readonly sent: object;
}

/**
 * Replaces a document that has no draft.
 *
 * @returns the stored document; the present one if nothing changed
 * @throws AppError `validation_failed`, `payload_too_large`, `version_mismatch`
 */
export async function replaceLiveDocument(
  of: LiveDocument,
  { call, first, sent }: Replacement,
  table: Table,
): Promise<Versioned> {
  const content = storable(of.content, sent);
  const label = `${of.what[0]?.toUpperCase()}${of.what.slice(1)}`;
  const target = { kind: of.kind, id: of.kind, label };
  const readAgain = () => of.find(table);
  return replace(first, readAgain, call.headers["if-match"], async (before) => {
    const after = { ...content, version: (before?.version ?? 0) + 1 };
    if (before && isUnchanged(before, after)) return before;
    const references = await requireReferences(
      table,
      newReferences((before && of.references?.(before)) ?? [], of.references?.(content) ?? []),
    );
    await table.transact([
      ...references,
      of.put(after, before ? is("version", before.version) : isNew),
      recordActivity(auditContextOf(call), `${of.kind}.update`, target, { before, after }),
    ]);
    return after;
  });
}
