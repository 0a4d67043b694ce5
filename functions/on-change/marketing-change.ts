import * as z from "zod";
import { Email, Timestamp } from "#shared/domain/base/text.ts";

/** Message about a change that may start or end marketing mail. The consumer reads the current records. */
export const MarketingChange = z.discriminatedUnion("kind", [
  /** A new order whose buyer agreed to marketing. */
  z.object({ kind: z.literal("order"), id: z.string() }),
  z.object({
    kind: z.literal("customer"),
    id: z.string(),
    at: Timestamp,
    /** Whether the customer has withdrawn the consent. */
    left: z.boolean(),
    /** Whether the email has just been verified. */
    verified: z.boolean(),
    /** The verified email that the customer has replaced; null if none. */
    left_email: Email.nullable(),
  }),
  /** A product that has more units to sell, or that has been published or repriced. */
  z.object({ kind: z.enum(["stock", "price"]), id: z.string() }),
  /** A product that has been archived or deleted. */
  z.object({ kind: z.literal("discontinued"), id: z.string() }),
  /** A customer's cart. */
  z.object({ kind: z.literal("cart"), id: z.string(), at: Timestamp }),
]);
export type MarketingChange = z.output<typeof MarketingChange>;

export const MarketingChanges = z.object({ changes: z.array(MarketingChange).min(1) });
export type MarketingChanges = z.output<typeof MarketingChanges>;
