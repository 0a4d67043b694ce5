import { requireVersion } from "#shared/domain/request/app-error.ts";
import {
  CouponCode,
  CouponTrial,
  CouponTrialInput,
  refused,
} from "#shared/domain/pricing/coupon.ts";
import type { CartReading } from "#shared/domain/cart/cart-view.ts";
import { optionalCustomer, route } from "#shared/http/route.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { readCart, readFacts, buyerOf } from "#shared/application/cart/read-cart.ts";
import { WriteHeaders } from "#shared/http/cart-headers.ts";
import type { Deps } from "./deps.ts";
import { untouched } from "#shared/application/cart/draft-lines.ts";
import { openToChange } from "#shared/application/cart/open-to-change.ts";
import { saveCart } from "#shared/application/cart/save-cart.ts";

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
  handle: async (call, deps) =>
    retryOnConflict(
      call.opened,
      () => openToChange(call, [], deps),
      async (opened) => {
        const { cart, settings } = opened;
        requireVersion(call.headers["if-match"], cart?.version ?? 0);
        const typed = call.body.code;
        const code = CouponCode.safeParse(typed).data ?? null;
        if (typed !== null && code === null) {
          const currency = cart?.currency ?? settings.store.currency;
          return { data: { ...refused("not_found"), code: typed, currency, discount: 0 } };
        }
        const lines = cart?.lines ?? [];
        const facts = await readFacts(opened.reads, lines, code, buyerOf(call.actor));
        const request = { settings, destination: null, method: null, now: call.now };
        const trial = trialOf(code, readCart(cart, facts, request));
        if (trial.valid && cart && cart.coupon_code !== code) {
          const draft = {
            lines: untouched(lines),
            coupon: code,
            couponIsNew: false,
            admission: null,
            facts,
          };
          await saveCart({ ...call, headers: {} }, opened, draft, deps);
        }
        return { data: trial };
      },
    ),
});

function trialOf(code: string | null, { currency, pricing }: CartReading): CouponTrial {
  const { coupon, totals } = pricing;
  if (code !== null && coupon?.valid === false) {
    const { reason, message } = coupon;
    return { code, valid: false, reason, message, currency, discount: 0 };
  }
  const { discount } = totals;
  return { code, valid: true, reason: null, message: praise(coupon), currency, discount };
}

function praise(coupon: CartReading["pricing"]["coupon"]): string {
  if (!coupon?.valid) return "The cart has no coupon.";
  return coupon.freeShipping
    ? "Delivery is free with this coupon."
    : "The coupon has been applied.";
}

export const routes = [tryCoupon];
