import { openStripe } from "#shared/payments/stripe-gateway.ts";
import { readNotice } from "#shared/payments/stripe-webhook.ts";

/** Bundled as functions are, it asks for a payment and reads a notice: both wait for Stripe's SDK. */
export async function handler(
  keys: { secretKey: string; publishableKey: string },
  endpoint: string,
  signed: { body: string; signature: string; secret: string },
) {
  const log = { error: (message: string) => console.error(message) };
  const gateway = openStripe({ ...keys, endpoint, log });
  const { id, state } = await gateway.create({
    orderId: "ord_1",
    orderNumber: "FS-1",
    attempt: 1,
    amount: 4_599_000,
    currency: "INR",
    email: "asha@example.com",
  });
  const found = await gateway.find(id);
  return {
    state,
    isFound: found?.id === id,
    notice: await readNotice({ ...signed, now: new Date() }),
  };
}
