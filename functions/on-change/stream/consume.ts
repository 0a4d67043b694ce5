import { hash } from "node:crypto";
import type { DynamoDBStreamEvent } from "aws-lambda";
import { itemChange } from "#shared/storage/stream.ts";
import type { FifoQueue } from "#shared/queues/queue.ts";
import { distinct } from "../distinct.ts";
import type { MessageToSend } from "../message-to-send.ts";
import { catalogChange, messageToSend, outboxMessage, staffChange } from "./changes.ts";
import type { Deps } from "./deps.ts";
import { figureMessages } from "./figure-changes.ts";
import { orderNameMessages } from "./order-name-changes.ts";
import { mediaUses, picturesOrdered, uploadGone } from "./media-changes.ts";

/**
 * The one reader of the table's stream: tells each queue what concerns it.
 * It fails or succeeds as a whole; a batch that is read again tells the views' queues the same deduplication id,
 * and the outbox's consumer knows what it has sent.
 */
export async function consume({ Records }: DynamoDBStreamEvent, deps: Deps): Promise<void> {
  const items = Records.map(itemChange);
  const batch = Records.map(({ eventID }) => eventID).join();
  const dedupe = hash("sha256", batch, "hex");
  const uses = items.flatMap((item) => {
    const messages = [mediaUses(item), picturesOrdered(item)];
    return messages.flatMap((message) => (message ? [{ pk: item.pk, message }] : []));
  });
  await Promise.all([
    deps.outbox.send(items.flatMap((item) => outboxMessage(item) ?? [])),
    sendInOrder(
      deps.whatsApp,
      items.flatMap((item) => messageToSend(item) ?? []),
    ),
    deps.figures.send(figureMessages(items)),
    deps.orderNames.send(orderNameMessages(items)),
    deps.media.send(items.flatMap((item) => uploadGone(item) ?? [])),
    ...uses.map(({ pk, message }, position) =>
      deps.mediaUses.send(message, {
        group: hash("sha256", pk, "hex"),
        dedupe: `${dedupe}-${position}`,
      }),
    ),
    tellView(
      deps.catalogView,
      items.flatMap((item) => catalogChange(item) ?? []),
      dedupe,
    ),
    tellView(
      deps.staffView,
      items.flatMap((item) => staffChange(item) ?? []),
      dedupe,
    ),
  ]);
}

/** A conversation's messages go one after the other, as they were written. */
async function sendInOrder(queue: FifoQueue, messages: readonly MessageToSend[]): Promise<void> {
  for (const message of messages) {
    await queue.send(message, { group: message.conversation_id, dedupe: message.id });
  }
}

/** All that concerns a view is of one group: its only writer works on one message after the other. */
async function tellView(
  queue: FifoQueue,
  changes: readonly object[],
  dedupe: string,
): Promise<void> {
  if (changes.length === 0) return;
  await queue.send({ changes: distinct(changes) }, { group: "view", dedupe });
}
