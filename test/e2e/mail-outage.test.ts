// @module-tag emulator
// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MailServer, startMail } from "#infra/local/emulators/mail.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import type { OutboxEvent } from "#shared/domain/base/outbox-event.ts";
import { Outbox, outboxId, publishEvent } from "#shared/storage/outbox.ts";
import type { Table } from "#shared/storage/table.ts";
import { inboxOf } from "#test/support/emulators/inbox.ts";
import { plantSettings, tableOf } from "#test/support/shop/plant.ts";
import { consumersOf } from "#test/support/stack/effects.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";

let mail: MailServer;
let stack: Stack;
let table: Table;

beforeAll(async () => {
  mail = await startMail();
  stack = await startStack({
    dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
    consumers: consumersOf(["mail"]),
    environment: { SES_ENDPOINT: mail.endpoint },
  });
  table = tableOf(stack.environment);
  await plantSettings(table);
});

afterAll(async () => {
  await stack.stop();
  await mail.stop();
});

test("every mail that a mail server outage delayed is sent once afterwards", async () => {
  mail.fail();

  const now = new Date();
  const events = [1, 2, 3].map((number): OutboxEvent => ({
    type: "reset_password",
    to: `outage-${number}@example.com`,
    name: "Asha Rao",
    token: `token-of-the-outage-${number}`,
    expires_at: new Date(now.getTime() + 3_600_000).toISOString(),
  }));
  for (const event of events) await table.write(publishEvent(event, now));

  const rowOf = (event: OutboxEvent) => table.get(Outbox, { id: outboxId(event) });
  await waitFor("mail", async () => {
    for (const event of events) {
      // The first attempt failed, and the message waits for the next one.
      expect(await rowOf(event)).toMatchObject({ state: "waiting", claimed_until: null });
      expect((await rowOf(event))?.attempts).toBeGreaterThan(0);
    }
  });

  mail.recover();
  const inbox = inboxOf(mail.endpoint);
  for (const event of events) {
    if (event.type !== "reset_password") continue;
    const { body } = await inbox.waitFor(event.to);
    expect(body.text).toContain(`https://shop.example.com/reset-password?token=${event.token}`);
  }
  await stack.settled();
  for (const event of events) {
    if (event.type !== "reset_password") continue;
    expect(await inbox.mailsTo(event.to)).toHaveLength(1);
    expect(await rowOf(event)).toMatchObject({ state: "sent", event: { token: "" } });
  }
});

test("a mail is not sent if its link has expired", async () => {
  const past = new Date(Date.now() - 1000).toISOString();
  const event: OutboxEvent = {
    type: "verify_email",
    to: "too-late@example.com",
    name: "Asha Rao",
    token: "token-of-the-past",
    expires_at: past,
  };
  await table.write(publishEvent(event, new Date()));
  await stack.settled();
  expect(await inboxOf(mail.endpoint).mailsTo(event.to)).toEqual([]);
  expect(await table.get(Outbox, { id: outboxId(event) })).toMatchObject({
    state: "given_up",
    event: { token: "" },
  });
});
