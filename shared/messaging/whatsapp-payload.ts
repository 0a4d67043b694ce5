import * as z from "zod";
import type { MessageKey, MessageState, Received } from "../domain/inbox/message.ts";
import { type WhatsAppNumber, whatsAppNumber } from "../domain/inbox/whatsapp-number.ts";
import { parseMessageReference } from "./message-reference.ts";
import { WhatsAppMessage, aboutMessage, contentOf } from "./whatsapp-words.ts";

/** A received message, with its sender's number and name. */
export interface Arrival extends Received {
  readonly phone: WhatsAppNumber;
  readonly name: string | null;
}

/** A status update of a sent message. */
export interface StatusNews {
  readonly whatsapp_id: string;
  /** Key of the message; undefined unless WhatsApp returned a reference of ours. */
  readonly key: MessageKey | undefined;
  readonly state: Exclude<MessageState, "queued">;
  readonly at: string;
  readonly failure: { code: string; message: string } | null;
}

export interface WhatsAppNews {
  readonly arrivals: readonly Arrival[];
  readonly statuses: readonly StatusNews[];
  /** The number of items with an unknown shape. */
  readonly unreadable: number;
}

// WhatsApp adds members and kinds at any time. Unknown members and kinds are skipped, and an invalid item does not
// affect other items.
const Contact = z.object({
  wa_id: z.string(),
  profile: z.object({ name: z.string() }).optional(),
});
const Status = z.object({
  id: z.string().min(1).max(500),
  status: z.string(),
  timestamp: z.string(),
  biz_opaque_callback_data: z.string().optional(),
  errors: z
    .array(
      z.object({
        code: z.union([z.number(), z.string()]),
        title: z.string().optional(),
        message: z.string().optional(),
        error_data: z.object({ details: z.string().optional() }).optional(),
      }),
    )
    .optional(),
});
const someList = z.array(z.unknown()).catch([]);
const Change = z.object({
  field: z.literal("messages"),
  value: z.object({
    contacts: someList.default([]),
    messages: someList.default([]),
    statuses: someList.default([]),
  }),
});
const Payload = z.object({
  entry: z
    .array(z.object({ id: z.string().optional().catch(undefined), changes: someList.default([]) }))
    .catch([]),
});

/**
 * The messages and statuses in the body of a webhook.
 *
 * @param account the only business account to accept; null for any
 * @param now the current time, which replaces timestamps in the future
 */
export function whatsAppNews(body: unknown, account: string | null, now: Date): WhatsAppNews {
  const payload = Payload.safeParse(body).data ?? { entry: [] };
  const values = payload.entry
    .filter(({ id }) => account === null || id === account)
    .flatMap(({ changes }) => changes)
    .flatMap((change) => Change.safeParse(change).data?.value ?? []);
  const arrivals = values.flatMap(({ contacts, messages }) => {
    const names = namesIn(contacts);
    return messages.map((message) => arrivalOf(message, names, now));
  });
  const statuses = values.flatMap(({ statuses }) => statuses.map((one) => statusOf(one, now)));
  const read = <News>(all: (News | undefined)[]) => all.filter((one) => one !== undefined);
  const [parsedArrivals, parsedStatuses] = [read(arrivals), read(statuses)];
  return {
    arrivals: parsedArrivals,
    statuses: parsedStatuses,
    unreadable: arrivals.length + statuses.length - parsedArrivals.length - parsedStatuses.length,
  };
}

function namesIn(contacts: readonly unknown[]): Map<string, string> {
  return new Map(
    contacts.flatMap((each) => {
      const contact = Contact.safeParse(each).data;
      const name = contact?.profile && oneLine(contact.profile.name);
      return contact && name ? [[contact.wa_id, name] as const] : [];
    }),
  );
}

/** Converts a profile name to the form in which names are stored. */
const oneLine = (name: string): string =>
  name
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, 100)
    .toWellFormed();

function arrivalOf(
  sent: unknown,
  names: ReadonlyMap<string, string>,
  now: Date,
): Arrival | undefined {
  const message = WhatsAppMessage.safeParse(sent).data;
  const phone = message && whatsAppNumber(message.from);
  const at = message && timeOf(message.timestamp, now);
  if (!message || !phone || !at) return undefined;
  return {
    whatsapp_id: message.id,
    phone,
    name: names.get(message.from) ?? null,
    at,
    reply_to: aboutMessage(message, sent),
    ...contentOf(message, sent),
  };
}

const reportedStates = new Set(["sent", "delivered", "read", "failed"] as const);
const isTold = (status: string): status is StatusNews["state"] =>
  [...reportedStates].some((known) => known === status);

function statusOf(sent: unknown, now: Date): StatusNews | undefined {
  const status = Status.safeParse(sent).data;
  const at = status && timeOf(status.timestamp, now);
  if (!status || !at || !isTold(status.status)) return undefined;
  const [error] = status.errors ?? [];
  return {
    whatsapp_id: status.id,
    key: parseMessageReference(status.biz_opaque_callback_data),
    state: status.status,
    at,
    failure:
      status.status === "failed"
        ? {
            code: String(error?.code ?? "unknown"),
            message:
              error?.error_data?.details ??
              error?.message ??
              error?.title ??
              "WhatsApp gave no reason.",
          }
        : null,
  };
}

/** WhatsApp sends whole seconds, as digits. */
function timeOf(timestamp: string, now: Date): string | undefined {
  if (!/^\d{1,12}$/.test(timestamp)) return undefined;
  return new Date(Math.min(Number(timestamp) * 1000, now.getTime())).toISOString();
}
