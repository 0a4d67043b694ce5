import type { PaymentMethod, PaymentSettings } from "../settings/settings.ts";
import type { Timestamp } from "../base/text.ts";

/** Why a buyer cannot pay so. */
export const notConfigured =
  "Online payment is not configured. Please choose another payment method.";
export const noTransfer = "Bank transfer is not offered at present.";

/** What decides how long an order waits for its payment. */
export interface PaymentTerms {
  readonly payments: PaymentSettings;
  /** Nobody answers for a guest's order, so it holds its goods for a shorter time. */
  readonly isGuest: boolean;
}

/** How long an order waits for a payment of a method, in ms; null: it is not paid beforehand. */
function windowOf(
  method: PaymentMethod,
  { payments: { gateway, bank_transfer }, isGuest }: PaymentTerms,
): number | null {
  switch (method) {
    case "gateway":
      return gateway.expires_after_minutes * 60_000;
    case "bank_transfer":
      return (
        (isGuest ? bank_transfer.guest_expires_after_hours : bank_transfer.expires_after_hours) *
        3_600_000
      );
    case "cod":
      return null;
  }
}

/** When an order expires that waits for such a payment from now on; null: never. */
export function expiryFor(
  method: PaymentMethod,
  terms: PaymentTerms,
  from: Date,
): Timestamp | null {
  const ms = windowOf(method, terms);
  return ms === null ? null : new Date(from.getTime() + ms).toISOString();
}

/** The latest that an order of this age may hold its goods unpaid, however often its buyer changes their mind. */
export function latestExpiry(terms: PaymentTerms, placedAt: Timestamp): Timestamp {
  const windows = (["gateway", "bank_transfer"] as const).flatMap((method) =>
    terms.payments[method].enabled ? (windowOf(method, terms) ?? []) : [],
  );
  return new Date(Date.parse(placedAt) + Math.max(0, ...windows)).toISOString();
}
