import { describe, expect, test } from "vitest";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { type Consumer, consumers } from "#functions/consumers.ts";
import { loadConsumer } from "#infra/local/functions/load-consumer.ts";
import { lambdaContext } from "#infra/local/functions/lambda.ts";
import { Outbox } from "#shared/storage/outbox.ts";
import { openSettings } from "#shared/storage/settings/settings.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import { aPerson, aShopper } from "#test/support/shop/shopping.ts";
import { aMessage } from "#test/support/emulators/queues.ts";
import { useShop } from "#test/support/stack/shop.ts";
import { tableOpeners } from "#test/support/stack/functions.ts";

const { baseUrl, environment, table, inbox, desk } = await useShop({ effects: ["mail"] });

const consumer = consumers.find(({ name }) => name === "on-change-outbox") as Consumer;

/** Delivers queue messages to a separate instance of the consumer. */
async function deliver(...ids: string[]): Promise<SQSBatchResponse> {
  const target = await loadConsumer<SQSEvent>(consumer, environment, () => tableOpeners);
  const event = { Records: ids.map((id) => aMessage({ id })) };
  const answer = await target.handler(event, lambdaContext(target, "test"));
  return answer as SQSBatchResponse;
}

async function anOrder(payment_method: "bank_transfer" | "cod") {
  const { sku, product } = await plantProduct(table, { name: `Chair <b>&</b> "stool"` });
  const person = aPerson();
  const shopper = await aShopper(baseUrl, [{ sku, quantity: 2 }]);
  const { body, status, text } = await shopper.checkOut({ ...person, payment_method });
  expect(status, text).toBe(201);
  const { order } = body.data;
  return { order, product, email: person.email, outboxId: `order_placed#${order.id}` };
}

const inRupees = (amount: number) =>
  new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR" }).format(amount / 100);

describe.each(["bank_transfer", "cod"] as const)(
  "the confirmation mail of an order with the payment method %s",
  (method) => {
    test("is sent to the buyer once, even if the queue message is delivered repeatedly", async () => {
      const { order, product, email, outboxId } = await anOrder(method);
      // The stack's own consumer may process the same message before, during or after these deliveries.
      await Promise.all([deliver(outboxId), deliver(outboxId, outboxId)]);
      const mail = await inbox.waitFor(email);
      await deliver(outboxId);
      await deliver(outboxId);

      expect(await inbox.mailsTo(email)).toHaveLength(1);
      expect(mail.subject).toContain(order.number);
      const total = inRupees(order.totals.grand_total);
      for (const part of [mail.body.text, mail.body.html]) {
        expect(part).toContain(order.number);
        expect(part).toContain(total);
        expect(part).toMatch(
          new RegExp(`https://[^/]+/orders/${order.id}#token=[\\w-]+(\\.[\\w-]+){2}\\b`),
        );
      }
      expect(mail.body.text).toContain(`${product.name} × 2`);
      expect(mail.body.html).not.toContain("<b>");
      expect(mail.headers).toContainEqual({ name: "X-Entity-Ref-ID", value: outboxId });
      expect(await table.get(Outbox, { id: outboxId })).toMatchObject({
        state: "sent",
        settled_at: expect.any(String),
      });
    });
  },
);

test("the confirmation mail of an order that awaits a gateway payment states the amount and the payment deadline", async () => {
  const order = await desk.place("gateway");
  const { text } = (await inbox.waitFor(order.email)).body;
  expect(text).toContain("Please pay before: ");
  expect(text).toContain(`Amount: ${inRupees(order.total)}`);
});

describe("a mail about an event of an order", () => {
  /** Delivers a message again and returns the only mail with that subject. */
  async function onlyMail(email: string, subject: RegExp) {
    const mail = await inbox.waitFor(email, (each) => subject.test(each.subject));
    const id = mail.headers.find(({ name }) => name === "X-Entity-Ref-ID")?.value ?? "";
    await deliver(id, id);
    const mails = (await inbox.mailsTo(email)).filter((each) => subject.test(each.subject));
    expect(mails).toHaveLength(1);
    return mail;
  }

  test("is sent to the buyer for a payment, a shipment and a refund", async () => {
    const order = await desk.place("gateway");
    const payment = await desk.pay(order);
    const paid = await onlyMail(order.email, /^We have received your payment/);
    expect(paid.body.text).toContain(`We have received: ${inRupees(order.total)}`);

    await desk.send(order, 1);
    const { body: sent } = await onlyMail(order.email, /^A part of your order .* on its way$/);
    for (const part of [sent.text, sent.html]) {
      expect(part).toContain("Bluedart");
      expect(part).toContain("https://track.example.com/BD123");
    }
    expect(sent.text).toContain(": 1 piece");

    await desk.stripe.refundByHand(payment, 12_345);
    const { body: back } = await onlyMail(order.email, /^Your refund of/);
    expect(back.text).toContain(`Amount: ${inRupees(12_345)}`);
    expect(back.text).toContain("How: To the card or account that you paid with");
  });

  test("is sent to the buyer for a partial payment and for cash on delivery", async () => {
    const transfer = await desk.place("bank_transfer");
    await desk.receive(transfer.id, 700);
    const part = await onlyMail(transfer.email, /^We have received a part of your payment/);
    expect(part.body.text).toContain(`We have received now: ${inRupees(700)}`);
    expect(part.body.text).toContain(`Still to pay: ${inRupees(transfer.total - 700)}`);
    await desk.receive(transfer.id, transfer.total - 700);
    await onlyMail(transfer.email, /^We have received your payment/);

    const cash = await desk.place("cod");
    await desk.receive(cash.id, cash.total);
    const whole = await onlyMail(cash.email, /^We have received your payment/);
    expect(whole.body.text).toContain("It is paid.");
  });

  test("is sent to the buyer for a cancellation, and states the refund", async () => {
    const order = await desk.place("gateway");
    await desk.pay(order);
    await desk.cancel(order.id);
    const { body } = await onlyMail(order.email, /was cancelled$/);
    expect(body.text).toContain(
      `To the card or account that you paid with: ${inRupees(order.total)}`,
    );
    const unpaid = await desk.place("bank_transfer");
    await desk.cancel(unpaid.id);
    const mail = await onlyMail(unpaid.email, /was cancelled$/);
    expect(mail.body.text).toContain("nothing to refund");
  });

  test("is sent to the buyer when the order expires, and to the shop when it needs attention", async () => {
    const order = await desk.place("bank_transfer");
    await desk.expire(order.id);
    await onlyMail(order.email, /has expired$/);

    const { order: cancelled } = await anOrder("bank_transfer");
    await desk.cancel(cancelled.id);
    await desk.receive(cancelled.id, 700);
    const { store } = await openSettings(table).current();
    const mailed = (mark: string) =>
      onlyMail(store.contact.email ?? "", new RegExp(`^Order ${cancelled.number} at .*: ${mark}$`));
    const late = await mailed("Late payment");
    expect(late.body.text).toContain(`/orders/${cancelled.id}`);
    const { body } = await mailed("Refund to make");
    expect(body.text).toContain("must be refunded manually");
  });
});

test("a queue message about an unknown event is dropped, and an invalid queue message is retried", async () => {
  expect(await deliver("order_paid#ord_nobody")).toEqual({ batchItemFailures: [] });
  const target = await loadConsumer<SQSEvent>(consumer, environment, () => tableOpeners);
  const record = aMessage("not an event");
  expect(await target.handler({ Records: [record] }, lambdaContext(target, "test"))).toEqual({
    batchItemFailures: [{ itemIdentifier: record.messageId }],
  });
});
