import { createHash } from "node:crypto";
import { countersOf } from "#shared/application/order/order-writes.ts";
import { bookPlace } from "#shared/application/delivery/book-slot.ts";
import { type SlotChoice, readFreeDays } from "#shared/application/delivery/free-slots.ts";
import type { StoredCart, StoredCartLine } from "#shared/domain/cart/cart.ts";
import { materialsNow } from "#shared/domain/cart/cart-lines.ts";
import { configurationId, normaliseConfiguration } from "#shared/domain/sofa/configuration.ts";
import type { Access } from "#shared/domain/contact/postal-address.ts";
import { earliestDay, slotZoneOf } from "#shared/domain/delivery/slot-zone.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { orderNumber } from "#shared/domain/order/order-number.ts";
import { isFinal, placeOrder } from "#shared/domain/checkout/place-order.ts";
import type { PaymentPlanCode } from "#shared/domain/pricing/payment-plans.ts";
import type { PaymentMethod, ShippingMethodCode } from "#shared/domain/settings/settings.ts";
import { unitsBySku, reserve } from "#shared/domain/catalog/stock.ts";
import { countOrder, countedBuyers, limitedBuyers } from "#shared/storage/order/buyers.ts";
import { countsAs } from "#shared/storage/order/order-changes.ts";
import { readCart, readFacts } from "#shared/application/cart/cart-facts.ts";
import { newOrder } from "#shared/storage/order/orders.ts";
import { changeStock } from "#shared/storage/catalog/stock-writes.ts";
import type { Table } from "#shared/storage/table.ts";
import type { DemoShop } from "./demo-shop.ts";
import { currency, daysBefore, demoId, slugOf } from "./identity.ts";
import { type OrderStep, takeStep } from "./order-steps.ts";
import { productId } from "./data/products/build.ts";
import { sofaId } from "./data/sofas/build.ts";

interface OrderRow {
  readonly name: string;
  readonly phone: string;
  /** A postal code in Bengaluru. */
  readonly postal_code: string;
  readonly line1: string;
  /** Names of products and sofas. */
  readonly items: readonly (readonly [name: string, quantity: number])[];
  /** Default: `standard`. */
  readonly method?: ShippingMethodCode;
  readonly payment_method: PaymentMethod;
  /** Default: `full`. */
  readonly plan?: PaymentPlanCode;
  readonly daysAgo: number;
  /** The open day of the calendar at the time of the order, from 0, and the window. Default: no slot. */
  readonly slot?: readonly [day: number, window: string];
  readonly access?: Access;
  readonly steps: readonly (readonly [daysAgo: number, step: OrderStep])[];
}

const rows: readonly OrderRow[] = [
  {
    name: "Harish Kamath",
    phone: "+919845012301",
    postal_code: "560004",
    line1: "21 Bull Temple Road, Basavanagudi",
    items: [["Kaveri Lounge Chair", 1]],
    payment_method: "cod",
    daysAgo: 52,
    steps: [
      [51, "ready"],
      [50, "ship"],
      [48, "deliver"],
      [48, "collect"],
      [41, "complete"],
    ],
  },
  {
    name: "Nandini Rao",
    phone: "+919845012302",
    postal_code: "560041",
    line1: "7, 30th Cross, Jayanagar 4th Block",
    items: [["Mysore Dining Chair", 4]],
    payment_method: "bank_transfer",
    daysAgo: 13,
    steps: [
      [12, "transfer"],
      [11, "ready"],
      [9, "ship"],
      [3, "deliver"],
    ],
  },
  {
    name: "Joel D'Souza",
    phone: "+919845012303",
    postal_code: "560095",
    line1: "118, 6th Block, Koramangala",
    items: [["Kaveri Lounge Chair", 1]],
    payment_method: "cod",
    daysAgo: 5,
    steps: [
      [4, "ready"],
      [1, "ship"],
    ],
  },
  {
    name: "Ayesha Khan",
    phone: "+919845012304",
    postal_code: "560005",
    line1: "34 Coles Road, Frazer Town",
    items: [["Saanjh Sofa", 1]],
    method: "white_glove",
    payment_method: "bank_transfer",
    daysAgo: 7,
    steps: [
      [6, "transfer"],
      [5, "produce"],
    ],
  },
  {
    name: "Meera Krishnan",
    phone: "+919845012312",
    postal_code: "560008",
    line1: "16 Cambridge Road, Ulsoor",
    items: [["Saanjh Sofa", 1]],
    method: "white_glove",
    payment_method: "bank_transfer",
    plan: "deposit",
    daysAgo: 3,
    // The deposit is paid; the balance is not due yet.
    steps: [
      [2.5, "transfer"],
      [1, "produce"],
    ],
  },
  {
    name: "Kabir Anand",
    phone: "+919845012313",
    postal_code: "560034",
    line1: "41, 4th Block, Koramangala",
    items: [["Saanjh Sofa", 1]],
    method: "white_glove",
    payment_method: "bank_transfer",
    plan: "deposit",
    daysAgo: 24,
    // The balance is due.
    steps: [
      [23.5, "transfer"],
      [22, "produce"],
      [1, "ready"],
    ],
  },
  {
    name: "Suresh Menon",
    phone: "+919845012305",
    postal_code: "560066",
    line1: "B-904 Palm Meadows, Whitefield",
    items: [["Vembanad Bedside Table", 2]],
    payment_method: "bank_transfer",
    daysAgo: 4,
    steps: [[3, "cancel"]],
  },
  {
    name: "Deepa Hegde",
    phone: "+919845012306",
    postal_code: "560003",
    line1: "52, 11th Cross, Malleshwaram",
    items: [["Mysore Dining Chair", 2]],
    payment_method: "bank_transfer",
    // Half a day old, because an order of a guest by bank transfer expires after a day.
    daysAgo: 0.5,
    steps: [],
  },
  {
    name: "Arvind Pai",
    phone: "+919845012307",
    postal_code: "560038",
    line1: "9, 1st Stage, Indiranagar",
    items: [["Vembanad Bedside Table", 1]],
    payment_method: "cod",
    daysAgo: 0,
    steps: [],
  },
  {
    name: "Meera Iyer",
    phone: "+919845012308",
    postal_code: "560011",
    line1: "15, 9th Main, Jayanagar 3rd Block",
    items: [["Kaveri Lounge Chair", 1]],
    method: "room_of_choice",
    payment_method: "cod",
    daysAgo: 0.2,
    slot: [0, "morning"],
    access: { floor: 3, lift: false, notes: "Narrow stairs. Call at the gate" },
    steps: [[0.1, "ready"]],
  },
  {
    name: "Vikram Shetty",
    phone: "+919845012309",
    postal_code: "560034",
    line1: "C-302 Raheja Residency, Koramangala 3rd Block",
    items: [["Mysore Dining Chair", 2]],
    method: "white_glove",
    payment_method: "bank_transfer",
    daysAgo: 0.2,
    slot: [1, "afternoon"],
    access: { floor: 3, lift: true, notes: null },
    steps: [[0.1, "transfer"]],
  },
  {
    name: "Thomas Kurian",
    phone: "+919845012310",
    postal_code: "560071",
    line1: "88 Domlur Layout",
    items: [["Vembanad Bedside Table", 2]],
    method: "room_of_choice",
    payment_method: "cod",
    daysAgo: 0.2,
    slot: [1, "morning"],
    steps: [],
  },
  {
    // Its buyer has to choose a delivery time.
    name: "Lakshmi Narayan",
    phone: "+919845012311",
    postal_code: "560080",
    line1: "4, 2nd Cross, Sadashivanagar",
    items: [["Saanjh Sofa", 1]],
    method: "white_glove",
    payment_method: "bank_transfer",
    daysAgo: 30,
    steps: [
      [29, "transfer"],
      [27, "produce"],
      [0.1, "ready"],
    ],
  },
];

/** Guest orders in several states. Each step follows the rules of checkout, payments and staff, but sends no mail. */
export async function plantOrders(table: Table, shop: DemoShop, now: Date): Promise<void> {
  for (const row of rows) {
    let record = await place(table, shop, row, new Date(daysBefore(now, row.daysAgo)));
    for (const [daysAgo, step] of row.steps) {
      const at = new Date(daysBefore(now, daysAgo));
      record = await takeStep(table, record, step, { settings: shop.settings, at });
    }
  }
}

async function place(table: Table, shop: DemoShop, row: OrderRow, at: Date): Promise<OrderRecord> {
  const { settings } = shop;
  const { method = "standard", access = null } = row;
  const { name, phone, line1, postal_code, payment_method } = row;
  const cart = cartOf(shop, row, at);
  const email = `${slugOf(name).replaceAll("-", ".")}@example.com`;
  const shipping = { ...nowhere, name, phone, line1, postal_code, access };
  const facts = await readFacts(table.getMany, cart.lines, null, { signed_in: false, keys: [] });
  const { lines, pricing } = readCart(cart, facts, {
    settings,
    destination: shipping,
    method,
    now: at,
  });
  const zone = slotZoneOf(settings.shipping, shipping, method);
  const items = lines.map(({ line }) => line);
  const earliest = zone && earliestDay(items, zone, settings, at);
  const booked =
    row.slot && zone && earliest !== null
      ? await book(table, row.slot, { zone, earliest, settings, now: at })
      : undefined;
  if (!isFinal(pricing)) throw new Error(`The order of ${name} cannot be delivered.`);
  const request = { name, email, phone, payment_method, marketing_opt_in: false };
  const counted = countersOf({ id: null, name, email, phone }, null, settings.store.country);
  const { order, timeline } = placeOrder({
    id: demoId("ord", name),
    number: orderNumber(createHash("sha256").update(`order of ${name}`).digest().subarray(0, 12)),
    cart,
    lines: items,
    pricing,
    request,
    couponCode: null,
    addresses: { shipping, billing: shipping },
    payments: settings.payments,
    counted,
    // Without an access token, no guest can prove ownership of a demo order.
    accessTokenHash: null,
    deposit: row.plan === "deposit" ? pricing.deposit : null,
    hasVouchers: settings.tax.vouchers_for_advances,
    slot: booked?.slot ?? null,
    offersSlot: zone !== null,
    now: at,
  });
  const limited = new Set(limitedBuyers(order));
  const count = countsAs(order);
  await table.transact([
    ...Array.from(unitsBySku(order.items), ([sku, pieces]) =>
      changeStock(sku, reserve(pieces), at),
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
  return { order, rows: { timeline, transactions: [], shipments: [] } };
}

/** Books a window on an open day that could be chosen at the time of the order. */
async function book(
  table: Table,
  [day, window]: NonNullable<OrderRow["slot"]>,
  choice: SlotChoice,
) {
  const date = (await readFreeDays(table, choice))[day]?.date ?? choice.earliest;
  return bookPlace(table, { date, window }, choice);
}

const nowhere = {
  line2: null,
  landmark: null,
  city: "Bengaluru",
  state: "Karnataka",
  country: "IN",
};

function cartOf(shop: DemoShop, { name, items }: OrderRow, at: Date): StoredCart {
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
  if (!stock || stock.owner.variant_id === null) throw new Error(`There is no ${item}.`);
  const { sku, owner } = stock;
  return {
    ...line,
    kind: "product",
    product_id: owner.id,
    variant_id: stock.owner.variant_id,
    slug: owner.slug,
    sku,
  };
}
