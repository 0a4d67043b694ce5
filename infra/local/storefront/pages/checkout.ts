import { useMemo } from "preact/hooks";
import type { Schemas } from "furniture-storefront-client";
import { type Cart, cart, destination, forgetCart, loadCart } from "../cart.ts";
import { money, words } from "../format.ts";
import { Form, addressFields, checkbox, emailField, field, nameField, phoneField, radios } from "../forms.ts";
import { type View, loaded, useAnswer, usePage, view } from "../page.ts";
import { navigate } from "../router.ts";
import { answerOf, bootstrap, orderTokens, session, shop } from "../shop.ts";
import { emptyCart, totals } from "./cart.ts";
import { Delivery, useQuote } from "./delivery.ts";

export const Checkout = () => usePage(loadCart, "Checkout", () => [view`<h1>Checkout</h1>`, steps(cart.value)]);

function steps(cart: Cart | null): View {
  if (!cart || cart.items.length === 0) return emptyCart;
  return view`
    <div class="columns right">
      <div><${Delivery} />${!cart.totals.provisional && view`<${Details} cart=${cart} />`}</div>
      <aside aria-label="Total">
        <ul>${cart.items.map(({ id, name, quantity }) => view`<li key=${id}>${quantity} × ${name}</li>`)}</ul>
        ${totals(cart)}
        ${cart.requirements.map(({ code, message }) => view`<p key=${code} class="problem">${message}</p>`)}
      </aside>
    </div>`;
}

function Details({ cart }: { cart: Cart }): View {
  // The same key for the same cart: a second click, or one after a lost answer, places no second order.
  const key = useMemo(() => crypto.randomUUID(), [cart.id, cart.version]);
  const { postal_code, shipping_method = "standard" } = destination.value;
  const expected_total = cart.totals.grand_total;
  const customer = session.value?.customer;

  async function submit(typed: Schemas["CheckoutInput"]): Promise<void> {
    const { shipping_address: where, ...rest } = typed;
    const address = typed.address_id ? {} : { ...(where && { shipping_address: where }) };
    const body = { ...rest, ...address, shipping_method, expected_total };
    const call = shop.POST("/api/v1/checkout", { params: { header: { "idempotency-key": key } }, body });
    const { order, order_access_token } = (await answerOf(call)).data;
    if (order_access_token !== null) orderTokens.value = { ...orderTokens.value, [order.id]: order_access_token };
    forgetCart();
    navigate(`/orders/${order.id}`, "replace");
  }

  return view`
    <${Form} button="Place the order for ${money(expected_total, cart.currency)}" submit=${submit}>
      <h2>You</h2>
      ${nameField(customer?.name)}${emailField(customer?.email)}${phoneField(customer?.phone)}
      <h2>Address</h2>
      <${Address} postalCode=${postal_code} />
      <${Payment} cart=${cart} />
      ${field({ name: "note", label: "A note for us", type: "textarea" })}
      ${field({ name: "tax_id", label: "GSTIN", hint: "If a company buys" })}
      ${checkbox("marketing_opt_in", "Write to me about new pieces")}
    <//>`;
}

/** A saved address of the place that was chosen, or a new one. */
function Address({ postalCode }: { postalCode: string }): View {
  const none = async () => ({ data: { data: [] as Schemas["Address"][] }, response: new Response() });
  const answer = useAnswer(() => (session.value ? shop.GET("/api/v1/addresses") : none()), [session.value]);
  return loaded(answer, ({ data }) => {
    const near = data.filter(({ postal_code }) => postal_code === postalCode);
    const options = near.map(
      ({ id, label, line1, city }) => [id, [label, line1, city].filter(Boolean).join(", ")] as const,
    );
    return options.length > 0
      ? radios("address_id", "Send it to", options)
      : addressFields("shipping_address.", postalCode);
  });
}

/** Cash, cards and paying in parts depend on the place and on what is in the cart. */
function Payment({ cart: { payment_plans, currency } }: { cart: Cart }): View {
  const { cod, gateway } = useQuote().data?.data ?? {};
  const can = { cod: cod?.available ?? false, gateway: gateway?.available ?? true, bank_transfer: true };
  const methods = bootstrap.value?.payment_methods.filter(({ code, enabled }) => enabled && can[code]) ?? [];
  const labels = methods.map(({ code, label }) => [code, label] as const);
  const parts = payment_plans.map(
    ({ code, parts }) =>
      [
        code,
        parts.map(({ amount, due }) => `${money(amount, currency)} ${words(due).toLowerCase()}`).join(", "),
      ] as const,
  );
  return [
    view`<h2>Payment</h2>`,
    radios("payment_method", "How", labels),
    parts.length > 1 && radios("payment_plan", "In one or in parts", parts),
  ];
}
