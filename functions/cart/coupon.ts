import { openToChange } from "#shared/application/cart/open-to-change.ts";
import { applyCoupon } from "#shared/application/cart/apply-coupon.ts";
import { CouponTrial, CouponTrialInput } from "#shared/domain/pricing/coupon.ts";
import { WriteHeaders } from "#shared/http/cart-headers.ts";
import { optionalCustomer, route } from "#shared/http/route.ts";
import type { Deps } from "./deps.ts";

export const tryCoupon = route({
  method: "POST",
  path: "/checkout/coupon",
  summary: "Apply a coupon to the cart",
  description:
    "A valid code replaces the cart's coupon, null removes it. An invalid code returns 200 and " +
    "changes nothing.",
  access: optionalCustomer,
  limit: "coupon",
  request: {
    headers: WriteHeaders,
    body: CouponTrialInput.meta({ example: { code: "WELCOME10" } }),
  },
  response: { status: 200, data: CouponTrial },
  errors: ["version_mismatch"],
  open: (call, deps: Deps) => openToChange(call, [], deps),
  handle: async (call, deps) => ({ data: await applyCoupon(call, call.opened, deps) }),
});

export const routes = [tryCoupon];
