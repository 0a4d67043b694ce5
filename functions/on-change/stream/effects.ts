import { hash } from "node:crypto";
import type { DynamoDBRecord } from "aws-lambda";
import type { FifoMessage } from "#shared/queues/queue.ts";
import { itemChange } from "#shared/storage/stream.ts";
import type { CatalogChange } from "../catalog-change.ts";
import type { MetricChange } from "../metric-change.ts";
import type { InboxFile } from "../inbox-file.ts";
import type { Departure } from "../media-message.ts";
import type { OutboxMessage } from "../outbox-message.ts";
import type { StaffChange } from "../staff-change.ts";
import { catalogChange, inboxFile, messageToSend, outboxMessage, staffChange } from "./changes.ts";
import { metricChange } from "./metric-changes.ts";
import { mediaUses, picturesOrdered, uploadGone } from "./media-changes.ts";
import { orderNameChange } from "./order-name-changes.ts";

/** The messages for each queue that follow from changed items. */
export interface Effects {
  readonly outbox: readonly OutboxMessage[];
  readonly media: readonly Departure[];
  readonly mediaUses: readonly FifoMessage[];
  readonly whatsApp: readonly FifoMessage[];
  readonly inboxFiles: readonly InboxFile[];
  readonly metrics: readonly MetricChange[];
  readonly orderNames: readonly { id: string }[];
  readonly catalogIndex: readonly CatalogChange[];
  readonly staffIndex: readonly StaffChange[];
}

/** The effects of one record of the stream. Throws when the record cannot be read. */
export function effectsOf(record: DynamoDBRecord): Effects {
  const item = itemChange(record);
  const sent = messageToSend(item);
  return {
    outbox: listOf(outboxMessage(item)),
    media: listOf(uploadGone(item)),
    mediaUses: [
      ...listOf(mediaUses(item)).map((message) => aboutMedia(record, item.pk, "shown", message)),
      ...listOf(picturesOrdered(item)).map((message) =>
        aboutMedia(record, item.pk, "ordered", message),
      ),
    ],
    // Messages of one conversation are sent in the order in which they were written.
    whatsApp: sent ? [{ body: sent, group: sent.conversation_id, dedupe: sent.id }] : [],
    inboxFiles: listOf(inboxFile(item)),
    metrics: listOf(metricChange(item)),
    orderNames: listOf(orderNameChange(item)),
    catalogIndex: listOf(catalogChange(item)),
    staffIndex: listOf(staffChange(item)),
  };
}

/** An event has the same id whenever and in whichever batch it is read. */
function aboutMedia(
  { eventID = "" }: DynamoDBRecord,
  pk: string,
  kind: "shown" | "ordered",
  body: object,
): FifoMessage {
  return { body, group: hash("sha256", pk, "hex"), dedupe: `${eventID}-${kind}` };
}

const listOf = <Value>(value: Value | undefined): Value[] => (value === undefined ? [] : [value]);
