import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { type FoundReturn, openStaffReturn } from "#shared/application/order/create-return.ts";
import { readReturn, stepReturn } from "#shared/application/order/step-return.ts";
import { ReturnStatus } from "#shared/domain/order/returns/order-return.ts";
import { ReturnPatch, StaffReturnInput } from "#shared/domain/order/returns/return-input.ts";
import {
  AdminReturn,
  AdminReturnSummary,
  adminReturn,
  returnSummary,
} from "#shared/domain/order/returns/return-view.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { listRoute } from "#functions/list-route.ts";
import { CursorPage } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import type { KeyRange } from "#shared/storage/pages.ts";
import { StoredReturns, returnList, returnsIn } from "#shared/storage/order/orders.ts";

const answerOf = ({ record, found }: FoundReturn) => ({
  data: adminReturn(record, found),
  version: record.order.version,
});

export const listReturns = listRoute({
  path: "/admin/returns",
  summary: "List returns, newest first",
  description: "With `status`, those in one state: `requested` ones wait for an answer.",
  access: staff("returns.view"),
  query: CursorPage.extend({ status: ReturnStatus.optional() }),
  row: AdminReturnSummary,
  list({ query: { status } }, { table }: Shop<"table">) {
    const range: KeyRange = {
      ...(status === undefined
        ? { index: "gsi1", partition: returnList }
        : { index: "gsi2", partition: returnsIn(status) }),
      newestFirst: true,
    };
    return { range, page: (at) => table.page(StoredReturns, range, at) };
  },
  shown: (records) => records.map(returnSummary),
});

export const addReturn = route({
  method: "POST",
  path: "/admin/returns",
  summary: "Open a return for a buyer",
  description:
    "For what was delivered and is in no other return. Staff may go beyond the shop's window, its rule for made-to-order " +
    "goods and its wish for pictures.",
  access: staff("returns.edit"),
  idempotent: true,
  request: {
    body: StaffReturnInput.meta({
      example: {
        order: "FS-7K3M-92QX-4HT8",
        items: [{ id: "line_01JD0000000000000000000001", quantity: 1, reason: "damaged" }],
        wish: "exchange",
      },
    }),
  },
  response: { status: 201, data: AdminReturn },
  first: async (_call, { settings }: Shop<"table" | "settings", CommerceGroup>) =>
    settings.current(),
  async handle(call, shop) {
    const opened = await openStaffReturn(call, shop, call.first);
    return { ...answerOf(opened), headers: opened.headers };
  },
});

export const getReturn = route({
  method: "GET",
  path: "/admin/returns/{id}",
  summary: "Get a return",
  description: "Its `ETag` is the version of the order, which every step of the return raises.",
  access: staff("returns.view"),
  request: { params: byId },
  response: { status: 200, data: AdminReturn },
  first: ({ params }, shop: Shop<"table">) => readReturn(shop, params.id),
  handle: async ({ first }) => answerOf(orNotFound(first)),
});

export const changeReturn = route({
  method: "PATCH",
  path: "/admin/returns/{id}",
  summary: "Move a return on",
  description:
    "Sets the next status, or says when what stays the buyer's goes back. An inspection says for every item what was " +
    "accepted, refused and missing: accepted units come back, and lower the order's value by their worth less the fee. " +
    "What was received can be inspected and settled in one call. `refunded` pays what was received beyond the order's " +
    "value, at most what this return has credited. Gateway payments are refunded through the gateway before the " +
    "response; if it is slow or unreachable, the refund completes automatically. Repeating a call changes nothing; " +
    "while the gateway is processing the refund, a repeat returns 409 `in_progress`.",
  access: staff("returns.edit"),
  request: {
    params: byId,
    headers: ifMatch,
    body: ReturnPatch.meta({
      example: {
        status: "inspected",
        items: [{ id: "line_01JD0000000000000000000001", accepted: 1, goods: "restock" }],
      },
    }),
  },
  response: { status: 200, data: AdminReturn },
  errors: [
    "in_progress",
    "insufficient_stock",
    "invalid_transition",
    "payment_refused",
    "slot_taken",
    "version_mismatch",
  ],
  first: ({ params }, shop: Shop<"table" | "gateways" | "log" | "settings", CommerceGroup>) =>
    readReturn(shop, params.id),
  handle: async (call, shop) => answerOf(await stepReturn(call, call.first, shop)),
});

export const routes = [listReturns, addReturn, getReturn, changeReturn];
