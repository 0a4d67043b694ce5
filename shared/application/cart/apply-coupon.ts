import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import type { CartReading } from "#shared/domain/cart/cart-view.ts";
import { CouponCode, type CouponTrial, refused } from "#shared/domain/pricing/coupon.ts";
import { requireVersion } from "#shared/domain/request/app-error.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { untouched } from "./draft-lines.ts";
import { type CartToChange, openToChange } from "./open-to-change.ts";
import { buyerOf, readCart, readFacts } from "./read-cart.ts";
import { type CartWriter, saveCart } from "./save-cart.ts";

/** Whether a coupon is valid for the cart, and the cart after the call. */
export interface AppliedCoupon {
  readonly trial: CouponTrial;
  readonly reading: CartReading;
}

/**
 * Applies a coupon to the caller's cart. A code that is not valid for the cart changes nothing.
 *
 * @param first the cart, as the request has opened it
 * @throws AppError `version_mismatch`
 */
export async function applyCoupon(
  call: CartWriter & { readonly body: { readonly code: string | null } },
  first: CartToChange,
  shop: Shop<
    "table" | "catalogReads" | "lastLines" | "randomBytes" | "rates" | "settings",
    CommerceGroup
  >,
): Promise<AppliedCoupon> {
  const openAgain = () => openToChange(call, [], shop);
  return retryOnConflict(first, openAgain, async (opened) => {
    const { cart, settings, reads } = opened;
    requireVersion(call.headers["if-match"], cart?.version ?? 0);
    const typed = call.body.code;
    const coupon = CouponCode.safeParse(typed).data ?? null;
    const lines = cart?.lines ?? [];
    const request = { settings, destination: null, method: null, now: call.now };
    const factsWith = (code: string | null) => readFacts(reads, lines, code, buyerOf(call.actor));
    const unchanged = async () =>
      readCart(cart, await factsWith(cart?.coupon_code ?? null), request);
    if (typed !== null && coupon === null) {
      const reading = await unchanged();
      const { currency } = reading;
      return { trial: { ...refused("not_found"), code: typed, currency, discount: 0 }, reading };
    }
    const facts = await factsWith(coupon);
    const tried = readCart(cart, facts, request);
    const trial = trialOf(coupon, tried);
    if (!trial.valid) return { trial, reading: await unchanged() };
    if (!cart || cart.coupon_code === coupon) return { trial, reading: tried };
    const draft = { lines: untouched(lines), coupon, couponIsNew: false, admission: null, facts };
    const { reading } = await saveCart({ ...call, headers: {} }, opened, draft, shop);
    return { trial, reading };
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
