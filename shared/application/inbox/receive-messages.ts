import type { Shop } from "#shared/application/shop.ts";
import { setTimeout as pause } from "node:timers/promises";
import {
  newConversation,
  rewritten,
  withMessage,
  type KnownConversations,
  conversationOfPerson,
  merged,
} from "#shared/domain/inbox/conversation.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { receivedMessage } from "#shared/domain/inbox/message.ts";
import { proofCodesOf, proofWrites } from "#shared/application/customer/prove-phone.ts";
import type { Arrival } from "#shared/messaging/whatsapp-payload.ts";
import { randomPauseAfter } from "#shared/runtime/back-off.ts";
import { addMessage, openInbox, saveConversations } from "#shared/storage/inbox/inbox.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";

/**
 * Maximum number of messages per transaction. It has two writes for each message, up to eight for conversations, their
 * names and the counters, and two for each phone that is proven.
 */
const maxPerTransaction = 33;
const pausesMs = { first: 30, longest: 300 };

/**
 * Stores each message of a customer once, even if WhatsApp delivers it repeatedly or out of order. A code that the
 * customer was asked to send proves the phone.
 */
export async function receiveMessages(
  arrivals: readonly Arrival[],
  shop: Shop<"table">,
  now: Date,
): Promise<void> {
  const distinct = new Map(arrivals.map((arrival) => [arrival.whatsapp_id, arrival]));
  const bySender = Map.groupBy(distinct.values(), ({ sender }) => JSON.stringify(sender));
  await Promise.all(
    Array.from(bySender.values(), async (all) => {
      for (let start = 0; start < all.length; start += maxPerTransaction) {
        await receiveFrom(all.slice(start, start + maxPerTransaction), shop, now);
      }
    }),
  );
}

/** Stores messages of one sender. */
async function receiveFrom(
  arrivals: readonly Arrival[],
  { table }: Shop<"table">,
  now: Date,
): Promise<void> {
  const [first] = arrivals;
  if (!first) return;
  const { sender } = first;
  const read = () =>
    openInbox(table).readPerson(
      sender,
      arrivals.map(({ whatsapp_id }) => whatsapp_id),
    );
  // Concurrent webhook calls may write to the same conversation, so retries back off.
  let attempt = 0;
  const readAgain = async () => {
    attempt += 1;
    await pause(randomPauseAfter(attempt, pausesMs));
    return read();
  };
  await retryOnConflict(await read(), readAgain, async ({ known, stored }) => {
    const fresh = arrivals.filter(({ whatsapp_id }) => !stored.has(whatsapp_id));
    if (fresh.length === 0) return;
    const { phone } = sender;
    const proofs = phone === null ? [] : await proofWrites(table, phone, proofCodesOf(fresh), now);
    await table.transact([...writesFor(sender, known, fresh, now), ...proofs]);
  });
}

function writesFor(
  sender: Arrival["sender"],
  known: KnownConversations,
  arrivals: readonly Arrival[],
  now: Date,
) {
  const found = conversationOfPerson(sender, known);
  const both = found?.other && merged(found.kept, found.other);
  const started =
    both?.kept ?? found?.kept ?? newConversation(sender, { id: newId("conv", now), now });
  const messages = arrivals.map(({ sender: _sender, name: _name, ...received }) =>
    receivedMessage(received, {
      id: newId("msg", momentOf(received.at, now)),
      conversation_id: started.id,
    }),
  );
  const name = arrivals.findLast(({ name }) => name !== null)?.name ?? started.name;
  const after = rewritten(messages.reduce(withMessage, { ...started, name }), now);
  const before = Object.values(known).find((one) => one?.id === started.id);
  return [
    ...saveConversations([
      { before, after },
      ...(both ? [{ before: found.other, after: rewritten(both.other, now) }] : []),
    ]),
    ...messages.flatMap(addMessage),
  ];
}

/** WhatsApp's timestamps have whole seconds; within a second, messages keep their order of arrival. */
function momentOf(at: string, now: Date): Date {
  const second = Date.parse(at);
  return new Date(Math.min(Math.max(now.getTime(), second), second + 999));
}
