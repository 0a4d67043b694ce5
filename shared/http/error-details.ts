import * as z from "zod";
import { Requirement } from "../domain/cart/cart.ts";
import { DeliverySlot } from "../domain/delivery/delivery-slot.ts";
import { Totals } from "../domain/pricing/totals.ts";
import type { ErrorCode } from "../domain/request/app-error.ts";

const User = z.object({ kind: z.string(), id: z.string(), label: z.string().optional() });
const Alternatives = z
  .object({ alternatives: z.array(DeliverySlot).meta({ description: "The next free places" }) })
  .partial()
  .meta({ id: "SlotAlternatives" });

/** The members of `details` by error code. A code that is not here has none. */
export const errorDetails: { readonly [Code in ErrorCode]?: z.ZodObject } = {
  forbidden: z
    .object({
      permission: z.string().meta({ description: "The missing permission" }),
      max_discount_bps: z.int(),
      lowest_price: z.int(),
    })
    .partial(),
  insufficient_stock: z
    .object({
      lines: z.array(
        z.object({
          id: z.string(),
          sku: z.string().nullable(),
          name: z.string(),
          quantity: z.int(),
          available: z.int(),
        }),
      ),
      skus: z.array(z.string()),
      on_hand: z.int(),
      reserved: z.int(),
    })
    .partial(),
  price_changed: z.object({
    totals: Totals,
    lines: z.array(
      z.object({ id: z.string(), name: z.string(), from: z.int().nullable(), to: z.int() }),
    ),
  }),
  cart_changed: z.object({ requirements: z.array(Requirement) }),
  slot_expired: Alternatives,
  slot_taken: Alternatives,
  invalid_transition: z
    .object({
      from: z.string().nullable(),
      to: z.string().nullable(),
      allowed: z.array(z.string()),
    })
    .partial(),
  session_window_closed: z.object({ reply_window_expires_at: z.string().nullable() }).partial(),
  order_locked: z.object({ reason: z.string() }).partial(),
  balance_due: z
    .object({ amount: z.int(), currency: z.string(), allowed: z.array(z.string()) })
    .partial(),
  payment_refused: z.object({ reason: z.string(), code: z.string().nullable() }).partial(),
  in_use: z.object({ used_by: z.array(User) }),
  already_exists: z
    .object({ path: z.string().meta({ description: "The member whose value is taken" }) })
    .catchall(z.unknown()),
  version_mismatch: z.object({ current_version: z.int() }),
  validation_failed: z
    .object({
      allowed: z.array(z.string()).meta({ description: "The values that would be right" }),
      available: z.int(),
      lines: z.array(
        z.object({
          path: z.string(),
          sku: z.string().nullable(),
          name: z.string(),
          available: z.int(),
        }),
      ),
      truncated: z.boolean().meta({ description: "Whether paths were left out of `errors`" }),
    })
    .partial(),
};
