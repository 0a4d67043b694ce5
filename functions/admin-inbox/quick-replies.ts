import * as z from "zod";
import { newId } from "#shared/domain/base/ids.ts";
import { QuickReply, QuickReplyInput } from "#shared/domain/inbox/quick-reply.ts";
import { answerOnce } from "#shared/application/create-once.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { change, edit, orNotFound } from "#shared/application/edit.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { CursorMeta, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import { type Call, route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import {
  QuickReplies,
  dropQuickReply,
  quickReplyPartition,
  saveQuickReply,
} from "#shared/storage/inbox/quick-replies.ts";
import type { Deps } from "./deps.ts";

const path = "/admin/inbox/quick-replies";
const list = { attribute: "pk", value: quickReplyPartition };
const example = {
  title: "On its way",
  text: "Hello {{customer_name}}, your order {{order_number}} is on its way.",
};
const form = editForm(QuickReplyInput, QuickReply);
const targetOf = ({ id, title }: QuickReply) => ({ kind: "quick_reply", id, label: title });
const answerOf = (reply: QuickReply) => ({ data: reply, version: reply.version });

export const listQuickReplies = route({
  method: "GET",
  path,
  summary: "List quick replies, oldest first",
  description:
    "Prepared texts for answers. Variables in them are filled in when a message is sent.",
  access: staff("inbox.view"),
  request: { query: CursorPage },
  response: { status: 200, data: z.array(QuickReply), meta: CursorMeta },
  async first({ query: { per_page, cursor } }, { table }: Deps) {
    const after = keyOfCursor(cursor, list);
    return table.query(QuickReplies, { partition: quickReplyPartition, limit: per_page, after });
  },
  async handle({ first: { records, next }, query: { per_page } }) {
    return { data: records, meta: { per_page, next_cursor: cursorOf(next, list) } };
  },
});

export const createQuickReply = route({
  method: "POST",
  path,
  summary: "Add a quick reply",
  description: "All staff who may reply can use it.",
  access: staff("inbox.reply"),
  idempotent: true,
  request: { body: QuickReplyInput.meta({ example }) },
  response: { status: 201, data: QuickReply },
  async handle(call, { table }: Deps) {
    const at = call.now.toISOString();
    const id = newId("qr", call.now);
    const fresh = { id, ...call.body, version: 1, created_at: at, updated_at: at };
    const creation = { route: `POST ${path}`, id, at: (created: string) => `${path}/${created}` };
    return answerOnce(creation, call, table, async (bind) => {
      const answer = answerOf(fresh);
      await table.transact([
        saveQuickReply(undefined, fresh),
        recordActivity(auditContextOf(call), "quick_reply.create", targetOf(fresh), {
          after: fresh,
        }),
        ...bind(answer),
      ]);
      return answer;
    });
  },
});

export const getQuickReply = route({
  method: "GET",
  path: `${path}/{id}`,
  summary: "Get a quick reply",
  description: "By id, with the `version` that `If-Match` takes.",
  access: staff("inbox.view"),
  request: { params: byId },
  response: { status: 200, data: QuickReply },
  first: ({ params }, { table }: Deps) => table.get(QuickReplies, params),
  handle: async ({ first }) => answerOf(orNotFound(first)),
});

const changing = {
  access: staff("inbox.reply"),
  response: { status: 200, data: QuickReply },
  errors: ["version_mismatch"],
} as const;

export const replaceQuickReply = route({
  ...changing,
  method: "PUT",
  path: `${path}/{id}`,
  summary: "Replace a quick reply",
  description: "Messages that were sent with it stay as they are.",
  request: { params: byId, headers: ifMatch, body: form.put.meta({ example }) },
  first: ({ params }, { table }: Deps) => table.get(QuickReplies, params),
  handle: async (call, deps) =>
    changed(call, call.headers["if-match"] ?? call.first?.version, form.replaced, deps),
});

export const changeQuickReply = route({
  ...changing,
  method: "PATCH",
  path: `${path}/{id}`,
  summary: "Update a quick reply",
  description: "Members that are left out stay as they are.",
  request: {
    params: byId,
    headers: ifMatch,
    body: form.patch.meta({ example: { title: example.title } }),
  },
  first: ({ params }, { table }: Deps) => table.get(QuickReplies, params),
  handle: async (call, deps) => changed(call, call.headers["if-match"], form.patched, deps),
});

export const deleteQuickReply = route({
  method: "DELETE",
  path: `${path}/{id}`,
  summary: "Delete a quick reply",
  description: "Messages that were sent with it stay as they are.",
  access: staff("inbox.reply"),
  request: { params: byId, headers: ifMatch },
  response: { status: 204 },
  errors: ["version_mismatch"],
  first: ({ params }, { table }: Deps) => table.get(QuickReplies, params),
  async handle(call, { table }) {
    const { params, first, headers } = call;
    const read = () => table.get(QuickReplies, params);
    await edit(first, read, headers["if-match"], (before) =>
      table.transact([
        dropQuickReply(before),
        recordActivity(auditContextOf(call), "quick_reply.delete", targetOf(before), { before }),
      ]),
    );
  },
});

type Editing = Pick<Call, "actor" | "requestId" | "now"> & {
  params: { id: string };
  body: object;
  first: QuickReply | undefined;
};

async function changed(
  call: Editing,
  expected: number | undefined,
  written: (sent: object, shown: object) => Partial<QuickReplyInput>,
  { table }: Deps,
) {
  const { params, body, first, now } = call;
  const read = () => table.get(QuickReplies, params);
  const reply = await change(first, read, expected, {
    change: (before) => ({
      ...before,
      ...written(body, before),
      version: before.version + 1,
      updated_at: now.toISOString(),
    }),
    save: (before, after) =>
      table.transact([
        saveQuickReply(before, after),
        recordActivity(auditContextOf(call), "quick_reply.update", targetOf(after), {
          before,
          after,
        }),
      ]),
  });
  return answerOf(reply);
}

export const routes = [
  listQuickReplies,
  createQuickReply,
  getQuickReply,
  replaceQuickReply,
  changeQuickReply,
  deleteQuickReply,
];
