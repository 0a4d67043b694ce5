import type { Charge, Intent, Refund } from "./objects.ts";

export interface AccountOptions {
  /** Is told of every change, with the object as it is then. */
  tell(type: string, object: Intent | Charge | Refund): void;
  /** Does something after the time that banks take. */
  later(work: () => void): void;
  /** Where the buyer confirms a payment. */
  pageOf(intentId: string): string;
  now(): number;
}
