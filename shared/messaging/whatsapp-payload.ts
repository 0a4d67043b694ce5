import * as z from "zod";
import type { MessageKey, MessageState, Received } from "../domain/inbox/message.ts";
import {
  type WhatsAppPerson,
  WhatsAppUserId,
  whatsAppNumber,
} from "../domain/inbox/whatsapp-number.ts";
import { parseMessageReference } from "./message-reference.ts";
import { WhatsAppMessage, aboutMessage, whatsAppContent } from "./whatsapp-words.ts";

/** A received message, with its sender. */
export interface Arrival extends Received {
  readonly sender: WhatsAppPerson & {
    /** The sender's user id until now, if WhatsApp has replaced it. */
    readonly former_id: string | null;
  };
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
const text = z.string().optional().catch(undefined);
const Contact = z.object({
  /** Missing, as `from` in messages, if the customer hides the number. */
  wa_id: text,
  user_id: text,
  profile: z.object({ name: text, username: text }).optional().catch(undefined),
});
type Contact = z.output<typeof Contact>;
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
    const known = contacts.flatMap((contact) => Contact.safeParse(contact).data ?? []);
    return messages.map((message) => arrivalOf(message, known, now));
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

/** Converts a profile name to the form in which names are stored. */
const oneLine = (name: string): string =>
  name
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, 100)
    .toWellFormed();

function arrivalOf(sent: unknown, contacts: readonly Contact[], now: Date): Arrival | undefined {
  const message = WhatsAppMessage.safeParse(sent).data;
  const at = message && timeOf(message.timestamp, now);
  if (!message || !at) return undefined;
  const contact = contacts.find((one) => isFrom(one, message));
  const sender = senderOf(message, contact);
  if (sender.phone === null && sender.user_id === null) return undefined;
  const { name, username } = contact?.profile ?? {};
  return {
    whatsapp_id: message.id,
    sender,
    name: oneLine(name ?? "") || oneLine(username ?? "") || null,
    at,
    reply_to: aboutMessage(message, sent),
    ...whatsAppContent(message, sent),
  };
}

const isFrom = ({ wa_id, user_id }: Contact, { from, from_user_id }: WhatsAppMessage): boolean =>
  (wa_id !== undefined && wa_id === from) || (user_id !== undefined && user_id === from_user_id);

/**
 * The sender of a message. A system message about a new user id names the new one and the one before; `from` is then the
 * number before.
 */
function senderOf(
  { from, from_user_id, system }: WhatsAppMessage,
  contact: Contact | undefined,
): Arrival["sender"] {
  const number = from ?? contact?.wa_id;
  const current = userIdOf(system?.user_id);
  const id = userIdOf(from_user_id) ?? userIdOf(contact?.user_id) ?? userIdOf(from);
  const former = userIdOf(system?.previous_user_id) ?? (current === null ? null : id);
  return {
    phone: (number !== undefined && whatsAppNumber(number)) || null,
    user_id: current ?? id,
    former_id: former === current ? null : former,
  };
}

const userIdOf = (id: string | undefined): string | null =>
  WhatsAppUserId.safeParse(id).data ?? null;

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
