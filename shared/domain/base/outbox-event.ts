import * as z from "zod";
import { Id } from "./ids.ts";
import { Email, Text, Timestamp } from "./text.ts";

/** `name` is null if the address is not verified, because anybody may have typed it. */
const addressee = { to: Email, name: Text(120).nullable() };
const link = {
  ...addressee,
  /** The link's token; an empty string once the mail is sent. All other rows hold only the token's hash. */
  token: z.string(),
  /** When the link expires. The mail is not sent after that. */
  expires_at: Timestamp,
};

/** An outbox event: something that happened and is announced by mail. */
export const OutboxEvent = z.discriminatedUnion("type", [
  /** `order_copy`: an order was placed, and the shop wants a copy of the buyer's mail. */
  z.object({
    type: z.enum(["order_placed", "order_copy", "order_paid", "order_cancelled", "order_expired"]),
    order_id: Id("ord"),
  }),
  /** The buyer of a placed order changed its payment method. */
  z.object({
    type: z.literal("order_payment_changed"),
    order_id: Id("ord"),
    method: z.string(),
    at: Timestamp,
  }),
  /** The balance of an order that is ready to dispatch has to be paid. */
  z.object({
    type: z.enum(["order_balance_due", "order_balance_reminder"]),
    order_id: Id("ord"),
    at: Timestamp,
  }),
  /** The buyer of the order can choose its delivery slot now, or staff have chosen it. */
  z.object({
    type: z.enum(["order_choose_slot", "order_slot_planned"]),
    order_id: Id("ord"),
    at: Timestamp,
  }),
  z.object({
    type: z.enum(["order_shipped", "order_delivered"]),
    order_id: Id("ord"),
    shipment_id: Id("shp"),
  }),
  /**
   * `order_payment_received`: a payment that does not confirm the order, because it is only a part of the total, or
   * pays the remaining amount of an order that is already confirmed. `order_refund_failed`: a refund failed after it
   * had been announced to the buyer. `order_payment_voided`: staff had entered the payment by mistake.
   */
  z.object({
    type: z.enum([
      "order_payment_received",
      "order_payment_voided",
      "order_refunded",
      "order_refund_failed",
    ]),
    order_id: Id("ord"),
    transaction_id: z.string(),
  }),
  /** Staff changed what the order owes. */
  z.object({ type: z.literal("order_changed"), order_id: Id("ord"), change_id: Id("chg") }),
  /** A return of the order has moved on. */
  z.object({
    type: z.literal("return_changed"),
    order_id: Id("ord"),
    return_id: Id("ret"),
    /** The new status, or what happens to the goods that stay the buyer's. */
    status: z.string(),
    /** What the shop writes to the buyer about this step. */
    answer: z.string().nullable(),
    /** The change of the order that the step has made; null if it made none. */
    change_id: Id("chg").nullable(),
    at: Timestamp,
  }),
  /** An order needs attention. The mail goes to the shop. */
  z.object({
    type: z.literal("order_attention"),
    order_id: Id("ord"),
    code: z.string(),
    at: Timestamp,
  }),
  z.object({
    type: z.enum([
      "verify_email",
      "reset_password",
      "confirm_subscription",
      "staff_invitation",
      "staff_reset_password",
      "staff_verify_email",
    ]),
    ...link,
  }),
  /** `to` of `email_changed` is the previous address, whose owner should know of the change. */
  z.object({
    type: z.enum([
      "password_changed",
      "email_changed",
      "staff_password_changed",
      "staff_email_changed",
      "staff_second_factor_locked",
    ]),
    ...addressee,
    changed_at: Timestamp,
  }),
  z.object({
    type: z.literal("staff_second_factor_changed"),
    ...addressee,
    change: z.enum(["enrolled", "removed", "reset"]),
    changed_at: Timestamp,
  }),
  /** Mailed to the shop: the schedule could not publish or unpublish a record at the time that staff had set. */
  z.object({
    type: z.literal("publication_failed"),
    kind: z.string(),
    id: z.string(),
    label: z.string(),
    action: z.enum(["publish", "unpublish"]),
    at: Timestamp,
    reason: z.string(),
  }),
  z.object({ type: z.enum(["lead_received", "lead_acknowledged"]), lead_id: Id("lead") }),
  z.object({
    type: z.enum(["quote_received", "quote_acknowledged", "quote_accepted", "quote_declined"]),
    quote_id: Id("qte"),
    revision: z.int(),
  }),
  z.object({ type: z.literal("quote_sent"), quote_id: Id("qte"), ...link }),
  /** Confirms a request for a product alert. */
  z.object({ type: z.literal("confirm_alert"), kind: z.string(), product_id: Id("prd"), ...link }),
  /** Marketing mail about a product or a customer's cart. It is outdated after `expires_at`, and is then not sent. */
  z.object({
    type: z.enum(["back_in_stock", "price_drop", "cart_reminder"]),
    to: Email,
    about: z.string(),
    /** The ids of the available variants that a `back_in_stock` mail names. Events of earlier releases have none. */
    variant_ids: z.array(z.string()).optional(),
    at: Timestamp,
    expires_at: Timestamp,
  }),
]);
export type OutboxEvent = z.output<typeof OutboxEvent>;

/** The time after which the mail is not sent; null if it has no such time. */
export function expiresAt(event: OutboxEvent): Timestamp | null {
  return "expires_at" in event ? event.expires_at : null;
}
