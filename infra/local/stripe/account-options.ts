import type { Charge, Intent, Refund } from "./objects.ts";

export interface AccountOptions {
  /** Called for every change, with the object's current state. */
  emit(type: string, object: Intent | Charge | Refund): void;
  /** Runs work after the delay that banks take. */
  later(work: () => void): void;
  /** URL where the buyer confirms a payment. */
  pageOf(intentId: string): string;
  now(): number;
}
