import type { PaymentMethod, PaymentSettings } from "../settings/settings.ts";
import type { Timestamp } from "../base/text.ts";

/** Why a buyer cannot pay online, or by bank transfer. */
export const notConfigured =
  "Online payment is not configured. Please choose another payment method.";
export const noTransfer = "Bank transfer is currently not available.";

/** The inputs of an order's payment window. */
export interface PaymentTerms {
  readonly payments: PaymentSettings;
  /** For bank transfers, guests' orders have a payment window of their own. */
  readonly isGuest: boolean;
}

/** How long an order waits for a payment by this method, in ms; null if the method is not paid in advance. */
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

/** The expiry of an order whose payment window for this method begins at `from`; null if the order does not expire. */
export function expiryFor(
  method: PaymentMethod,
  terms: PaymentTerms,
  from: Date,
): Timestamp | null {
  const ms = windowOf(method, terms);
  return ms === null ? null : new Date(from.getTime() + ms).toISOString();
}

/** The latest time until which an order may hold stock unpaid, however often its buyer changes the payment method. */
export function latestExpiry(terms: PaymentTerms, placedAt: Timestamp): Timestamp {
  const windows = (["gateway", "bank_transfer"] as const).flatMap((method) =>
    terms.payments[method].enabled ? (windowOf(method, terms) ?? []) : [],
  );
  return new Date(Date.parse(placedAt) + Math.max(0, ...windows)).toISOString();
}
