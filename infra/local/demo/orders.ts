import { ownSale } from "#shared/domain/base/sales-channel.ts";
import { createHash } from "node:crypto";
import { countersOf } from "#shared/application/checkout/place-order.ts";
import {
  bookPlace,
  type SlotChoice,
  readCalendar,
} from "#shared/application/delivery/free-slots.ts";
import type { StoredCart, StoredCartLine } from "#shared/domain/cart/cart.ts";
import { materialsNow } from "#shared/domain/cart/cart-lines.ts";
import { configurationId, normaliseConfiguration } from "#shared/domain/sofa/configuration.ts";
import { slotTermsFor } from "#shared/domain/delivery/slot-zone.ts";
import { type OrderRecord, noRows } from "#shared/domain/order/order.ts";
import type { AllSettings } from "#shared/domain/settings/settings.ts";
import { orderNumber } from "#shared/domain/order/order-number.ts";
import { isFinal } from "#shared/domain/checkout/final-pricing.ts";
import { orderFrom } from "#shared/domain/checkout/order-draft.ts";
import { reserve, unitsByStock } from "#shared/domain/catalog/stock.ts";
import { countOrder, countedBuyers, limitedBuyers } from "#shared/storage/order/buyers.ts";
import { countsAs } from "#shared/storage/order/order-changes.ts";
import { readCart, readFacts } from "#shared/application/cart/read-cart.ts";
import { newOrder } from "#shared/storage/order/orders.ts";
import { changeStock } from "#shared/storage/catalog/stock-writes.ts";
import type { Table } from "#shared/storage/table.ts";
import type { DemoShop } from "./demo-shop.ts";
import { currency, daysBefore, demoId, productId, slugOf, sofaId } from "./identity.ts";
import { takeStep } from "./order-steps.ts";
import { plantReturn } from "./returns.ts";
import { type DemoOrder, demoOrders } from "./data/orders.ts";

/**
 * Guest orders in several states, and returns of some. Each step follows the rules of checkout, payments and staff, but
 * sends no mail.
 */
export async function plantOrders(table: Table, shop: DemoShop, now: Date): Promise<void> {
  for (const row of demoOrders) {
    let record = await place(table, shop, row, new Date(daysBefore(now, row.daysAgo)));
    for (const [when, step] of row.steps) {
      const at = when === "slot" ? slotStart(record) : new Date(daysBefore(now, when));
      record = await takeStep(table, record, step, { settings: shop.settings, at });
    }
    for (const returned of row.returns ?? []) {
      record = await plantReturn(table, record, returned, { settings: shop.settings, now });
    }
  }
}

async function place(table: Table, shop: DemoShop, row: DemoOrder, at: Date): Promise<OrderRecord> {
  const { settings } = shop;
  const { method = "standard", access = null } = row;
  const { name, phone, line1, postal_code, payment_method } = row;
  const cart = cartOf(shop, row, at);
  const email = `${slugOf(name).replaceAll("-", ".")}@example.com`;
  const shipping = { ...nowhere, name, phone, line1, postal_code, access };
  const facts = await readFacts(table.getMany, cart.lines, null, { signed_in: false, keys: [] });
  const delivery = { destination: shipping, method, settings, now: at };
  const reading = readCart(cart, facts, delivery);
  const { lines, pricing } = reading;
  const items = lines.map(({ line }) => line);
  const { zone, earliest = null } = slotTermsFor(items, delivery) ?? {};
  const booked =
    row.slot && zone && earliest !== null
      ? await book(table, row.slot, { zone, earliest, settings, now: at })
      : undefined;
  if (!isFinal(pricing)) throw new Error(`The order of ${name} cannot be delivered.`);
  const customer = { id: null, name, email, phone };
  const draft = {
    ...reading,
    // Without an access token, no guest can prove ownership of a demo order.
    buyer: { customer, access_token_hash: null, tax_id: null, note: null, marketing_opt_in: false },
    delivery: { addresses: { shipping, billing: shipping }, method },
    payments: [],
    terms: { payment_method, payment_plan: row.plan ?? "full", sale: ownSale },
    coupon: null,
    converts: { cart_id: cart.id, quotes: [] },
  };
  const { order, timeline } = orderFrom(draft, {
    id: demoId("ord", name),
    number: orderNumber(createHash("sha256").update(`order of ${name}`).digest().subarray(0, 12)),
    pricing,
    counted: countersOf(customer, undefined, settings.store.country),
    slot: booked?.slot ?? null,
    settings: { ...settings, payments: patient(settings.payments) },
    now: at,
  });
  const limited = new Set(limitedBuyers(order));
  const count = countsAs(order);
  await table.transact([
    ...Array.from(unitsByStock(order.items), ([id, pieces]) =>
      changeStock(id, reserve(pieces), at),
    ),
    ...countedBuyers(order).map((buyer) =>
      countOrder(
        buyer,
        { ...count, open: limited.has(buyer) ? count.open : 0 },
        { open: null, orders: null },
      ),
    ),
    ...newOrder(order, timeline),
    ...(booked?.writes ?? []),
  ]);
  return { order, rows: { ...noRows, timeline } };
}

/** Guests' orders of the demo shop do not expire while a copy of it is in use. */
const patient = ({
  bank_transfer,
  ...others
}: AllSettings["payments"]): AllSettings["payments"] => ({
  ...others,
  bank_transfer: { ...bank_transfer, guest_expires_after_hours: bank_transfer.expires_after_hours },
});

/** Books a window on an open day that could be chosen at the time of the order. */
async function book(
  table: Table,
  [day, window]: NonNullable<DemoOrder["slot"]>,
  choice: SlotChoice,
) {
  const { days } = await readCalendar(table, choice);
  const date = days[day]?.date ?? choice.earliest;
  return bookPlace(table, { date, window }, choice);
}

/** When the order's slot begins. The demo shop keeps Indian time. */
function slotStart({ order: { id, slot } }: OrderRecord): Date {
  if (!slot) throw new Error(`Order ${id} has no slot.`);
  return new Date(`${slot.date}T${slot.from}+05:30`);
}

const nowhere = {
  line2: null,
  landmark: null,
  city: "Bengaluru",
  state: "Karnataka",
  country: "IN",
};

function cartOf(shop: DemoShop, { name, items }: DemoOrder, at: Date): StoredCart {
  const moment = at.toISOString();
  return {
    id: demoId("cart", name),
    status: "converted",
    order_id: demoId("ord", name),
    customer_id: null,
    currency,
    lines: items.map(([item, quantity]) => lineOf(shop, item, quantity, name)),
    coupon_code: null,
    email: null,
    slot_hold: null,
    version: 1,
    created_at: moment,
    updated_at: moment,
    expires_at: moment,
  };
}

/** A cart line with the product's variant that has the most stock, or with a sofa in its default configuration. */
function lineOf(shop: DemoShop, item: string, quantity: number, of: string): StoredCartLine {
  const line = { id: demoId("line", `${of} ${item}`), quantity, unit_price: 0 };
  const sofa = shop.sofas.find(({ id }) => id === sofaId(item));
  if (sofa) {
    const { configuration } = normaliseConfiguration(sofa, {});
    return {
      ...line,
      kind: "sofa",
      sofa_id: sofa.id,
      slug: sofa.slug,
      configuration,
      configuration_id: configurationId(sofa.model_version, configuration),
      material_codes: materialsNow(sofa, configuration),
      upload_ids: [],
      note: null,
    };
  }
  const [stock] = shop.stock
    .filter(({ owner }) => owner.id === productId(item))
    .toSorted((one, other) => other.available - one.available);
  const product = shop.products.find(({ id }) => id === productId(item));
  const variant = product?.variants.find(({ id }) => id === stock?.id);
  if (!product || !variant) throw new Error(`There is no ${item}.`);
  return {
    ...line,
    kind: "product",
    product_id: product.id,
    variant_id: variant.id,
    slug: product.slug,
    sku: variant.sku,
  };
}
