import { openStripeControl } from "#infra/local/stripe/control-client.ts";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import { waitUntil } from "../stack/wait-until.ts";

/** Calls that a storefront or the shop's owner makes to Stripe, over HTTP. */
export function stripeAt(endpoint: string) {
  async function post(path: string, key: string, form: Record<string, string>) {
    const answer = await fetch(`${endpoint}/v1/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: new URLSearchParams(form),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  const control = openStripeControl(endpoint);
  const isTaken = ({ statuses }: { statuses: readonly number[] }) =>
    statuses.some((status) => status > 0 && status < 500);

  return {
    ...control,
    /**
     * Waits until the order's earlier events were delivered, and holds its later events. Without the wait, the service
     * might process an earlier event after the test has changed the payment. No event may be held when this is called.
     */
    async holdNext(order: string): Promise<void> {
      await control.hold(order);
      await waitUntil(async () => {
        const events = await control.events(order);
        if (!events.every(isTaken)) throw new Error("Earlier events are still being delivered.");
      });
    },
    /** Pays as a buyer does: with the publishable key and the payment's client secret. */
    pay: (clientSecret: string, method = "pm_card_visa") =>
      post(
        `payment_intents/${clientSecret.replace(/_secret_.*$/, "")}/confirm`,
        emulatorKeys.publishableKey,
        { client_secret: clientSecret, payment_method: method },
      ),
    /** Refunds as the owner does in Stripe's dashboard, without a call to the service. */
    refundByHand: (paymentId: string, amount: number) =>
      post("refunds", emulatorKeys.secretKey, {
        payment_intent: paymentId,
        amount: String(amount),
      }),
  };
}
