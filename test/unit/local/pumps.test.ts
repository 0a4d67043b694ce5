// @module-tag slow
import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { DynamoDBStreamEvent, SQSEvent } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type DynamoDb, startDynamoDb } from "#infra/local/emulators/dynamodb.ts";
import type { LocalFunction } from "#infra/local/functions/lambda.ts";
import { type ObjectStorage, startObjectStorage } from "#infra/local/emulators/object-storage.ts";
import { startQueuePump } from "#infra/local/events/queue-pump.ts";
import { startStreamPump } from "#infra/local/events/stream-pump.ts";
import { clientDefaults } from "#shared/runtime/aws-client.ts";
import { waitUntil } from "#test/support/stack/wait-until.ts";

const aFunction = <Event, Result>(
  handler: (event: Event) => Promise<Result>,
): LocalFunction<Event, Result> => ({ name: "toy", memoryMb: 128, timeoutSeconds: 10, handler });

const stops: (() => Promise<void>)[] = [];
const stopAll = async () => {
  for (const stop of stops.splice(0)) await stop();
};

describe("the local table stream", () => {
  let dynamoDb: DynamoDb;
  let client: DynamoDBClient;

  beforeEach(async () => {
    dynamoDb = await startDynamoDb({ tableName: "furniture" });
    client = new DynamoDBClient(clientDefaults(dynamoDb.endpoint));
  });
  afterEach(async () => {
    await stopAll();
    client.destroy();
    await dynamoDb.stop();
  });

  const put = (pk: string, value: string, sk = "TOY") =>
    client.send(
      new PutItemCommand({
        TableName: "furniture",
        Item: { pk: { S: pk }, sk: { S: sk }, value: { S: value } },
      }),
    );

  function pump(
    handler: (
      event: DynamoDBStreamEvent,
    ) => Promise<void | { batchItemFailures: { itemIdentifier: string }[] }>,
    { batchSize = 100, maxAgeMs = 3_600_000 } = {},
  ) {
    const problems: unknown[] = [];
    const stored: DynamoDBStreamEvent["Records"] = [];
    const started = startStreamPump({
      ...dynamoDb,
      batchSize,
      partitions: ["LIVE#", "STOCK#"],
      newIn: ["OUTBOX#"],
      rows: { partition: "CUSTOMER#", sortKeys: ["CART"] },
      maxAgeMs,
      store: async (records) => void stored.push(...records),
      target: aFunction(handler),
      report: (problem) => problems.push(problem),
    });
    stops.push(started.stop);
    return { ...started, problems, stored };
  }

  const valuesOf = ({ Records }: DynamoDBStreamEvent) =>
    Records.map(({ dynamodb }) => dynamodb?.NewImage?.["value"]?.S);

  test("delivers changes from before and after its start, in order and in batches", async () => {
    const batches: unknown[] = [];
    await put("LIVE#1", "a");
    await put("LIVE#2", "b");
    const { settled } = pump(async (event) => void batches.push(valuesOf(event)), {
      batchSize: 2,
    });
    await put("STOCK#1", "c");
    await settled();
    await put("LIVE#1", "d");
    await settled();
    expect(batches.flat()).toEqual(["a", "b", "c", "d"]);
    expect(batches[0]).toEqual(["a", "b"]);
  });

  test("sends records in Lambda's format: images, keys, time in seconds and the stream's ARN", async () => {
    const records: unknown[] = [];
    const { settled } = pump(async ({ Records }) => void records.push(...Records));
    await put("LIVE#1", "a");
    await put("LIVE#1", "b");
    await settled();
    expect(records[1]).toMatchObject({
      eventName: "MODIFY",
      eventSource: "aws:dynamodb",
      eventSourceARN: dynamoDb.streamArn,
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Number),
        Keys: { pk: { S: "LIVE#1" }, sk: { S: "TOY" } },
        OldImage: { value: { S: "a" } },
        NewImage: { value: { S: "b" } },
        SequenceNumber: expect.any(String),
      },
    });
  });

  test("skips changes outside the consumer's partitions and writes without changes", async () => {
    const values: unknown[] = [];
    const { settled } = pump(async (event) => void values.push(...valuesOf(event)));
    await put("CART#1", "a");
    await put("LIVE#1", "b");
    await put("LIVE#1", "b");
    await settled();
    expect(values).toEqual(["b"]);
  });

  test("delivers only the kinds of rows of a partition that the consumer selects", async () => {
    const values: unknown[] = [];
    const { settled } = pump(async (event) => void values.push(...valuesOf(event)));
    await put("CUSTOMER#1", "a");
    await put("CUSTOMER#1", "b", "CART");
    await settled();
    expect(values).toEqual(["b"]);
  });

  test("skips later changes of items in insert-only partitions", async () => {
    const values: unknown[] = [];
    const { settled } = pump(async (event) => void values.push(...valuesOf(event)));
    await put("OUTBOX#1", "a");
    await put("OUTBOX#1", "b");
    await put("LIVE#1", "c");
    await settled();
    expect(values).toEqual(["a", "c"]);
  });

  test("retries a failed batch before it delivers later ones", async () => {
    const values: unknown[] = [];
    let failures = 1;
    const { settled, problems } = pump(
      async (event) => {
        if (failures-- > 0) throw new Error("not yet");
        values.push(...valuesOf(event));
      },
      { batchSize: 1 },
    );
    await put("LIVE#1", "a");
    await put("LIVE#2", "b");
    await settled();
    expect(values).toEqual(["a", "b"]);
    expect(problems).toEqual([new Error("not yet")]);
  });

  test("retries from the first record that the function reports as failed", async () => {
    const batches: unknown[] = [];
    await Promise.all([put("LIVE#1", "a"), put("LIVE#1", "b"), put("LIVE#1", "c")]);
    const { settled } = pump(async (event) => {
      batches.push(event.Records.length);
      const second = event.Records[1]?.dynamodb?.SequenceNumber;
      return batches.length === 1 && second
        ? { batchItemFailures: [{ itemIdentifier: second }] }
        : undefined;
    });
    await settled();
    expect(batches).toEqual([3, 2]);
  });

  test("halves a batch that fails as a whole until the failing change is alone", async () => {
    const batches: unknown[] = [];
    for (const value of ["a", "b", "bad", "d"]) await put(`LIVE#${value}`, value);
    let failures = 4;
    const { settled } = pump(async (event) => {
      const values = valuesOf(event);
      batches.push(values);
      if (values.includes("bad") && failures-- > 0) throw new Error("not yet");
    });
    await settled();
    expect(batches).toEqual([
      ["a", "b", "bad", "d"],
      ["a", "b"],
      ["bad", "d"],
      ["bad"],
      ["bad"],
      ["bad"],
      ["d"],
    ]);
  });

  test("stores a change that fails until it is too old, and continues with later ones", async () => {
    const values: unknown[] = [];
    const { settled, stored } = pump(
      async (event) => {
        if (valuesOf(event).includes("bad")) throw new Error("never");
        values.push(...valuesOf(event));
      },
      { maxAgeMs: 0 },
    );
    await put("LIVE#1", "a");
    await put("LIVE#2", "bad");
    await put("LIVE#3", "c");
    await settled();
    expect(values).toEqual(["a", "c"]);
    expect(valuesOf({ Records: stored })).toEqual(["bad"]);
  });

  test("retries a change without limit until it is too old", { tags: "slow" }, async () => {
    let attempts = 0;
    const { settled, stored } = pump(async () => {
      if (++attempts < 12) throw new Error("not yet");
    });
    await put("LIVE#1", "a");
    await settled();
    expect([attempts, stored]).toEqual([12, []]);
  });

  test("stops immediately, even while a batch is retried", async () => {
    const { stop, problems } = pump(async () => Promise.reject(new Error("never")));
    await put("LIVE#1", "a");
    await waitUntil(() => expect(problems.length).toBeGreaterThan(1));
    const before = problems.length;
    await stop();
    // After the stop no attempt starts, but one may still be in progress.
    expect(problems.length - before).toBeLessThanOrEqual(1);
  });
});

describe("the local queue poller", () => {
  let storage: ObjectStorage;
  let client: SQSClient;
  let number = 0;

  // The emulator may deliver a message to a poll that was closed, so each test has its own queue.
  beforeEach(async () => {
    storage = await startObjectStorage();
    client = new SQSClient(clientDefaults(storage.endpoint));
  });
  afterEach(async () => {
    await stopAll();
    client.destroy();
    await storage.stop();
  });

  const send = (body: string, group = "toy") =>
    client.send(
      new SendMessageCommand({
        QueueUrl: storage.queueUrl("catalog-index"),
        MessageBody: body,
        MessageGroupId: group,
        MessageDeduplicationId: String(++number),
        MessageAttributes: { cause: { DataType: "String", StringValue: `of ${body}` } },
      }),
    );

  function pump(
    handler: (
      event: SQSEvent,
    ) => Promise<void | { batchItemFailures: { itemIdentifier: string }[] }>,
  ) {
    const started = startQueuePump({
      endpoint: storage.endpoint,
      queueUrl: storage.queueUrl("catalog-index"),
      batchSize: 10,
      target: aFunction(handler),
      waiting: (groups) => storage.waiting("catalog-index", groups),
      report: () => undefined,
    });
    stops.push(started.stop);
    return started;
  }

  const drained = () =>
    waitUntil(() => expect(storage.drained(new Set(["catalog-index"]))).toBe(true));

  test("delivers messages in Lambda's format and deletes them from the queue afterwards", async () => {
    const records: SQSEvent["Records"] = [];
    pump(async ({ Records }) => void records.push(...Records));
    await send("one");
    await send("two");
    await drained();
    expect(records.map(({ body }) => body)).toEqual(["one", "two"]);
    expect(records[0]).toMatchObject({
      eventSource: "aws:sqs",
      eventSourceARN: expect.stringMatching(/:catalog-index\.fifo$/),
      attributes: { MessageGroupId: "toy", ApproximateReceiveCount: "1" },
    });
  });

  test("delivers up to ten messages of a group together, and a failed one with those after it again", async () => {
    const numbers = Array.from({ length: 12 }, (_, position) => String(position + 1));
    for (const body of numbers) await send(body);
    await send("other", "another");
    const batches: string[][] = [];
    pump(async ({ Records }) => {
      batches.push(Records.map(({ body }) => body));
      for (const { body, messageAttributes, attributes } of Records) {
        expect(messageAttributes["cause"]).toMatchObject({ stringValue: `of ${body}` });
        expect(attributes.MessageGroupId).toBe(body === "other" ? "another" : "toy");
      }
      const failed = batches.length === 1 ? Records.filter(({ body }) => Number(body) >= 3) : [];
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });
    await drained();
    expect(batches[0]).toHaveLength(10);
    const ofGroup = batches.map((batch) => batch.filter((body) => body !== "other"));
    expect(ofGroup[0]).toEqual(numbers.slice(0, ofGroup[0]?.length));
    expect(ofGroup.slice(1).flat()).toEqual(numbers.slice(2));
    expect(ofGroup[1]?.length).toBeGreaterThan(1);
    expect(batches.flat().filter((body) => body === "other")).toHaveLength(1);
  });

  test.each([
    ["throws", async () => Promise.reject(new Error("not yet"))],
    [
      "reports it as failed",
      async ({ Records }: SQSEvent) => ({
        batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })),
      }),
    ],
  ])("delivers a message again if the function %s", async (_, fail) => {
    const counts: string[] = [];
    pump(async (event) => {
      counts.push(...event.Records.map(({ attributes }) => attributes.ApproximateReceiveCount));
      return counts.length === 1 ? fail(event) : undefined;
    });
    await send("again");
    await drained();
    expect(counts).toEqual(["1", "2"]);
  });

  test("stops immediately while it waits for messages", async () => {
    const { stop } = pump(async () => undefined);
    await client.send(
      new GetQueueAttributesCommand({
        QueueUrl: storage.queueUrl("catalog-index"),
        AttributeNames: ["All"],
      }),
    );
    const shorterPoll = client.send(
      new ReceiveMessageCommand({ QueueUrl: storage.queueUrl("outbox"), WaitTimeSeconds: 3 }),
    );
    const first = await Promise.race([
      stop().then(() => "stopped"),
      shorterPoll.then(() => "a shorter poll ended"),
    ]);
    expect(first).toBe("stopped");
    // The pump has closed its poll, but the emulator continues the poll until a message arrives.
    await send("the last message");
    await shorterPoll;
  });
});
