import * as z from "zod";
import { Address, type AddressBook, emptyBook, listAddresses } from "./address-book.ts";
import { Customer, PublicCustomer, changedPhone, endingSessions, nextVersion } from "./customer.ts";
import { MultilineText, Phone, Tags, Text, Timestamp } from "../base/text.ts";

/** A customer in a list for staff. */
export const CustomerEntry = PublicCustomer.extend({
  disabled: z.boolean().meta({ description: "Whether the customer is barred from signing in" }),
  notes: Customer.shape.notes.unwrap().meta({ description: "Visible to staff only" }),
  tags: Tags.meta({ description: "Visible to staff only" }),
}).meta({ id: "CustomerEntry" });
export type CustomerEntry = z.output<typeof CustomerEntry>;

/** A customer with the details that staff see. */
export const CustomerFile = CustomerEntry.extend({
  addresses: z.array(Address),
  orders: z.object({
    count: z
      .int()
      .min(0)
      .meta({ description: "Number of orders, without cancelled and expired ones" }),
    unpaid: z.int().min(0).meta({ description: "Orders in `count` that await payment" }),
    last: z
      .object({ id: z.string(), placed_at: Timestamp })
      .nullable()
      .meta({ description: "The newest order in any state" }),
  }),
}).meta({ id: "CustomerFile" });
export type CustomerFile = z.output<typeof CustomerFile>;

/** The members of a customer that staff may change. The email is not included: only the customer changes it. */
export const CustomerPatch = z.strictObject({
  name: Text(120).optional(),
  phone: Phone.nullable().optional(),
  notes: MultilineText(5_000).nullable().optional(),
  tags: Tags.optional(),
  marketing_opt_in: z.boolean().optional().meta({
    description:
      "Consent to marketing. true mails a link that confirms the newsletter; false unsubscribes",
  }),
  disabled: z
    .boolean()
    .optional()
    .meta({ description: "true bars the customer from signing in, and ends every session" }),
});
export type CustomerPatch = z.output<typeof CustomerPatch>;

/** A customer with all members that staff see. */
export interface CustomerRecord {
  readonly customer: Customer;
  readonly book: AddressBook | undefined;
  readonly orders: CustomerFile["orders"];
}

export function customerEntry(customer: Customer): CustomerEntry {
  return { ...customer, disabled: customer.status === "disabled" };
}

export function customerFile({ customer, book, orders }: CustomerRecord): CustomerFile {
  return { ...customerEntry(customer), addresses: listAddresses(book ?? emptyBook), orders };
}

/** The customer after changes by staff. Disabling ends every session, and enabling again restores none. */
export function changedByStaff(before: Customer, patch: CustomerPatch, now: Date): Customer {
  const {
    name = before.name,
    phone = before.phone,
    notes = before.notes,
    tags = before.tags,
    marketing_opt_in = before.marketing_opt_in,
    disabled = before.status === "disabled",
  } = patch;
  const { preferences } = before;
  const after: Customer = {
    ...(disabled && before.status === "active" ? endingSessions(before) : before),
    name,
    ...changedPhone(before, phone),
    notes,
    tags,
    status: disabled ? "disabled" : "active",
    marketing_opt_in,
    // Only the customer can subscribe to the newsletter: see `requestedSubscription`.
    preferences:
      patch.marketing_opt_in === false ? { ...preferences, newsletter: false } : preferences,
  };
  return nextVersion(after, now);
}

/** The customer after staff confirmed the phone in a call; unchanged if it was proven before. */
export const withProvenPhone = (before: Customer, now: Date): Customer =>
  nextVersion({ ...before, phone_verified_at: before.phone_verified_at ?? now.toISOString() }, now);
