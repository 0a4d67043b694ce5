import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { openToChange } from "#shared/application/cart/open-to-change.ts";
import { applyCoupon } from "#shared/application/cart/apply-coupon.ts";
import { Cart } from "#shared/domain/cart/cart.ts";
import { cartView } from "#shared/domain/cart/cart-view.ts";
import { CouponTrial, CouponTrialInput } from "#shared/domain/pricing/coupon.ts";
import { WriteHeaders } from "#shared/http/cart-headers.ts";
import { optionalCustomer, route } from "#shared/http/route.ts";

const CouponAnswer = CouponTrial.extend({ cart: Cart }).meta({ id: "CouponTrial" });

export const tryCoupon = route({
  method: "POST",
  path: "/checkout/coupon",
  summary: "Apply a coupon to the cart",
  description:
    "A valid code replaces the cart's coupon, null removes it. An invalid code returns 200 and " +
    "changes nothing. `cart` is the cart after the call.",
  access: optionalCustomer,
  limit: "coupon",
  request: {
    headers: WriteHeaders,
    body: CouponTrialInput.meta({ example: { code: "WELCOME10" } }),
  },
  response: { status: 200, data: CouponAnswer },
  errors: ["version_mismatch"],
  open: (
    call,
    shop: Shop<
      "table" | "catalogReads" | "lastLines" | "randomBytes" | "rates" | "settings",
      CommerceGroup
    >,
  ) => openToChange(call, [], shop),
  async handle(call, shop) {
    const { trial, reading } = await applyCoupon(call, call.opened, shop);
    return { data: { ...trial, cart: cartView(reading) } };
  },
});

export const routes = [tryCoupon];
