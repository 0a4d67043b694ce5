import { useState } from "preact/hooks";
import type { Schemas } from "furniture-storefront-client";
import { moment, money } from "../format.ts";
import { Form, radios } from "../forms.ts";
import { facts } from "../goods.ts";
import { type View, loaded, useAnswer, view } from "../page.ts";
import { answerOf, bootstrap, orderProof, shop } from "../shop.ts";

/** A real shop shows Stripe's own field for cards. Stripe's test cards stand in for it. */
const cards = [
  ["pm_card_visa", "Visa ending in 4242, which pays"],
  ["pm_card_chargeDeclined", "Visa ending in 0002, which is declined"],
] as const;

type Action = Schemas["Payment"]["action"];
type Intent = Extract<Action, { type: "stripe_payment_intent" }>;
type Transfer = Extract<Action, { type: "bank_details" }>;

/** Confirms the payment with Stripe, as Stripe's library does. @throws Error with the bank's sentence */
async function confirmCard({ client_secret, publishable_key }: Intent, payment_method: string): Promise<void> {
  const stripe = document.querySelector<HTMLMetaElement>("meta[name=stripe-url]")?.content ?? "";
  const [intent = ""] = client_secret.split("_secret_");
  const response = await fetch(`${stripe}/v1/payment_intents/${intent}/confirm`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${publishable_key}:`)}` },
    body: new URLSearchParams({ client_secret, payment_method }),
  });
  const { error } = (await response.json()) as { error?: { message: string } };
  if (error) throw new Error(error.message);
}

/** What is due now, and how to pay it: also a balance weeks later, from the link of a letter. */
export function Pay({ order, again }: { order: Schemas["Order"]; again: () => void }): View {
  const [other, setOther] = useState<Schemas["PaymentMethod"]>();
  const params = { path: { order: order.id }, header: orderProof(order.id) };
  const confirm = () => shop.POST("/api/v1/checkout/{order}/confirm", { params });
  const answer = useAnswer(
    () =>
      other === undefined
        ? confirm()
        : shop.POST("/api/v1/checkout/{order}/payment", { params, body: { payment_method: other } }),
    [other],
  );
  const submit = async (action: Intent, card: string) => {
    await confirmCard(action, card);
    // Stripe also tells the shop, so the order may be paid although this call fails.
    await answerOf(confirm()).finally(again);
  };
  return loaded(answer, ({ data: { payment } }) => {
    const { action, currency } = payment;
    const amount = money(payment.amount_due, currency);
    return view`
      <section class="pay">
        <h2>${amount} to pay</h2>
        ${
          action.type === "stripe_payment_intent" &&
          view`
            <${Form} button="Pay ${amount}" submit=${({ card }: { card: string }) => submit(action, card)}>
              ${radios("card", "Test card; no money moves", cards)}
            <//>`
        }
        ${action.type === "bank_details" && transfer(action)}
        ${bootstrap.value?.payment_methods.map(
          ({ code, label, enabled }) =>
            enabled &&
            actions[code] !== undefined &&
            actions[code] !== action.type &&
            view`<button key=${code} type="button" class="plain" onClick=${() => setOther(code)}>${label} instead</button>`,
        )}
      </section>`;
  });
}

/** What the buyer does for each method, if there is anything to do. */
const actions: Partial<Record<Schemas["PaymentMethod"], Action["type"]>> = {
  gateway: "stripe_payment_intent",
  bank_transfer: "bank_details",
};

const transfer = ({ account, reference, expires_at }: Transfer): View => view`
  ${facts({
    To: account.account_name,
    Account: account.account_number,
    IFSC: account.routing_code,
    Bank: [account.bank, account.branch].filter(Boolean).join(", "),
    Reference: reference,
  })}
  ${expires_at && view`<p>We keep everything for you until ${moment(expires_at)}.</p>`}`;
