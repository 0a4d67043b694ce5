import { expect, test } from "vitest";
import { onlineBuyers } from "#test/support/shop/placed-orders.ts";
import { stillClock } from "#test/support/stack/clock.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment } = await useShop({ effects: [] });

const { stripe, buy } = onlineBuyers(baseUrl, environment);

// In a file of its own, because bundles run in threads, whose clock cannot be stopped from here.
test("the payment of an order is read from the gateway at most once in five seconds", async () => {
  const { id, secret, paymentId, confirm, payBy, again, holdWebhooks } = await buy();
  await holdWebhooks();
  const finds = async () =>
    (await stripe.calls(paymentId)).filter(({ call }) => call === "payment_intents.retrieve")
      .length;
  const before = await finds();
  const clock = stillClock();
  try {
    await clock.still(async () => {
      const replies = await Promise.all([
        ...Array.from({ length: 5 }, () => confirm()),
        ...Array.from({ length: 5 }, () => payBy("gateway")),
        ...Array.from({ length: 5 }, () => again()),
      ]);
      for (const { status, body } of replies) {
        expect([200, 201]).toContain(status);
        expect(body.data.payment.action).toMatchObject({ client_secret: secret });
      }
      expect(await finds()).toBe(before + 1);

      await stripe.pay(secret);
      clock.pass(4_990);
      expect((await confirm()).body.data.order.payment_status).toBe("pending");
      clock.pass(20);
      expect((await confirm()).body.data.order.payment_status).toBe("paid");
    });
  } finally {
    clock.restore();
  }
  await stripe.letGo(id);
});
