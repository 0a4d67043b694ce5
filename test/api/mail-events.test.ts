import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { describe, expect, test } from "vitest";
import { type Consumer, consumers } from "#functions/consumers.ts";
import { liftMailBlock } from "#infra/cli/lift-mail-block.ts";
import { lambdaContext } from "#infra/local/functions/lambda.ts";
import { loadConsumer } from "#infra/local/functions/load-consumer.ts";
import { MailBlocks } from "#shared/storage/customer/mail-blocks.ts";
import { Outbox, outboxId, publishEvent } from "#shared/storage/outbox.ts";
import { openQueue } from "#shared/queues/queue.ts";
import { aMessage } from "#test/support/emulators/queues.ts";
import { aPerson } from "#test/support/shop/shopping.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";
import { tableOpeners } from "#test/support/stack/functions.ts";

const { environment, table, inbox } = await useShop({ effects: ["mail", "mail-events"] });

/** Delivers messages to a separate instance of the consumer. A string is sent as the raw body. */
async function deliver(...bodies: (object | string)[]): Promise<SQSBatchResponse> {
  const consumer = consumers.find(({ name }) => name === "on-change-mail-events") as Consumer;
  const target = await loadConsumer<SQSEvent>(consumer, environment, () => tableOpeners);
  const Records = bodies.map((body) =>
    typeof body === "string" ? { ...aMessage({}), body } : aMessage(body),
  );
  return (await target.handler({ Records }, lambdaContext(target, "test"))) as SQSBatchResponse;
}

const aBounce = (emailAddress: string, bounceType = "Permanent") => ({
  eventType: "Bounce",
  bounce: {
    bounceType,
    bounceSubType: "General",
    bouncedRecipients: [{ emailAddress, action: "failed", status: "5.1.1" }],
    timestamp: "2026-11-22T20:00:00.000Z",
    feedbackId: "0100018",
  },
  mail: { messageId: "0100018", destination: [emailAddress] },
});
const aComplaint = (emailAddress: string) => ({
  eventType: "Complaint",
  complaint: { complainedRecipients: [{ emailAddress }], feedbackId: "0100019" },
  mail: { messageId: "0100019", destination: [emailAddress] },
});

/** Enqueues a mail to an address, and returns the outbox row once the mail was sent or given up. */
async function mailTo(to: string) {
  const now = new Date();
  const event = {
    type: "password_changed",
    to,
    name: null,
    changed_at: now.toISOString(),
  } as const;
  await table.write(publishEvent(event, now));
  const id = outboxId(event);
  await waitFor("mail", async () =>
    expect((await table.get(Outbox, { id }))?.state).not.toBe("waiting"),
  );
  return table.get(Outbox, { id });
}

describe("an email address", () => {
  test("whose mail bounced permanently gets no more mail, and the outbox row states the reason", async () => {
    const { email } = aPerson();
    const { SQS_ENDPOINT: endpoint } = environment;
    const url = environment.OUTBOX_QUEUE_URL.replace("outbox", "mail-events");
    await openQueue({ url, endpoint }).send([aBounce(email.toUpperCase())]);
    await waitFor("mail-events", async () =>
      expect(await table.get(MailBlocks, { email })).toBeDefined(),
    );
    expect(await mailTo(email)).toMatchObject({ state: "given_up", reason: "bounced" });
    expect(await inbox.mailsTo(email)).toEqual([]);
  });

  test("whose owner reported a mail as spam gets no more mail", async () => {
    const { email } = aPerson();
    await deliver(aComplaint(`Asha Rao <${email}>`));
    expect(await mailTo(email)).toMatchObject({ state: "given_up", reason: "complained" });
    expect(await inbox.mailsTo(email)).toEqual([]);
  });

  test("gets mail again once its block is lifted", async () => {
    const { email } = aPerson();
    await deliver(aBounce(email));
    expect(await liftMailBlock(table, email.toUpperCase())).toMatchObject({ reason: "bounced" });
    expect(await liftMailBlock(table, email)).toBeUndefined();
    expect(await mailTo(email)).toMatchObject({ state: "sent", reason: null });
  });

  test("whose mail bounced temporarily still gets mail", async () => {
    const { email } = aPerson();
    await deliver(aBounce(email, "Transient"));
    expect(await mailTo(email)).toMatchObject({ state: "sent", reason: null });
    expect(await inbox.mailsTo(email)).toHaveLength(1);
  });
});

test("the message with which SES validates its SNS topic is accepted without a retry", async () => {
  const notice = "Successfully validated SNS topic for Amazon SES event publishing.";
  expect(await deliver(notice)).toEqual({ batchItemFailures: [] });
});

test("an unreadable mail event is retried without the other events of its batch", async () => {
  const { email } = aPerson();
  const answer = await deliver({ eventType: "Open" }, aBounce(email));
  expect(answer.batchItemFailures).toHaveLength(1);
  expect(await mailTo(email)).toMatchObject({ reason: "bounced" });
});
