import { randomUUID } from "node:crypto";
import { marshall } from "@aws-sdk/util-dynamodb";
import type { DynamoDBRecord } from "aws-lambda";
import { describe, expect, test } from "vitest";
import { type StreamShop, onChangeStream } from "#functions/on-change/stream/read-stream.ts";
import type { EffectQueue } from "#functions/on-change/stream/effects.ts";
import { replay } from "#functions/on-change/stream/replay.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { aShop, silentLog } from "#test/support/shop/parts.ts";
import { anId } from "#test/support/shop/commerce.ts";
import { openFailedBatches } from "#infra/local/events/failed-batches.ts";
import type { ObjectStore } from "#shared/files/object-store.ts";
import type { FifoMessage } from "#shared/queues/queue.ts";

const queueNames: EffectQueue[] = [
  "catalogIndex",
  "staffIndex",
  "outbox",
  "media",
  "mediaUses",
  "whatsApp",
  "inboxFiles",
  "documents",
  "metrics",
  "orderNames",
  "marketing",
];

/** Objects in memory. */
function aBucket() {
  const objects = new Map<string, Uint8Array>();
  const bucket: ObjectStore = {
    async get(key) {
      const bytes = objects.get(key);
      if (!bytes) throw new Error(`There is no ${key}`);
      return bytes;
    },
    put: async (key, bytes) => void objects.set(key, bytes),
    remove: async (key) => void objects.delete(key),
  };
  return { bucket, keys: () => [...objects.keys()] };
}

/** Queues, some of which fail, and the messages that the others received. */
function queuesOf() {
  const taken: Record<string, unknown[]> = {};
  const delays: Record<string, number[]> = {};
  const broken = new Set<EffectQueue>();
  const { bucket, keys } = aBucket();
  const queues = Object.fromEntries(
    queueNames.map((name) => [
      `${name}Queue`,
      {
        async send(messages: readonly unknown[], { delaySeconds = 0 } = {}) {
          if (broken.has(name)) throw new Error(`${name} is broken`);
          (delays[name] ??= []).push(...messages.map(() => delaySeconds));
          (taken[name] ??= []).push(...messages);
        },
      },
    ]),
  ) as unknown as Pick<StreamShop, `${EffectQueue}Queue`>;
  const deps = aShop<StreamShop>({ ...queues, failedChangeFiles: bucket, log: silentLog });
  return { deps, taken, delays, broken, bucket, keys };
}

let sequence = 0;

function aRecord(pk: string, after: object): DynamoDBRecord {
  const record = {
    eventID: randomUUID(),
    eventName: "INSERT",
    dynamodb: {
      Keys: marshall({ pk, sk: "X" }),
      NewImage: marshall({ pk, sk: "X", ...after }),
      SequenceNumber: String(++sequence),
    },
  };
  return record as unknown as DynamoDBRecord;
}

const anOutboxEvent = (id: string) => aRecord(`OUTBOX#${id}`, { entity: "outbox", id });
const aMessage = (id: string) =>
  aRecord("CONVERSATION#c", { entity: "message", state: "queued", id, conversation_id: "c" });
function anOrder(id: string): DynamoDBRecord {
  const { items, ...order } = aPlacedOrder();
  return aRecord(`ORDER#${id}`, {
    ...order,
    entity: "order",
    id,
    items: items.map((item) => ({ ...item, upload_ids: ["upl_1"] })),
  });
}
const unreadable = (): DynamoDBRecord => {
  const record = anOutboxEvent("never");
  return { ...record, dynamodb: { ...record.dynamodb, NewImage: { pk: { X: "?" } } as never } };
};
const itemsOf = (...records: DynamoDBRecord[]) =>
  records.map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber }));

describe("the table's stream reader", () => {
  test("stores an unreadable record and enqueues the others", async () => {
    const { deps, taken, keys } = queuesOf();
    const bad = unreadable();
    const Records = [anOutboxEvent("a"), bad, anOutboxEvent("b")];
    expect(await onChangeStream({ Records }, deps)).toEqual({ batchItemFailures: [] });
    expect(taken["outbox"]).toEqual([{ id: "a" }, { id: "b" }]);
    expect(keys()).toEqual([`unreadable/${bad.eventID}.json`]);
  });

  test("delays a mail whose PDF is made after it for two minutes, and no other mail", async () => {
    const { deps, taken, delays } = queuesOf();
    const ids = ["order_placed#o", "order_paid#o", "quote_sent#q", "order_shipped#o#s"];
    await onChangeStream({ Records: ids.map(anOutboxEvent) }, deps);
    const sent = (taken["outbox"] as { id: string }[]).map(({ id }, position) => [
      id,
      delays["outbox"]?.[position],
    ]);
    expect(Object.fromEntries(sent)).toEqual({
      "order_placed#o": 0,
      "order_paid#o": 0,
      "quote_sent#q": 120,
      "order_shipped#o#s": 0,
    });
  });

  test("retries a record that it can neither read nor store", async () => {
    const { deps, bucket } = queuesOf();
    const bad = unreadable();
    const failedChangeFiles = {
      ...bucket,
      put: () => Promise.reject(new Error("no storage")),
    };
    const Records = [anOutboxEvent("a"), bad, anOutboxEvent("b")];
    const answer = await onChangeStream({ Records }, { ...deps, failedChangeFiles });
    expect(answer.batchItemFailures).toEqual(itemsOf(bad));
  });

  test.each<[EffectQueue, DynamoDBRecord]>([
    ["outbox", anOutboxEvent("x")],
    ["whatsApp", aMessage("m")],
    ["metrics", anOrder("o")],
    ["mediaUses", anOrder("p")],
    ["catalogIndex", aRecord("LIVE#product#oslo", { entity: "published_product" })],
    ["staffIndex", aRecord("PRODUCT#prd_1", { entity: "product", status: "draft" })],
  ])(
    "retries a batch from the first record that the queue %s did not accept",
    async (name, record) => {
      const { deps, broken } = queuesOf();
      broken.add(name);
      const other = aRecord("MATERIAL#m", { entity: "material" });
      const Records = [name === "staffIndex" ? anOutboxEvent("y") : other, record, record];
      const answer = await onChangeStream({ Records }, deps);
      expect(answer.batchItemFailures).toEqual(itemsOf(record));
    },
  );

  test("derives the id of a media message from event and kind, independent of the batch", async () => {
    const { deps, taken } = queuesOf();
    const page = aRecord("PAGE#p", {
      entity: "page",
      id: "p",
      blocks: [{ media: { url: `media://uploads/${anId("med")}/800.webp` } }],
    });
    const order = anOrder("o");
    await onChangeStream({ Records: [page, order] }, deps);
    await onChangeStream({ Records: [order] }, deps);
    const ids = (taken["mediaUses"] as FifoMessage[]).map(({ dedupe }) => dedupe);
    expect(ids.toSorted()).toEqual(
      [`${order.eventID}-ordered`, `${order.eventID}-ordered`, `${page.eventID}-shown`].toSorted(),
    );
  });
});

describe("a replay of stored table changes", () => {
  const streamArn = "arn:aws:dynamodb:us-east-1:000000000000:table/furniture/stream/1";

  test("enqueues a stored batch once, and deletes the stored object", async () => {
    const { deps, taken, bucket, keys } = queuesOf();
    const Records = Array.from({ length: 205 }, (_, number) => anOutboxEvent(String(number)));
    const store = openFailedBatches(bucket);
    await store(Records, { functionName: "on-change-stream", streamArn, attempts: 9 });
    const [key = ""] = keys();
    expect(key).toMatch(/^aws\/lambda\//);
    expect(await replay(key, deps)).toBe("replayed");
    expect(taken["outbox"]).toHaveLength(205);
    expect(keys()).toEqual([]);
  });

  test("keeps the stored object while a queue refuses its messages", async () => {
    const { deps, bucket, broken, keys } = queuesOf();
    broken.add("outbox");
    const store = openFailedBatches(bucket);
    await store([anOutboxEvent("a")], { functionName: "x", streamArn, attempts: 1 });
    const before = keys();
    await expect(replay(before[0] ?? "", deps)).rejects.toThrow("did not accept");
    expect(keys()).toEqual(before);
  });

  test("stores the unreadable records of a batch individually and keeps them", async () => {
    const { deps, taken, bucket, keys } = queuesOf();
    const bad = unreadable();
    const store = openFailedBatches(bucket);
    const Records = [anOutboxEvent("a"), bad];
    await store(Records, { functionName: "x", streamArn, attempts: 1 });
    expect(await replay(keys()[0] ?? "", deps)).toBe("replayed");
    expect(taken["outbox"]).toEqual([{ id: "a" }]);
    const single = `unreadable/${bad.eventID}.json`;
    expect(keys()).toEqual([single]);
    expect(await replay(single, deps)).toBe("unreadable");
    expect(keys()).toEqual([single]);
  });

  test("keeps a stored object that contains no records, and reports it", async () => {
    const { deps, bucket, keys } = queuesOf();
    await bucket.put("foreign", Buffer.from('{"payload":"{}"}'), "application/json");
    await expect(replay("foreign", deps)).rejects.toThrow("Records");
    expect(keys()).toEqual(["foreign"]);
  });
});
