import type { Shop } from "#shared/application/shop.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import * as z from "zod";
import { stopAlert } from "#shared/application/marketing/request-alert.ts";
import { unsubscribeFromAll } from "#shared/application/marketing/unsubscribe-from-all.ts";
import { AlertKind } from "#shared/domain/marketing/product-alert.ts";
import { MessageResponse } from "#shared/http/message-response.ts";
import { anyone, route } from "#shared/http/route.ts";
import { UnsubscribeLinks, namedLink } from "#shared/storage/marketing/unsubscribe-links.ts";
import type { Table } from "#shared/storage/table.ts";

const Params = z.object({
  token: z.string().min(1).max(255).meta({ description: "Token of the link in the mail" }),
});

const readLink = (table: Table, token: string) => table.get(UnsubscribeLinks, namedLink(token));

export const getUnsubscribeLink = route({
  method: "GET",
  path: "/unsubscribe/{token}",
  summary: "Get what an unsubscribe link ends",
  description: "Changes nothing: mail programs open links to check them.",
  access: anyone,
  request: { params: Params },
  response: {
    status: 200,
    data: z.object({
      ends: z
        .enum(["everything", ...AlertKind.options])
        .meta({ description: "All marketing mail, or one product alert" }),
    }),
  },
  first: ({ params }, { table }: Shop<"table">) => readLink(table, params.token),
  async handle({ first }) {
    const { alert } = orNotFound(first);
    return { data: { ends: alert === null ? ("everything" as const) : alert.kind } };
  },
});

export const unsubscribe = route({
  method: "POST",
  path: "/unsubscribe/{token}",
  summary: "Unsubscribe with the link of a mail",
  description:
    "Ends the subscription with all product alerts of the address, or the one product alert that the " +
    "link belongs to. Mail programs send a form here (RFC 8058); the body may be empty. Repeating " +
    "the call changes nothing.",
  access: anyone,
  request: { params: Params, raw: { maxBytes: 16_384 } },
  response: { status: 200, data: MessageResponse },
  first: ({ params }, { table }: Shop<"table">) => readLink(table, params.token),
  async handle({ first, now }, { table }) {
    const { email, alert } = orNotFound(first);
    if (alert) await stopAlert(table, { email, ...alert }, now);
    else await unsubscribeFromAll(email, { table, now });
    return { data: { message: "You will receive no more of these mails." } };
  },
});

export const routes = [getUnsubscribeLink, unsubscribe];
