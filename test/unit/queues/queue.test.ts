import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ObjectStorage, startObjectStorage } from "#infra/local/emulators/object-storage.ts";
import { batchesOf, openFifoQueue } from "#shared/queues/queue.ts";
import { clientDefaults } from "#shared/runtime/aws-client.ts";

let storage: ObjectStorage;
beforeAll(async () => {
  storage = await startObjectStorage();
});
afterAll(() => storage.stop());

const anEntry = fc.record(
  {
    MessageBody: fc.integer({ min: 1, max: 150_000 }).map((length) => "x".repeat(length)),
    MessageGroupId: fc.constantFrom("a", "b", "c", "d"),
  },
  { requiredKeys: ["MessageBody"] },
);

test("messages are sent to SQS in order, within its size limits, and with one message per group in each request", () => {
  fc.assert(
    fc.property(fc.array(anEntry, { maxLength: 40 }), (entries) => {
      const batches = batchesOf(entries);
      expect(batches.flat()).toEqual(entries);
      for (const batch of batches) {
        const bytes = batch.reduce((sum, { MessageBody }) => sum + MessageBody.length, 0);
        const groups = batch.flatMap(({ MessageGroupId }) => MessageGroupId ?? []);
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length).toBeLessThanOrEqual(10);
        expect(bytes).toBeLessThanOrEqual(262_144);
        expect(new Set(groups).size).toBe(groups.length);
      }
    }),
    { numRuns: 50 },
  );
});

test("ten small messages of different groups are sent to SQS in one request", () => {
  const entries = Array.from({ length: 95 }, (_, number) => ({
    MessageBody: "{}",
    MessageGroupId: String(number),
  }));
  expect(batchesOf(entries)).toHaveLength(10);
});

test("a FIFO queue stores a message once per deduplication id", async () => {
  const url = storage.queueUrl("media-uses");
  const message = (body: number, group: string) => ({ body, group, dedupe: `${group}-${body}` });
  const messages = [message(1, "a"), message(2, "a"), message(3, "b"), message(3, "b")];
  await openFifoQueue({ url, endpoint: storage.endpoint }).send(messages);
  const client = new SQSClient(clientDefaults(storage.endpoint));
  const received: Record<string, string[]> = { a: [], b: [] };
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ["MessageGroupId"],
      }),
    );
    if (Messages.length === 0) break;
    for (const { Body = "", Attributes, ReceiptHandle } of Messages) {
      received[Attributes?.MessageGroupId ?? ""]?.push(Body);
      await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
    }
  }
  client.destroy();
  expect(received).toEqual({ a: ["1", "2"], b: ["3"] });
});
