import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { DynamoDBRecord } from "aws-lambda";
import type { FifoMessage } from "#shared/queues/queue.ts";
import { itemChange } from "#shared/storage/stream.ts";
import type { CatalogChange } from "../catalog-change.ts";
import type { DocumentChange } from "../document-change.ts";
import type { MarketingChange } from "../marketing-change.ts";
import type { MetricChange } from "../metric-change.ts";
import type { InboxFile } from "../inbox-file.ts";
import type { UploadDeleted } from "../media-message.ts";
import type { OutboxMessage } from "../outbox-message.ts";
import type { StaffChange } from "../staff-change.ts";
import { catalogChange, inboxFile, messageToSend, outboxMessage, staffChange } from "./changes.ts";
import { marketingChange } from "./marketing-changes.ts";
import { metricChange } from "./metric-changes.ts";
import { mediaUses, picturesOrdered, uploadGone } from "./media-changes.ts";
import { erasedIdChange } from "./erased-id-changes.ts";
import { documentChange } from "./document-changes.ts";
import { orderNameChange } from "./order-name-changes.ts";

/** The messages that a changed item causes, by queue. */
export interface Effects {
  readonly outbox: readonly OutboxMessage[];
  readonly media: readonly UploadDeleted[];
  readonly mediaUses: readonly FifoMessage[];
  readonly whatsApp: readonly FifoMessage[];
  readonly inboxFiles: readonly InboxFile[];
  readonly metrics: readonly MetricChange[];
  readonly orderNames: readonly { id: string }[];
  readonly documents: readonly DocumentChange[];
  readonly erasedIds: readonly { id: string }[];
  readonly marketing: readonly MarketingChange[];
  readonly catalogIndex: readonly CatalogChange[];
  readonly staffIndex: readonly StaffChange[];
}

/**
 * The effects of one record of the stream. A record in which only the row's cause has changed has no effects.
 *
 * @throws Error when the record cannot be read
 */
export function effectsOf(record: DynamoDBRecord): Effects {
  const item = itemChange(record);
  if (item.before && isDeepStrictEqual(item.before, item.after)) return noEffects;
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
    documents: listOf(documentChange(item)),
    erasedIds: listOf(erasedIdChange(item)),
    marketing: listOf(marketingChange(item)),
    catalogIndex: listOf(catalogChange(item)),
    staffIndex: listOf(staffChange(item)),
  };
}

const noEffects: Effects = {
  outbox: [],
  media: [],
  mediaUses: [],
  whatsApp: [],
  inboxFiles: [],
  metrics: [],
  orderNames: [],
  documents: [],
  erasedIds: [],
  marketing: [],
  catalogIndex: [],
  staffIndex: [],
};

/** A message about pictures. It has the same deduplication id each time the same record of the stream is read. */
function aboutMedia(
  { eventID = "" }: DynamoDBRecord,
  pk: string,
  kind: "shown" | "ordered",
  body: object,
): FifoMessage {
  return { body, group: hash("sha256", pk, "hex"), dedupe: `${eventID}-${kind}` };
}

const listOf = <Value>(value: Value | undefined): Value[] => (value === undefined ? [] : [value]);
