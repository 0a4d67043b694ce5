// @module-tag emulator
// @module-tag slow
import { randomUUID } from "node:crypto";
import type { DynamoDBStreamEvent, SQSEvent, SQSRecord, ScheduledEvent } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { consumers } from "#functions/consumers.ts";
import { lambdaContext } from "#infra/local/functions/lambda.ts";
import { loadConsumer } from "#infra/local/functions/load-consumer.ts";
import { startMail } from "#infra/local/emulators/mail.ts";
import { startStack } from "#infra/local/stack.ts";
import { aMessage } from "#test/support/emulators/queues.ts";
import { clientOf } from "#test/support/http/client.ts";
import { plantSettings, tableOf } from "#test/support/shop/plant.ts";
import { consumersOf } from "#test/support/stack/effects.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";
import { tableOpeners } from "#test/support/stack/functions.ts";

const { environment } = await useShop();

const Line = z.looseObject({
  message: z.string(),
  service: z.string(),
  request_id: z.string().optional(),
  trigger: z.string().optional(),
});
type Line = z.output<typeof Line>;

/** The log lines of this process's consumers. */
let lines: Line[];
beforeEach(() => {
  lines = [];
  for (const method of ["info", "warn", "error"] as const) {
    vi.spyOn(console, method).mockImplementation((text: unknown) => {
      const line = Line.safeParse(typeof text === "string" ? parsed(text) : undefined);
      if (line.success && line.data.service.startsWith("on-")) lines.push(line.data);
    });
  }
});
afterEach(() => vi.restoreAllMocks());

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

test("a mail that cannot be sent is logged with the id of the request that caused it", async () => {
  const mail = await startMail();
  const stack = await startStack({
    dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
    consumers: consumersOf(["mail"]),
    environment: { SES_ENDPOINT: mail.endpoint },
  });
  try {
    await plantSettings(tableOf(stack.environment));
    mail.fail();
    const lead = { type: "contact", name: "Asha", email: "asha@example.com", consent: true };
    const { status, headers } = await clientOf(stack.baseUrl).post("/leads", lead);
    expect(status).toBe(201);
    const request_id = headers.get("x-request-id");
    expect(request_id).toEqual(expect.any(String));
    await waitFor("mail", async () => {
      expect(lines).toContainEqual(
        expect.objectContaining({
          service: "on-change-outbox",
          message: "Mail not sent: the queue retries it",
          request_id,
        }),
      );
    });
  } finally {
    mail.recover();
    await stack.stop();
    await mail.stop();
  }
});

describe("the log lines of consumers", () => {
  const request_id = randomUUID();
  const poisons = ["{", "null", "{}", '{"changes":[{"kind":"nobody knows"}]}'];
  const named = (record: SQSRecord): SQSRecord => ({
    ...record,
    messageAttributes: { request_id: { dataType: "String", stringValue: request_id } },
  });
  const poisoned = (body: string): SQSRecord => {
    const record = { ...aMessage({}), body };
    return { ...record, attributes: { ...record.attributes, MessageGroupId: body } };
  };

  test("all name the request or the trigger that caused the work", async () => {
    for (const consumer of consumers) {
      if (consumer.source.kind === "queue") {
        const target = await loadConsumer<SQSEvent>(consumer, environment, () => tableOpeners);
        for (const Records of [poisons.map(poisoned).map(named), poisons.map(poisoned)])
          await target.handler({ Records }, lambdaContext(target, randomUUID()));
      } else if (consumer.source.kind === "stream") {
        const target = await loadConsumer<DynamoDBStreamEvent>(
          consumer,
          environment,
          () => tableOpeners,
        );
        const change = { Keys: {}, NewImage: { cause: { M: { request_id: { S: request_id } } } } };
        const unreadable = { ...change, NewImage: { ...change.NewImage, pk: { X: "?" } } };
        const Records = [{ eventID: randomUUID(), dynamodb: unreadable }];
        // The record is unreadable, because DynamoDB has no attribute type `X`.
        await target.handler({ Records } as never, lambdaContext(target, randomUUID()));
      } else {
        const target = await loadConsumer<ScheduledEvent>(
          consumer,
          environment,
          () => tableOpeners,
        );
        // Scheduled functions ignore their event.
        await target.handler({} as ScheduledEvent, lambdaContext(target, randomUUID()));
      }
    }
    const services = new Set(lines.map(({ service }) => service));
    const kinds = consumers.filter(({ source }) => source.kind !== "schedule");
    expect([...services]).toEqual(expect.arrayContaining(kinds.map(({ name }) => name)));
    const causeless = lines.filter(({ request_id: id, trigger }) => !id && !trigger);
    const share = (100 * (lines.length - causeless.length)) / lines.length;
    console.log(`Consumer log lines that name their cause: ${share} % of ${lines.length}.`);
    expect(causeless).toEqual([]);
    expect(lines.filter((line) => line.request_id === request_id).length).toBeGreaterThan(10);
  });
});
