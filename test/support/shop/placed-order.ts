import type { StoredOrder } from "#shared/domain/order/order.ts";
import { isFinal, orderFromCart, type Placement } from "#shared/domain/checkout/order-from-cart.ts";
import { priceCart, type PricingRequest } from "#shared/domain/pricing/totals.ts";
import {
  aPricedLine,
  aPricing,
  aStoredCart,
  anAddress,
  anId,
  noon,
  somePayments,
} from "./commerce.ts";

/** An order as checkout creates it, by default to be paid by bank transfer. */
export function aPlacedOrder(
  request: Partial<Placement["request"]> = {},
  pricingOverrides: Partial<PricingRequest> = {},
): StoredOrder {
  const { lines = [aPricedLine()] } = pricingOverrides;
  const pricing = priceCart(aPricing({ ...pricingOverrides, lines }));
  if (!isFinal(pricing)) throw new Error("The pricing of a placed order must be final.");
  return orderFromCart({
    id: anId("ord"),
    number: "FS-7K3M-92QX-4HT8",
    cart: aStoredCart(),
    lines,
    pricing,
    request: {
      email: "asha@example.com",
      phone: "+919812345678",
      name: "Asha Rao",
      payment_method: "bank_transfer",
      marketing_opt_in: false,
      ...request,
    },
    couponCode: pricingOverrides.coupon?.coupon?.code ?? null,
    addresses: { shipping: anAddress(), billing: anAddress() },
    payments: somePayments(),
    counted: { buyers: [], open: [], coupon: [] },
    accessTokenHash: "hash",
    deposit: null,
    hasVouchers: false,
    slot: null,
    offersSlot: false,
    now: noon,
  }).order;
}
