import { marshall } from "@aws-sdk/util-dynamodb";
import type { DynamoDBRecord, SQSRecord } from "aws-lambda";
import { describe, expect, test } from "vitest";
import { effectsOf } from "#functions/on-change/stream/effects.ts";
import { workThrough } from "#functions/on-change/work-through.ts";
import { DocumentChanges } from "#shared/queues/queue-messages.ts";
import { type Cause, because, currentCause } from "#shared/runtime/cause.ts";
import { Outbox, publishEvent } from "#shared/storage/outbox.ts";
import { causeOfChange } from "#shared/storage/stream.ts";
import { update } from "#shared/storage/writes.ts";
import { aMessage } from "#test/support/emulators/queues.ts";

const pk = "LIVE#product#oslo";
const image = (members: object) =>
  marshall({ pk, sk: "LIVE", entity: "published_product", ...members });

function aChange(before: object | undefined, after: object | undefined): DynamoDBRecord {
  const record = {
    eventID: "e1",
    dynamodb: {
      Keys: marshall({ pk, sk: "LIVE" }),
      ...(before && { OldImage: image(before) }),
      ...(after && { NewImage: image(after) }),
    },
  };
  // The cast is safe: the SDK and the Lambda event declare the same attribute format in two packages.
  return record as unknown as DynamoDBRecord;
}

describe("a stored row", () => {
  const event = {
    type: "reset_password",
    to: "asha@example.com",
    name: "Asha",
    token: "a-token",
    expires_at: "2030-01-01T00:00:00.000Z",
  } as const;
  const now = new Date();

  test("names the request of its last write", () => {
    because({ request_id: "r1" }, () => {
      const written = publishEvent(event, now);
      expect(written).toMatchObject({ item: { cause: { request_id: "r1" } } });
      const changed = update(Outbox, { id: "o1" }, { set: { state: "sent" } });
      expect(changed).toMatchObject({ changes: { set: { cause: { request_id: "r1" } } } });
    });
  });

  test("names at most five requests of a batch", () => {
    because({ request_id: "r1 r2 r3 r4 r5 r6" }, () => {
      const changed = update(Outbox, { id: "o1" }, { set: { state: "sent" } });
      expect(changed).toMatchObject({
        changes: { set: { cause: { request_id: "r1 r2 r3 r4 r5" } } },
      });
    });
  });
});

describe("the cause of a change", () => {
  test("is what the row's last writer stored", () => {
    const change = aChange({ cause: { request_id: "r1" } }, { cause: { request_id: "r2" } });
    expect(causeOfChange(change)).toEqual({ request_id: "r2" });
    expect(causeOfChange(aChange(undefined, { cause: { trigger: "schedule" } }))).toEqual({
      trigger: "schedule",
    });
  });

  test("is `expiry` if DynamoDB removed the row at the end of its time to live, and `deletion` if the row was deleted", () => {
    const deleted = aChange({ cause: { request_id: "r1" } }, undefined);
    const service = { type: "Service", principalId: "dynamodb.amazonaws.com" };
    expect(causeOfChange({ ...deleted, userIdentity: service })).toEqual({ trigger: "expiry" });
    expect(causeOfChange(deleted)).toEqual({ trigger: "deletion" });
  });

  test("is `change` if an older release stored the row without a cause", () => {
    expect(causeOfChange(aChange(undefined, {}))).toEqual({ trigger: "change" });
  });
});

test("a row that another request stores again unchanged has no effect", () => {
  const before = { version: 1, cause: { request_id: "r1" } };
  const again = effectsOf(aChange(before, { version: 1, cause: { request_id: "r2" } }));
  expect(Object.values(again).flat()).toEqual([]);
  const changed = effectsOf(aChange(before, { version: 2, cause: { request_id: "r2" } }));
  expect(changed.catalogIndex).toEqual({ kind: "product", slug: "oslo" });
});

describe("a batch of messages", () => {
  const from = (request_id: string, ...ids: string[]): SQSRecord => ({
    ...aMessage({ changes: ids.map((id) => ({ kind: "order", id })) }),
    messageAttributes: { request_id: { dataType: "String", stringValue: request_id } },
  });

  test("has the causes of all its messages, but a failing change is logged with its own cause only", async () => {
    const causes: Cause[] = [];
    const lines: (Cause & { change?: unknown })[] = [];
    const work = async (changes: readonly { id: string }[]) => {
      causes.push(currentCause());
      if (changes.some(({ id }) => id === "bad")) throw new Error("cannot be processed");
    };
    const note = (_message: string, facts?: object) => lines.push({ ...currentCause(), ...facts });
    const Records = [from("r1", "good", "shared"), from("r2", "bad"), from("r3", "shared")];
    await workThrough(Records, DocumentChanges, work, { error: note });
    expect(causes[0]).toEqual({ request_id: "r1 r3 r2" });
    expect(lines.at(-1)).toMatchObject({ request_id: "r2", change: { id: "bad" } });
  });
});
