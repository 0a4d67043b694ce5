import type { Cart } from "#shared/domain/cart/cart.ts";
import type { Card } from "#shared/domain/catalog/card.ts";
import type { ProductDetail } from "#shared/domain/catalog/product-detail.ts";
import type { CheckoutAnswer, ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import type { Fit } from "#shared/domain/delivery/fit.ts";
import type { SlotCalendar } from "#shared/domain/delivery/slot-calendar.ts";
import type { Document } from "#shared/domain/document/document.ts";
import type { TrackedOrder } from "#shared/domain/order/view/buyer-order.ts";
import type { PricedConfiguration } from "#shared/domain/sofa/configuration.ts";
import type { SofaDetail } from "#shared/domain/sofa/sofa-detail.ts";
import { demoBuyer } from "../demo/data/buyer.ts";
import { emulatorKeys } from "../stripe/keys.ts";
import type { Calls } from "./calls.ts";
import { type Data, type List, shownAmount, scheduleOf, sizeOf } from "./words.ts";

const { postal_code } = demoBuyer.shipping_address;
const shipping_method = "room_of_choice";
const byCart = ["X-Cart-Token: $CART"];
const byOrder = ["X-Order-Token: $PROOF"];

/** Finds a chair in stock. */
export async function browse({ ask, note, title }: Calls): Promise<ProductDetail["variants"][0]> {
  title("Browse");
  const list = await ask<List<Card>>({
    url: "$API/products?category=accent-chairs&in_stock=true&per_page=3",
  });
  note(`${list.meta.total} chairs are in stock. The first:`);
  for (const { name, price, currency } of list.data)
    note(`  ${name}, ${shownAmount(price, currency)}`);
  const [card] = list.data;
  if (!card) throw new Error("No chair is in stock.");

  const found = await ask<List<{ card: Card }>>({
    url: "$API/search?q=three+seater+sofa+under+80k&type=sofa&per_page=3",
  });
  for (const { card } of found.data)
    note(`  ${card.name}, ${shownAmount(card.price, card.currency)}`);

  const { data: chair } = await ask<Data<ProductDetail>>({ url: `$API/products/${card.slug}` });
  const variant = chair.variants.find(({ availability }) => availability.state === "in_stock");
  if (!variant) throw new Error("No variant of the chair is in stock.");
  note(`${chair.name} has ${chair.variants.length} variants; ${variant.sku} is in stock.`);
  return variant;
}

/** Chooses the options of a sofa, and checks whether it gets into the room. */
export async function configureSofa({ ask, note, title }: Calls) {
  title("Configure a sofa");
  const { data: sofas } = await ask<List<Card>>({ url: "$API/sofas?per_page=1" });
  const slug = sofas[0]?.slug ?? "";
  const { data: sofa } = await ask<Data<SofaDetail>>({ url: `$API/sofas/${slug}` });
  note(`${sofa.name} starts at ${shownAmount(sofa.price, sofa.currency)}. Its options:`);
  for (const { label, values } of sofa.option_groups)
    note(`  ${label}: ${values.length === 1 ? values[0]?.label : `${values.length} values`}`);

  const upholstery = sofa.option_groups
    .find(({ code }) => code === "upholstery")
    ?.values.findLast(({ available }) => available)?.code;
  const configuration = { ...sofa.default_configuration, ...(upholstery && { upholstery }) };
  const { data: priced } = await ask<Data<PricedConfiguration>>({
    url: `$API/sofas/${slug}/price`,
    json: { configuration },
  });
  for (const { label, amount } of priced.lines)
    note(`  ${label}: ${shownAmount(amount, sofa.currency)}`);
  note(`It costs ${shownAmount(priced.price ?? 0, sofa.currency)}.`);

  title("Does it fit?");
  const { data: fit } = await ask<Data<Fit>>({
    url: `$API/sofas/${slug}/fit`,
    json: {
      configuration,
      openings: [
        { kind: "door", width_mm: 900, height_mm: 2_100 },
        { kind: "corner", width_mm: 1_100, height_mm: 2_400 },
      ],
      room: { width_mm: 4_000, depth_mm: 3_500 },
    },
  });
  for (const { label, verdict, worst } of fit.packages)
    note(`  ${label}: ${verdict}, ${worst?.clearance_mm} mm to spare`);
  note(`Through the door, round the corner and into the room: ${fit.verdict}.`);
  return { slug, configuration };
}

/** Fills the cart, and keeps its token. */
async function fillCart({ ask, keep, note }: Calls, item: object): Promise<Cart> {
  const { data: cart } = await ask<Data<Cart & { token: string }>>({
    url: "$API/cart",
    json: { items: [{ ...item, quantity: 1 }] },
  });
  keep("CART", cart.token);
  note(`In the cart: ${cart.items.map(({ name }) => name).join(", ")}.`);
  return cart;
}

/**
 * Checks out what is in the cart, and keeps the order's id and the token that opens it. The shop takes a few open orders
 * from one IP address, which a header can state on the local stack only.
 */
async function checkOut({ ask, keep, note }: Calls, how: object): Promise<CheckoutAnswer> {
  const { data: placed } = await ask<Data<CheckoutAnswer>>({
    url: "$API/checkout",
    headers: [...byCart, "X-Forwarded-For: $ADDRESS"],
    json: { ...demoBuyer, shipping_method, ...how },
  });
  const { order, order_access_token } = placed;
  keep("ORDER", order.id);
  keep("PROOF", order_access_token ?? "");
  note(`Order ${order.number}: ${order.status}, ${scheduleOf(order)}.`);
  return placed;
}

/** Buys a chair, delivered at a time of the buyer's choice and paid in cash. @returns the order's id */
export async function buyForCash(calls: Calls, sku: string): Promise<string> {
  const { ask, note, title } = calls;
  title("Fill a cart and choose a delivery time");
  await fillCart(calls, { sku });
  const destination = `postal_code=${postal_code}&shipping_method=${shipping_method}`;
  const { data: calendar } = await ask<Data<SlotCalendar>>({
    url: `$API/shipping/slots?${destination}&items=${sku}`,
  });
  const [free] = calendar.days.flatMap(({ date, windows }) =>
    windows.filter(({ available }) => available).map(({ code }) => ({ date, window: code })),
  );
  if (!free) throw new Error("No delivery time is free.");
  note(`The first of ${calendar.days.length} days: ${free.date}, ${free.window}.`);
  const { data: cart } = await ask<Data<Cart>>({
    method: "PUT",
    url: "$API/cart/slot",
    headers: byCart,
    json: { ...free, postal_code, shipping_method },
  });
  note(`The cart holds this time until ${cart.slot?.held_until}.`);
  note(`With delivery it costs ${shownAmount(cart.totals.grand_total, cart.currency)}.`);

  title("Check out, and pay in cash on delivery");
  const { order } = await checkOut(calls, { payment_method: "cod" });
  const { data: tracked } = await ask<Data<TrackedOrder>>({
    url: `$API/orders/track/${order.number}?email=${order.customer.email}`,
  });
  note(`Order ${tracked.number}: ${tracked.timeline.map(({ message }) => message).join(" ")}`);
  return order.id;
}

/** Buys a chair, paid by card. */
export async function buyByCard(calls: Calls, sku: string): Promise<void> {
  calls.title("Check out, and pay by card");
  await fillCart(calls, { sku });
  await payByCard(calls, await checkOut(calls, { payment_method: "gateway" }));
}

/** Buys the sofa, with a deposit now and the balance later. */
export async function payInParts(calls: Calls, sofa: Awaited<ReturnType<typeof configureSofa>>) {
  const { ask, note, title } = calls;
  title("Pay the deposit of a sofa that is made to order");
  await fillCart(calls, { sofa: sofa.slug, configuration: sofa.configuration });
  const how = { payment_method: "gateway", payment_plan: "deposit" };
  await payByCard(calls, await checkOut(calls, how));

  title("Pay its balance");
  const { data: asked } = await ask<Data<ConfirmAnswer>>({
    url: "$API/checkout/$ORDER/payment",
    headers: byOrder,
    json: { payment_method: "gateway" },
  });
  note(`${shownAmount(asked.payment.amount_due, asked.payment.currency)} to pay.`);
  await payByCard(calls, asked);
}

/** Pays at Stripe's emulator, as the storefront's page does, and has the shop read the payment. */
async function payByCard(calls: Calls, { payment }: Pick<CheckoutAnswer, "payment">) {
  const { ask, keep, note } = calls;
  const { action } = payment;
  if (action.type !== "stripe_payment_intent") throw new Error("The payment is not by card.");
  keep("SECRET", action.client_secret);
  const stripe = await ask<{ status: string }>({
    url: `$STRIPE/v1/payment_intents/${action.client_secret.replace(/_secret_.*/, "")}/confirm`,
    user: emulatorKeys.publishableKey,
    form: { client_secret: "$SECRET", payment_method: "pm_card_visa" },
  });
  note(`Stripe: ${stripe.status}.`);
  const { data: paid } = await ask<Data<ConfirmAnswer>>({
    method: "POST",
    url: "$API/checkout/$ORDER/confirm",
    headers: byOrder,
  });
  note(`Order ${paid.order.number}: ${paid.order.payment_status}, ${scheduleOf(paid.order)}.`);
}

/** Opens the confirmation of the last order, which is drawn when it is opened first. */
export async function readDocuments({ askUntil, download, keep, note, title }: Calls) {
  title("Read the order's confirmation: the first time it answers 202 while it is drawn");
  const { data: documents } = await askUntil<Data<Document[]>>(
    { url: "$API/orders/$ORDER/documents", headers: byOrder },
    ({ data }) => data.length > 0,
  );
  note(documents.map(({ type, number }) => `${type} ${number}`).join(", "));
  const [first] = documents;
  keep("DOCUMENT", first?.url ?? "");
  const pdf = await download({ url: "$DOCUMENT" }, "document.pdf");
  note(`${pdf.subarray(0, 8).toString()}, ${sizeOf(pdf)}`);
}
