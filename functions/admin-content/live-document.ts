import * as z from "zod";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { isUnchanged, replace } from "#shared/application/edit.ts";
import { ifMatch } from "#shared/http/one-record.ts";
import {
  type Reference,
  newReferences,
  requireReferences,
} from "#shared/application/references.ts";
import { type Route, route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { type Condition, is, isNew } from "#shared/storage/conditions.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";
import type { Deps } from "./deps.ts";
import { storable } from "#shared/application/content/document-input.ts";

/** A document that exists once and has no draft: a saved change is public. */
export interface PublishedDocument {
  readonly path: string;
  readonly kind: string;
  /** The document's name in summaries, such as "menus" in "Replace the menus". */
  readonly what: string;
  readonly answer: z.ZodObject;
  readonly content: z.ZodType<object>;
  readonly input: z.ZodObject;
  readonly example: object;
  /** The response before the first save. */
  readonly unwritten: object;
  find(table: Table): Promise<{ version: number } | undefined>;
  put(document: { version: number }, condition: Condition): Write;
  /** The records that the content refers to. */
  references?(content: object): Reference[];
}

const versioned = (answer: z.ZodObject) =>
  answer.extend({
    version: z.int().min(0).meta({ description: "0 before the first save" }),
  });

export function publishedDocumentRoutes(of: PublishedDocument): Route<Deps>[] {
  const first = (_call: unknown, { table }: Deps) => of.find(table);
  const answer = versioned(of.answer);
  const form = editForm(of.input, answer);
  const target = {
    kind: of.kind,
    id: of.kind,
    label: `${of.what[0]?.toUpperCase()}${of.what.slice(1)}`,
  };

  const get = route({
    method: "GET",
    path: of.path,
    summary: `Get the ${of.what}`,
    description:
      "Before the first save, returns what the public sees by default, with `version` 0.",
    access: staff("content.view"),
    request: {},
    response: { status: 200, data: answer },
    first,
    async handle(call) {
      const version = call.first?.version ?? 0;
      return { data: { ...of.unwritten, ...call.first, version }, version };
    },
  });

  const put = route({
    method: "PUT",
    path: of.path,
    summary: `Replace the ${of.what}`,
    description: "There is no draft: changes are public within five seconds.",
    access: staff("content.edit"),
    request: { body: form.put.meta({ example: of.example }), headers: ifMatch },
    response: { status: 200, data: answer },
    errors: ["version_mismatch"],
    first,
    async handle(call, { table }: Deps) {
      const shown = { ...of.unwritten, version: 0, ...call.first };
      const content = storable(of.content, form.replaced(call.body, shown));
      const readAgain = () => of.find(table);
      return replace(call.first, readAgain, call.headers["if-match"], async (before) => {
        const after = { ...content, version: (before?.version ?? 0) + 1 };
        if (before && isUnchanged(before, after)) return { data: before, version: before.version };
        const references = await requireReferences(
          table,
          newReferences((before && of.references?.(before)) ?? [], of.references?.(content) ?? []),
        );
        await table.transact([
          ...references,
          of.put(after, before ? is("version", before.version) : isNew),
          recordActivity(auditContextOf(call), `${of.kind}.update`, target, { before, after }),
        ]);
        return { data: after, version: after.version };
      });
    },
  });

  return [get, put];
}
