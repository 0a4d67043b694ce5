import * as z from "zod";
import { namesOf } from "../base/members.ts";
import { Timestamp } from "../base/text.ts";
import { StoredCart } from "../cart/cart.ts";
import { WishlistEntry } from "../cart/wishlist.ts";
import { AddressBook } from "../customer/address-book.ts";
import { Customer, ProvenEmail } from "../customer/customer.ts";
import { MailBlock } from "../customer/mail-block.ts";
import { EnquiryNote } from "../enquiry/enquiry.ts";
import { StoredLead } from "../enquiry/lead.ts";
import { StoredQuote } from "../enquiry/quote.ts";
import { Conversation } from "../inbox/conversation.ts";
import { Message } from "../inbox/message.ts";
import { CartReminder } from "../marketing/cart-reminder.ts";
import { ProductAlert } from "../marketing/product-alert.ts";
import { Subscription } from "../marketing/subscription.ts";
import { Activity } from "../staff/activity.ts";
import { FabricUpload } from "../upload/fabric-upload.ts";
import type { ExportRow } from "./export.ts";
import { ExportedOrder } from "./exported-records.ts";

const notes = z.array(EnquiryNote);

/**
 * The schemas of the records in a customer's export, keyed by kind. They contain neither secrets nor hashes of secrets.
 */
export const recordsOfCustomer = {
  customer: Customer.omit({ password_hash: true, session_epoch: true }),
  address_book: AddressBook,
  cart: StoredCart,
  wish: WishlistEntry,
  customer_session: z.object({
    created_at: Timestamp,
    expires_at: Timestamp,
    address: z.string().nullable(),
    agent: z.string().nullable(),
  }),
  customer_known_address: z.object({ signed_in_at: Timestamp }),
  order: ExportedOrder,
  lead: StoredLead.extend({ notes }),
  quote: StoredQuote.omit({ link_hash: true }).extend({ notes }),
  fabric_upload: FabricUpload,
  mail_block: MailBlock,
  proven_email: ProvenEmail,
  subscription: Subscription.omit({ token: true, epoch: true }),
  product_alert: ProductAlert.omit({ token: true }),
  cart_reminder: CartReminder,
  conversation: Conversation,
  message: Message.omit({ attempts: true, claimed_until: true }),
  activity: Activity.pick({ at: true, action: true, changes: true }),
} as const satisfies Record<string, z.ZodObject>;

export type CustomerRecordKind = keyof typeof recordsOfCustomer;

/** Everything that the shop holds about one customer. */
export const CustomerExport = z
  .object({
    customer_id: z.string(),
    exported_at: Timestamp,
    records: z.array(
      z.object({
        record: z.enum(namesOf(recordsOfCustomer)),
        data: z.record(z.string(), z.unknown()),
      }),
    ),
  })
  .meta({ id: "CustomerExport" });
export type CustomerExport = z.output<typeof CustomerExport>;

/** A record with only the members that its schema declares, in the schema's order. */
export function customerRow<Kind extends CustomerRecordKind>(
  record: Kind,
  data: object,
): ExportRow & { record: Kind; data: Record<string, unknown> } {
  const members = new Map<string, unknown>(Object.entries(data));
  const names = Object.keys(recordsOfCustomer[record].shape);
  return {
    record,
    data: Object.fromEntries(names.map((name) => [name, members.get(name) ?? null])),
  };
}
