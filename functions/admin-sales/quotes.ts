import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { readQuoteRecord } from "#shared/application/enquiry/patch-quote.ts";
import { placeQuote } from "#shared/application/checkout/place-quote.ts";
import { passedOnToken } from "#shared/auth/order-link.ts";
import { PlaceQuoteInput } from "#shared/domain/checkout/quote-placement.ts";
import { AdminOrder, adminOrder } from "#shared/domain/order/view/admin-order.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { amountDue } from "#shared/domain/payment/owing.ts";
import type { CommerceGroup, Settings } from "#shared/domain/settings/settings.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { type Call, route, staff } from "#shared/http/route.ts";
import { orderUrl } from "#shared/mail/wording.ts";

/** The order that staff have placed, and where its buyer pays. */
const PlacedQuote = z.object({
  order: AdminOrder,
  pay_url: z.string().nullable().meta({
    description: "The buyer's page of the order, to pass on; null if nothing is due",
  }),
});

const example: z.input<typeof PlaceQuoteInput> = {
  payment: { method: "bank_transfer", tender: "upi", reference: "427113300512" },
};

type PlacingShop = Shop<
  "table" | "gateways" | "linkKeys" | "randomBytes" | "settings",
  CommerceGroup
>;

export const placeStaffQuote = route({
  method: "POST",
  path: "/admin/quotes/{id}/place",
  summary: "Place the order of a quote",
  description:
    "For a customer who buys on the phone or in the showroom; it implies that the customer accepts. The quote needs a " +
    "phone number, an address, a delivery method and a price for every line; a 422 names what is missing. With a " +
    "`tender` the payment is recorded with the order. The wished delivery time is booked: 409 `slot_taken` offers others. " +
    "An order without an email gets no letters: pass `pay_url` on.",
  access: staff("orders.create"),
  idempotent: true,
  request: { params: byId, headers: ifMatch, body: PlaceQuoteInput.meta({ example }) },
  response: { status: 201, data: PlacedQuote, headers: ["ETag"] },
  errors: [
    "already_exists",
    "insufficient_stock",
    "invalid_transition",
    "price_changed",
    "slot_taken",
    "version_mismatch",
  ],
  first: ({ params }, { table }: PlacingShop) => readQuoteRecord(table, params.id),
  handle: (call, shop: PlacingShop) =>
    placeQuote(call, shop, (record, settings) => answerOf(record, { ...call, settings, shop })),
});

async function answerOf(
  record: OrderRecord,
  {
    permissions,
    settings,
    shop,
  }: Pick<Call, "permissions"> & {
    settings: Settings;
    shop: Shop<"linkKeys">;
  },
) {
  const { order } = record;
  const pay_url =
    amountDue(order) > 0
      ? orderUrl(settings.store, order, await passedOnToken(order, shop.linkKeys))
      : null;
  return { data: { order: adminOrder(record, permissions), pay_url }, version: order.version };
}

export const routes = [placeStaffQuote];
