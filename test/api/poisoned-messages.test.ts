// @module-tag slow
import { randomUUID } from "node:crypto";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { describe, expect, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { type QueueName, queues } from "#functions/queues.ts";
import { lambdaContext } from "#infra/local/functions/lambda.ts";
import { loadConsumer } from "#infra/local/functions/load-consumer.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { aMessage } from "#test/support/emulators/queues.ts";
import { useShop } from "#test/support/stack/shop.ts";
import { tableOpeners } from "#test/support/stack/functions.ts";

const { environment } = await useShop();

const now = new Date();

/** Messages without an effect, because their records do not exist. */
const harmless: Record<QueueName, () => object> = {
  "catalog-index": () => ({ changes: [{ kind: "product", slug: randomUUID() }] }),
  "staff-index": () => ({ changes: [{ kind: "product", id: newId("prd", now) }] }),
  outbox: () => ({ id: `order_paid#${newId("ord", now)}` }),
  media: () => ({ gone: { id: newId("med", now), files: [] } }),
  "media-uses": () => ({ ordered: [newId("upl", now)] }),
  whatsapp: () => ({ conversation_id: newId("conv", now), id: newId("msg", now) }),
  "inbox-files": () => ({ conversation_id: newId("conv", now), id: newId("msg", now) }),
  exports: () => ({ requested_by: newId("stf", now), type: "media", format: "csv" }),
  metrics: () => ({ changes: [{ kind: "lead", id: newId("lead", now) }] }),
  documents: () => ({ changes: [{ kind: "order", id: newId("ord", now) }] }),
  "order-names": () => ({ changes: [{ id: newId("ord", now) }] }),
  "mail-events": () => ({
    eventType: "Bounce",
    bounce: { bounceType: "Transient", bouncedRecipients: [] },
  }),
  "erased-ids": () => ({ changes: [{ id: newId("cus", now) }] }),
  marketing: () => ({ changes: [{ kind: "order", id: newId("ord", now) }] }),
};

/**
 * Queues whose messages must be processed in order. For all other queues the order does not matter, because the
 * consumers read the current records.
 */
const ordered = new Set<QueueName>(["whatsapp"]);

const poisons = ["{", "null", '"text"', "{}", '{"changes":[{"kind":"nobody knows"}]}'];

const everyCase = consumers.flatMap((consumer) =>
  consumer.source.kind === "queue" ? [[consumer.source.queue, consumer] as const] : [],
);

test("these tests cover the consumer of every queue", () => {
  expect(everyCase.map(([name]) => name).toSorted()).toEqual(Object.keys(queues).toSorted());
});

describe("a consumer that cannot process one message of a batch", () => {
  test.each(everyCase)(
    "reports as failed only that message and, if the queue is ordered, later messages of its group: %s",
    async (queue, consumer) => {
      const target = await loadConsumer<SQSEvent>(consumer, environment, () => tableOpeners);
      const inGroup = (record: SQSRecord, group: string): SQSRecord => ({
        ...record,
        attributes: { ...record.attributes, MessageGroupId: group },
      });
      for (const body of poisons) {
        const before = inGroup(aMessage(harmless[queue]()), "one");
        const poisoned = inGroup({ ...aMessage({}), body }, "one");
        const behind = inGroup(aMessage(harmless[queue]()), "one");
        const beside = inGroup(aMessage(harmless[queue]()), "other");
        const answer = (await target.handler(
          { Records: [before, poisoned, behind, beside] },
          lambdaContext(target, randomUUID()),
        )) as SQSBatchResponse;
        const again = ordered.has(queue) ? [poisoned, behind] : [poisoned];
        expect([body, answer.batchItemFailures]).toEqual([
          body,
          again.map(({ messageId }) => ({ itemIdentifier: messageId })),
        ]);
      }
    },
  );
});
