import type { SQSEvent } from "aws-lambda";
import type { Shop } from "#shared/application/shop.ts";
import { blockAddresses } from "#shared/application/customer/block-addresses.ts";
import { recordErasedIds } from "#shared/application/customer/record-erased-ids.ts";
import { GivenUp, makeExport } from "#shared/application/export/make-export.ts";
import { moveMessages } from "#shared/application/inbox/move-messages.ts";
import { sendMessage } from "#shared/application/inbox/send-message.ts";
import { followMarketingChanges } from "#shared/application/marketing/follow-changes.ts";
import { countChanges } from "#shared/application/metrics/count-changes.ts";
import { storeMediaUses } from "#shared/application/upload/store-media-uses.ts";
import { ExportJobId } from "#shared/domain/export/export-job.ts";
import {
  ErasedIdChanges,
  MarketingChanges,
  MediaUsesMessage,
  MetricChanges,
  OrderNameChanges,
  WhatsAppWork,
} from "#shared/queues/queue-messages.ts";
import { followNames } from "#shared/storage/order/order-names.ts";
import { MailEvent, blockedBy, isTopicNotice } from "./mail-event.ts";
import { nameOfError, workInGroups, workInTurn, workThrough } from "./work-through.ts";

/*
 * The consumers of queues. Those whose modules take long to load, such as what decodes pictures or draws PDFs, stand in
 * files of their own.
 */

/** Updates the metrics. Safe to repeat, to interrupt and to run concurrently. */
export const onChangeMetrics = (
  { Records }: SQSEvent,
  shop: Shop<"table" | "log" | "settings" | "soldItems", "store">,
) => workThrough(Records, MetricChanges, (changes) => countChanges(changes, shop), shop.log);

/** Maximum number of orders per transaction. An order takes one row, and one more for each word of its names. */
const batchSize = 25;

/** Updates the search rows of orders' names. Safe to repeat, to run late and to run concurrently. */
export const onChangeOrderNames = ({ Records }: SQSEvent, { table, log }: Shop<"table" | "log">) =>
  workThrough(
    Records,
    OrderNameChanges,
    async (changes) => {
      const ids = changes.map(({ id }) => id);
      for (let start = 0; start < ids.length; start += batchSize)
        await followNames(table, ids.slice(start, start + batchSize));
    },
    log,
  );

/**
 * Records which items show which media, and keeps the pictures of orders. Safe to repeat and to run late: each
 * message updates its rows to the item's current content. Messages about one item share a FIFO group, so they are
 * never processed concurrently.
 */
export const onChangeMediaUses = ({ Records }: SQSEvent, { table, log }: Shop<"table" | "log">) =>
  workThrough(
    Records,
    // A message of this queue has one change, while `workThrough` expects a list.
    MediaUsesMessage.transform((message) => ({ changes: [message] })),
    (changes) => storeMediaUses(changes, table),
    log,
  );

/** Adds the ids of erased customers to the ledger of erased customers outside the table. Safe to repeat. */
export const onChangeErasedIds = (
  { Records }: SQSEvent,
  shop: Shop<"table" | "erasedIdLedger" | "log">,
) => workThrough(Records, ErasedIdChanges, (changes) => recordErasedIds(changes, shop), shop.log);

/**
 * Starts and ends subscriptions as buyers and customers have chosen, and schedules the checks that announce stock,
 * prices and abandoned carts, and that end the alerts of discontinued products. Safe to repeat and to run late: it decides from the current records and their times.
 */
export const onChangeMarketing = (
  { Records }: SQSEvent,
  shop: Shop<"table" | "log" | "now" | "randomBytes" | "settings", "checkout">,
) =>
  workThrough(
    Records,
    MarketingChanges,
    (changes) => followMarketingChanges(changes, shop),
    shop.log,
  );

/** Blocks addresses to which mail bounced permanently, or whose owner complained. Safe to repeat. */
export const onChangeMailEvents = ({ Records }: SQSEvent, shop: Shop<"table" | "log" | "now">) =>
  workInTurn(Records, {
    trigger: "mail_event",
    async work({ body }) {
      if (!isTopicNotice(body))
        await blockAddresses(blockedBy(MailEvent.parse(JSON.parse(body))), shop);
    },
    // Only the error's name is logged, because events contain addresses.
    failed: (error, message_id) =>
      shop.log.error("Bounce or complaint not processed: the queue retries it", {
        message_id,
        reason: nameOfError(error),
      }),
  });

/**
 * Runs exports. Safe to repeat: one worker leases the job, and a message about a finished or leased job is ignored.
 *
 * @throws GivenUp when a job has used up its attempts. The error raises an alarm, because the job's message may not
 *   be delivered again
 */
export const onChangeExports = (
  { Records }: SQSEvent,
  shop: Shop<"table" | "exportFiles" | "exportsQueue" | "log" | "now" | "staffIndexSource">,
) =>
  workInTurn(Records, {
    work: ({ messageId, body }) => makeExport(ExportJobId.parse(JSON.parse(body)), messageId, shop),
    failed(cause, message_id) {
      shop.log.error("Export failed", { message_id, cause });
      if (cause instanceof GivenUp) throw cause;
    },
  });

type WhatsAppShop = Shop<
  | "table"
  | "copyInboxFile"
  | "inboxFiles"
  | "log"
  | "mediaBaseUrl"
  | "now"
  | "whatsApp"
  | "whatsAppAccount"
>;

/**
 * Sends the WhatsApp messages of staff, in order within a conversation, and moves the messages of merged conversations.
 * A worker claims a message and sends it only while its state is `queued`, so a repeated delivery from the queue sends
 * nothing. WhatsApp has no idempotency keys. If WhatsApp's response is lost, the status webhook that follows changes the
 * state. A message is sent twice only after a crash or a timeout, if no status arrives before the next attempt. Marking
 * a message as sent before sending it could lose the message instead.
 */
export const onChangeWhatsapp = ({ Records }: SQSEvent, shop: WhatsAppShop) =>
  workInGroups(Records, {
    async work({ body }) {
      const work = WhatsAppWork.parse(JSON.parse(body));
      if (!("merged" in work)) return sendMessage(work, shop);
      return moveMessages(work.merged, shop);
    },
    // Only the error's name is logged, because the error's message may contain the text or the recipient.
    failed: (error, queue_message) =>
      shop.log.warn("WhatsApp message not sent or moved: the queue retries it", {
        queue_message,
        reason: nameOfError(error),
      }),
  });
