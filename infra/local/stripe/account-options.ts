import type { Charge, Dispute, Intent, Refund } from "./objects.ts";

export interface AccountOptions {
  /** Sends an event for each change of an object, with its current state. */
  emit(type: string, object: Intent | Charge | Refund | Dispute): void;
  /** Runs work after the configured delay of banks. */
  later(work: () => void): void;
  /** URL where the buyer confirms a payment. */
  pageOf(intentId: string): string;
  now(): number;
}
