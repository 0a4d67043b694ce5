import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import {
  type LiveDocument,
  replaceLiveDocument,
} from "#shared/application/content/replace-live-document.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { ifMatch } from "#shared/http/one-record.ts";
import { type Route, route, staff } from "#shared/http/route.ts";

/** The routes of a document that exists once and has no draft. */
export interface PublishedDocument extends LiveDocument {
  readonly path: string;
  readonly answer: z.ZodObject;
  readonly input: z.ZodObject;
  readonly example: object;
  /** The response before the first save. */
  readonly unwritten: object;
}

const versioned = (answer: z.ZodObject) =>
  answer.extend({
    version: z.int().min(0).meta({ description: "0 before the first save" }),
  });

export function publishedDocumentRoutes(of: PublishedDocument): Route<Shop<"table">>[] {
  const first = (_call: unknown, { table }: Shop<"table">) => of.find(table);
  const answer = versioned(of.answer);
  const form = editForm(of.input, answer);

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
    async handle(call, { table }: Shop<"table">) {
      const shown = { ...of.unwritten, version: 0, ...call.first };
      const sent = form.replaced(call.body, shown);
      const saved = await replaceLiveDocument(of, { call, first: call.first, sent }, table);
      return { data: saved, version: saved.version };
    },
  });

  return [get, put];
}
