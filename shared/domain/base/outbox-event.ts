import * as z from "zod";
import { Id } from "./ids.ts";
import { Email, Text, Timestamp } from "./text.ts";

/** `name` is null if the address is not verified, because anybody may have typed it. */
const addressee = { to: Email, name: Text(120).nullable() };
const link = {
  ...addressee,
  /** The link's token; an empty string once the mail is sent. The proof's own row holds only the token's hash. */
  token: z.string(),
  /** When the link expires. The mail is not sent after that. */
  expires_at: Timestamp,
};

/** An outbox event: something that happened and is announced by mail. */
export const OutboxEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("order_placed"), order_id: Id("ord") }),
  z.object({ type: z.literal("order_paid"), order_id: Id("ord") }),
  /**
   * A payment that does not confirm the order: it is only a part of the total, or it pays the remaining amount of an
   * order that is already confirmed.
   */
  z.object({
    type: z.literal("order_payment_received"),
    order_id: Id("ord"),
    transaction_id: z.string(),
  }),
  /** The buyer of a placed order changed its payment method. */
  z.object({
    type: z.literal("order_payment_changed"),
    order_id: Id("ord"),
    method: z.string(),
    at: Timestamp,
  }),
  z.object({ type: z.literal("order_shipped"), order_id: Id("ord"), shipment_id: Id("shp") }),
  z.object({ type: z.literal("order_delivered"), order_id: Id("ord"), shipment_id: Id("shp") }),
  z.object({ type: z.literal("order_cancelled"), order_id: Id("ord") }),
  z.object({ type: z.literal("order_expired"), order_id: Id("ord") }),
  z.object({ type: z.literal("order_refunded"), order_id: Id("ord"), transaction_id: z.string() }),
  /** A refund failed after it had been announced to the buyer. */
  z.object({
    type: z.literal("order_refund_failed"),
    order_id: Id("ord"),
    transaction_id: z.string(),
  }),
  /** Mailed to the shop: an order needs attention. */
  z.object({
    type: z.literal("order_attention"),
    order_id: Id("ord"),
    code: z.string(),
    at: Timestamp,
  }),
  z.object({ type: z.literal("verify_email"), ...link }),
  z.object({ type: z.literal("reset_password"), ...link }),
  z.object({ type: z.literal("password_changed"), ...addressee, changed_at: Timestamp }),
  /** `to` is the previous address, whose owner should know of the change. */
  z.object({ type: z.literal("email_changed"), ...addressee, changed_at: Timestamp }),
  z.object({ type: z.literal("staff_invitation"), ...link }),
  z.object({ type: z.literal("staff_reset_password"), ...link }),
  z.object({ type: z.literal("staff_verify_email"), ...link }),
  z.object({ type: z.literal("staff_password_changed"), ...addressee, changed_at: Timestamp }),
  z.object({ type: z.literal("staff_email_changed"), ...addressee, changed_at: Timestamp }),
  z.object({ type: z.enum(["lead_received", "lead_acknowledged"]), lead_id: Id("lead") }),
  z.object({
    type: z.enum(["quote_received", "quote_acknowledged", "quote_accepted", "quote_declined"]),
    quote_id: Id("qte"),
    revision: z.int(),
  }),
  z.object({ type: z.literal("quote_sent"), quote_id: Id("qte"), ...link }),
]);
export type OutboxEvent = z.output<typeof OutboxEvent>;

/** The time after which the mail is not sent; null if it has no such time. */
export function expiresAt(event: OutboxEvent): Timestamp | null {
  return "expires_at" in event ? event.expires_at : null;
}
