import { randomBytes } from "node:crypto";

interface PaymentError {
  type: "card_error" | "invalid_request_error";
  code: string;
  message: string;
  decline_code?: string;
}

export interface Intent {
  id: string;
  object: "payment_intent";
  amount: number;
  amount_received: number;
  currency: string;
  status: "requires_payment_method" | "requires_action" | "processing" | "succeeded" | "canceled";
  client_secret: string;
  metadata: Record<string, string>;
  description: string | null;
  receipt_email: string | null;
  capture_method: "automatic_async";
  payment_method: string | null;
  last_payment_error: PaymentError | null;
  latest_charge: string | null;
  next_action: object | null;
  canceled_at: number | null;
  created: number;
  livemode: false;
}

export interface Charge {
  id: string;
  object: "charge";
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  currency: string;
  status: "succeeded" | "pending" | "failed";
  paid: boolean;
  refunded: boolean;
  disputed: boolean;
  payment_intent: string;
  payment_method: string;
  failure_code: string | null;
  failure_message: string | null;
  metadata: Record<string, string>;
  created: number;
  livemode: false;
}

export interface Refund {
  id: string;
  object: "refund";
  amount: number;
  currency: string;
  status: "pending" | "succeeded" | "failed";
  charge: string;
  payment_intent: string;
  metadata: Record<string, string>;
  reason: string | null;
  failure_reason?: string;
  created: number;
}

export interface Dispute {
  id: string;
  object: "dispute";
  amount: number;
  currency: string;
  status: "needs_response" | "won" | "lost";
  reason: "fraudulent";
  charge: string;
  payment_intent: string;
  is_charge_refundable: boolean;
  metadata: Record<string, string>;
  created: number;
  livemode: false;
}

/** An id in Stripe's format: a prefix and 24 letters and digits. */
export const newStripeId = (prefix: string): string =>
  `${prefix}_${Array.from(randomBytes(24), (byte) => (byte % 36).toString(36)).join("")}`;

export const inSeconds = (ms: number): number => Math.floor(ms / 1000);

/** A page of a list, newest first. It starts after the item whose id is `after`. */
export function listOf<Item extends { id: string }>(
  url: string,
  newestFirst: readonly Item[],
  { limit = 10, after }: { limit?: number | undefined; after?: string | undefined } = {},
) {
  const start = after === undefined ? 0 : newestFirst.findIndex(({ id }) => id === after) + 1;
  const data = newestFirst.slice(start, start + limit);
  return { object: "list", url, data, has_more: start + data.length < newestFirst.length };
}

/** What the emulator's account needs of its surroundings. */
export interface AccountOptions {
  /** Sends an event for each change of an object, with its current state. */
  emit(type: string, object: Intent | Charge | Refund | Dispute): void;
  /** Runs work after the configured delay of banks. */
  later(work: () => void): void;
  /** URL where the buyer confirms a payment. */
  pageOf(intentId: string): string;
  now(): number;
}
