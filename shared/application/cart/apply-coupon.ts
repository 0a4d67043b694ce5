import type { CartReading } from "#shared/domain/cart/cart-view.ts";
import { CouponCode, type CouponTrial, refused } from "#shared/domain/pricing/coupon.ts";
import { requireVersion } from "#shared/domain/request/app-error.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import type { ChangePorts } from "./change-cart.ts";
import { untouched } from "./draft-lines.ts";
import { type CartToChange, openToChange } from "./open-to-change.ts";
import { buyerOf, readCart, readFacts } from "./read-cart.ts";
import { type CartWriter, saveCart } from "./save-cart.ts";

/**
 * Applies a coupon to the caller's cart. A code that is not valid for the cart changes nothing.
 *
 * @param first the cart, as the request has opened it
 * @throws AppError `version_mismatch`
 */
export async function applyCoupon(
  call: CartWriter & { readonly body: { readonly code: string | null } },
  first: CartToChange,
  deps: ChangePorts,
): Promise<CouponTrial> {
  const openAgain = () => openToChange(call, [], deps);
  return retryOnConflict(first, openAgain, async (opened) => {
    const { cart, settings } = opened;
    requireVersion(call.headers["if-match"], cart?.version ?? 0);
    const typed = call.body.code;
    const coupon = CouponCode.safeParse(typed).data ?? null;
    if (typed !== null && coupon === null) {
      const currency = cart?.currency ?? settings.store.currency;
      return { ...refused("not_found"), code: typed, currency, discount: 0 };
    }
    const lines = cart?.lines ?? [];
    const facts = await readFacts(opened.reads, lines, coupon, buyerOf(call.actor));
    const request = { settings, destination: null, method: null, now: call.now };
    const trial = trialOf(coupon, readCart(cart, facts, request));
    if (trial.valid && cart && cart.coupon_code !== coupon) {
      const draft = { lines: untouched(lines), coupon, couponIsNew: false, admission: null, facts };
      await saveCart({ ...call, headers: {} }, opened, draft, deps);
    }
    return trial;
  });
}

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
