import type { Shop } from "#shared/application/shop.ts";
import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { DynamoDBRecord } from "aws-lambda";
import { membersOf } from "#shared/domain/base/members.ts";
import { countableEvent } from "#shared/domain/metrics/event-metrics.ts";
import type { FifoMessage, FifoQueue, Queue } from "#shared/queues/queue.ts";
import type { Cause } from "#shared/runtime/cause.ts";
import { ErasedIds } from "#shared/storage/customer/erased-ids.ts";
import { recordOf } from "#shared/storage/entity.ts";
import { AnalyticsEvents } from "#shared/storage/metrics/analytics-events.ts";
import type { OutboxMessage } from "#shared/storage/outbox.ts";
import { picturedNames } from "#shared/storage/pictured-entities.ts";
import { type Image, type ItemChange, itemChange } from "#shared/storage/stream.ts";
import { mailDelaySeconds } from "#shared/application/document/carried-document.ts";
import type {
  CatalogChange,
  DocumentChange,
  InboxFile,
  MarketingChange,
  MetricChange,
  OrderNameChange,
  PicturesOrdered,
  PicturesShown,
  StaffChange,
  UploadDeleted,
  WhatsAppWork,
} from "#shared/queues/queue-messages.ts";
import { cardStock, lowStock, metricStock, moreStock, offeredProduct } from "./catalog-changes.ts";
import { cartInUse, consentOfCustomer } from "./customer-changes.ts";
import { inboxFile, mergedConversation, messageInState, messageToSend } from "./inbox-changes.ts";
import { picturesOrdered, picturesShown, uploadDeleted } from "./media-changes.ts";
import {
  arrivalOfOrder,
  consentOfOrder,
  creditOfOrder,
  documentsOfOrder,
  documentsOfQuote,
  namesOfOrder,
  voucherOfOrder,
} from "./order-changes.ts";

/** What a change tells each queue. */
export interface EffectMessages {
  readonly outbox: OutboxMessage;
  readonly media: UploadDeleted;
  readonly mediaUses: PicturesShown | PicturesOrdered;
  readonly whatsApp: WhatsAppWork;
  readonly inboxFiles: InboxFile;
  readonly metrics: MetricChange;
  readonly orderNames: OrderNameChange;
  readonly documents: DocumentChange;
  readonly erasedIds: { readonly id: string };
  readonly marketing: MarketingChange;
  readonly catalogIndex: CatalogChange;
  readonly staffIndex: StaffChange;
}
export type EffectQueue = keyof EffectMessages;

/** The message of a change for each queue; undefined if the change does not concern the queue. */
type Rules = {
  readonly [Name in EffectQueue]?: (change: ItemChange) => EffectMessages[Name] | undefined;
};

/** The members on which an order's figures depend and which may change after it was placed. */
const countedMembers = ["status", "paid", "refunded", "received", "current"];

/** The effects of changes by entity, besides those of pictures. */
const rulesByEntity: Readonly<Record<string, Rules>> = {
  outbox: { outbox: whenNew(({ id }) => ({ id: String(id) })) },
  erased_id: { erasedIds: whenNew((row) => ({ id: recordOf(ErasedIds, row).id })) },

  order: {
    documents: documentsOfOrder,
    marketing: consentOfOrder,
    mediaUses: picturesOrdered,
    metrics: whenDifferent(countedMembers, ({ id }) => countAgain("order", id)),
    orderNames: namesOfOrder,
  },
  order_change: {
    documents: creditOfOrder,
    metrics: whenNew(({ pk }) => countAgain("order", nameIn(String(pk)))),
  },
  order_return: { metrics: ({ pk }) => countAgain("order", nameIn(pk)) },
  order_shipment: { metrics: arrivalOfOrder },
  order_transaction: { documents: voucherOfOrder },
  customer: { marketing: consentOfCustomer },
  cart: { marketing: cartInUse },
  lead: { metrics: whenDifferent(["status"], ({ id }) => countAgain("lead", id)) },
  quote: {
    documents: documentsOfQuote,
    metrics: whenDifferent(["status"], ({ id }) => countAgain("quote", id)),
  },

  // A repeated event only changes its row, and an expired event is deleted: neither is counted.
  analytics_event: {
    metrics: whenNew((row) => ({
      kind: "event",
      ...countableEvent(recordOf(AnalyticsEvents, row)),
    })),
  },
  conversation: {
    metrics: ({ before, after }) =>
      before ? undefined : countAgain("conversation", after?.["id"]),
    whatsApp: mergedConversation,
  },
  message: {
    inboxFiles: inboxFile,
    metrics: messageInState,
    whatsApp: messageToSend,
  },

  stock: {
    catalogIndex: cardStock,
    marketing: moreStock,
    metrics: metricStock,
    staffIndex: lowStock,
  },
  product: {
    marketing: offeredProduct,
    staffIndex: ({ pk }) => ({ kind: "product", id: nameIn(pk) }),
  },
  sofa: {
    staffIndex: ({ pk }) => ({ kind: "sofa", id: nameIn(pk) }),
  },
  material: {
    staffIndex: ({ pk }) => ({ kind: "material", id: nameIn(pk) }),
  },
  published_product: {
    catalogIndex: ({ pk }) => ({ kind: "product", slug: nameIn(pk) }),
  },
  published_sofa: {
    catalogIndex: ({ pk }) => ({ kind: "sofa", slug: nameIn(pk) }),
  },
  published_material: {
    catalogIndex: ({ pk }) => ({ kind: "material", code: nameIn(pk) }),
  },
  categories: {
    catalogIndex: () => ({ kind: "categories" }),
  },
  settings: {
    catalogIndex: ({ before, after }) =>
      (after ?? before)?.["group"] === "search" ? { kind: "search-settings" } : undefined,
  },

  published_page: {
    catalogIndex: ({ pk }) => ({ kind: "page", slug: nameIn(pk) }),
  },
  published_story: {
    catalogIndex: ({ pk }) => ({ kind: "story", slug: nameIn(pk) }),
  },
  published_sofa_landing: {
    catalogIndex: () => ({ kind: "sofa-landing" }),
  },
  media_item: { media: uploadDeleted },
  fabric_upload: { media: uploadDeleted },
};

/** The effects of changes: by entity, which queues its changes concern, and the message for each. */
export const rulesOf: Readonly<Record<string, Rules>> = {
  ...rulesByEntity,
  ...Object.fromEntries(
    picturedNames.map((name) => [name, { ...rulesByEntity[name], mediaUses: picturesShown }]),
  ),
};

/** A change's message for one queue. */
export interface Effect<Name extends EffectQueue> {
  readonly record: DynamoDBRecord;
  readonly cause: Cause;
  readonly message: EffectMessages[Name];
}

type Send<Name extends EffectQueue> = (
  effects: readonly Effect<Name>[],
  queue: Shop<`${EffectQueue}Queue`>[`${Name}Queue`],
  dedupe: string,
) => Promise<void>;

/** How the messages of a batch of changes are sent to each queue. `dedupe` identifies the batch. */
export const senders: { readonly [Name in EffectQueue]: Send<Name> } = {
  outbox: sendMails,
  media: sendEach,
  mediaUses: (effects, queue) =>
    sendInOrder(queue, effects, ({ record: { eventID = "", dynamodb }, message }) => ({
      group: hash("sha256", dynamodb?.Keys?.["pk"]?.S ?? "", "hex"),
      // The same each time the same record of the stream is read.
      dedupe: `${eventID}-${"ordered" in message ? "ordered" : "shown"}`,
    })),
  // Messages of one conversation are sent in the order in which they were written, and moved after that.
  whatsApp: (effects, queue) =>
    sendInOrder(queue, effects, ({ message }) =>
      "merged" in message
        ? { group: message.merged, dedupe: `merged-${message.merged}` }
        : { group: message.conversation_id, dedupe: message.id },
    ),
  inboxFiles: sendEach,
  metrics: (effects, queue) => queue.send(changeMessages("metrics", messagesIn(effects))),
  orderNames: (effects, queue) => queue.send(changeMessages("orderNames", messagesIn(effects))),
  documents: (effects, queue) => queue.send(changeMessages("documents", messagesIn(effects))),
  erasedIds: (effects, queue) => queue.send(changeMessages("erasedIds", messagesIn(effects))),
  marketing: (effects, queue) => queue.send(changeMessages("marketing", messagesIn(effects))),
  catalogIndex: sendToIndex,
  staffIndex: sendToIndex,
};

/** Maximum number of changes per message, which the consumer can process in one transaction or before its timeout. */
const mostChanges: { readonly [Name in EffectQueue]?: number } = { metrics: 40, marketing: 20 };

/** The distinct changes, in as few messages as the queue's consumer allows. */
export function changeMessages<Name extends EffectQueue>(
  name: Name,
  changes: readonly EffectMessages[Name][],
): { changes: EffectMessages[Name][] }[] {
  const once = distinct(changes);
  const most = mostChanges[name] ?? once.length;
  return Array.from({ length: Math.ceil(once.length / most) }, (_, position) => ({
    changes: once.slice(position * most, (position + 1) * most),
  }));
}

function distinct<Change>(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}

function messagesIn<Message>(effects: readonly { readonly message: Message }[]): Message[] {
  return effects.map(({ message }) => message);
}

/** One message for each change. */
function sendEach(
  effects: readonly { readonly message: object; readonly cause: Cause }[],
  queue: Pick<Queue, "send">,
): Promise<void> {
  return queue.send(messagesIn(effects), { causes: effects.map(({ cause }) => cause) });
}

/** Delays the mails that wait for a document. The consumer of documents enqueues them as soon as it is made. */
async function sendMails(
  effects: readonly Effect<"outbox">[],
  outbox: Pick<Queue, "send">,
): Promise<void> {
  const byDelay = Map.groupBy(effects, ({ message: { id } }) => mailDelaySeconds(id));
  for (const [delaySeconds, mails] of byDelay) {
    const causes = mails.map(({ cause }) => cause);
    await outbox.send(messagesIn(mails), { causes, delaySeconds });
  }
}

function sendInOrder<Each extends { readonly message: object; readonly cause: Cause }>(
  queue: FifoQueue,
  effects: readonly Each[],
  placeOf: (effect: Each) => Pick<FifoMessage, "group" | "dedupe">,
): Promise<void> {
  return queue.send(
    effects.map((effect) => ({ body: effect.message, ...placeOf(effect), cause: effect.cause })),
  );
}

/**
 * Sends all changes of a batch that concern a read model as one message. All such messages are in one group, because
 * the read model has a single writer. The message's cause combines the causes of its changes.
 */
function sendToIndex(
  effects: readonly { readonly message: object }[],
  queue: FifoQueue,
  dedupe: string,
): Promise<void> {
  return queue.send([{ body: { changes: distinct(messagesIn(effects)) }, group: "view", dedupe }]);
}

/** The messages that one change causes, by queue. */
export type Effects = { readonly [Name in EffectQueue]?: EffectMessages[Name] };

/**
 * The effects of one record of the stream. A record in which only the row's cause has changed has no effects.
 *
 * @throws Error when the record cannot be read
 */
export function effectsOf(record: DynamoDBRecord): Effects {
  const change = itemChange(record);
  if (change.before && isDeepStrictEqual(change.before, change.after)) return {};
  return Object.fromEntries(
    membersOf(rulesFor(change)).map(([name, messageOf]) => [name, messageOf(change)]),
  );
}

/** The message that a change causes for one queue; undefined if it causes none. */
export const messageTo = <Name extends EffectQueue>(
  name: Name,
  change: ItemChange,
): EffectMessages[Name] | undefined => rulesFor(change)[name]?.(change);

const rulesFor = ({ before, after }: ItemChange): Rules =>
  rulesOf[String((after ?? before)?.["entity"])] ?? {};

type Row = NonNullable<Image>;

/** A rule for new rows. */
function whenNew<Message>(messageOf: (row: Row) => Message) {
  return ({ before, after }: ItemChange): Message | undefined =>
    before === undefined && after ? messageOf(after) : undefined;
}

/** A rule for new and deleted rows, and for rows in which one of these members has changed. */
function whenDifferent<Message>(members: readonly string[], messageOf: (row: Row) => Message) {
  return ({ before, after }: ItemChange): Message | undefined => {
    const isSame = before && after && members.every((member) => before[member] === after[member]);
    return isSame ? undefined : messageOf(after ?? before ?? {});
  };
}

function countAgain(kind: "order" | "lead" | "quote" | "conversation", id: unknown): MetricChange {
  return { kind, id: String(id) };
}

/** The id, slug or code at the end of a partition key, such as `LIVE#product#oslo`. */
function nameIn(pk: string): string {
  return pk.split("#").at(-1) ?? "";
}
