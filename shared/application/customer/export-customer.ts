import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { internationalPhone } from "#shared/domain/contact/international-phone.ts";
import type { Customer } from "#shared/domain/customer/customer.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import { type CustomerExport, customerRow } from "#shared/domain/export/customer-export.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { totalsNow } from "#shared/domain/order/view/order-view.ts";
import { AppError, orNotFound } from "#shared/domain/request/app-error.ts";
import { lacking } from "#shared/domain/staff/permission.ts";
import { Carts } from "#shared/storage/cart/carts.ts";
import { Wishes } from "#shared/storage/cart/wishlist.ts";
import { AddressBooks } from "#shared/storage/customer/addresses.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
import { CustomerAddresses } from "#shared/storage/customer/known-addresses.ts";
import { findMailBlocks } from "#shared/storage/customer/mail-blocks.ts";
import { ProvenEmails } from "#shared/storage/customer/proven-emails.ts";
import { EnquiriesOfEmail, enquiriesOf } from "#shared/storage/enquiry/enquirers.ts";
import { EnquiryNotes } from "#shared/storage/enquiry/enquiries.ts";
import { Leads } from "#shared/storage/enquiry/leads.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import {
  Messages,
  conversationPartition,
  messagePrefix,
  openInbox,
} from "#shared/storage/inbox/inbox.ts";
import { listOrdersOf } from "#shared/storage/order/customer-orders.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { CartReminders } from "#shared/storage/marketing/cart-reminders.ts";
import { ProductAlerts } from "#shared/storage/marketing/product-alerts.ts";
import { Subscriptions, subscriberPartition } from "#shared/storage/marketing/subscriptions.ts";
import { at } from "#shared/storage/reads.ts";
import {
  Activities,
  type AuditContext,
  activityOfTarget,
  recordActivity,
} from "#shared/storage/staff/activity.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import { CustomerSessions, partitionOf } from "#shared/storage/staff/sessions.ts";
import type { Table } from "#shared/storage/table.ts";
import { FabricUploads } from "#shared/storage/upload/fabric-uploads.ts";
import type { Write } from "#shared/storage/writes.ts";
import { fitsIntoResult } from "#shared/runtime/result-size.ts";

type Rows = CustomerExport["records"];

export interface ExportedCustomer {
  readonly name: string;
  readonly export: CustomerExport;
}

/**
 * Everything that the shop holds about a customer; undefined if there is no such customer.
 *
 * Anybody can enter another person's email or phone number in a form. So the export contains leads, quotes, the
 * subscription, product alerts and the proof of the email only if the email is verified, and a conversation only if the phone of the profile is
 * verified: paying for an order proves nothing about the phone number on it. The erasure of an account follows the same
 * rules.
 */
export async function exportOfCustomer(
  table: Table,
  id: string,
  now: Date,
): Promise<ExportedCustomer | undefined> {
  const own = await table.getPartition(partitionOf("customer", id), {
    customers: Customers,
    books: AddressBooks,
    carts: Carts,
    wishes: Wishes,
    sessions: CustomerSessions,
    addresses: CustomerAddresses,
    reminders: CartReminders,
  });
  const [customer] = own.customers;
  if (!customer) return undefined;
  const { email } = customer;
  const isVerified = customer.email_verified_at !== null;
  const [{ store }, blocks, proof, orders, enquiries, marketing, activities] = await Promise.all([
    readSettings(table, ["store"]),
    findMailBlocks(table, [email]),
    isVerified ? table.get(ProvenEmails, { email }) : undefined,
    ordersOf(table, id),
    enquiriesOfAll(table, isVerified ? [email, id] : [id]),
    isVerified
      ? table.getPartition(subscriberPartition(email), {
          subscriptions: Subscriptions,
          alerts: ProductAlerts,
        })
      : { subscriptions: [], alerts: [] },
    table.page(Activities, activityOfTarget({ kind: "customer", id })),
  ]);
  const lines = [
    ...own.carts.flatMap((cart) => cart.lines),
    ...orders.flatMap((of) => of.order.items),
  ];
  const uploads = [
    ...lines.flatMap((line) => ("upload_ids" in line ? line.upload_ids : [])),
    ...enquiries.quotes.flatMap(({ upload_ids }) => upload_ids),
    ...orders.flatMap(({ rows }) =>
      rows.returns.flatMap(({ items }) => items.flatMap((item) => item.upload_ids)),
    ),
  ];
  const records: Rows = [
    customerRow("customer", customer),
    ...own.books.map((book) => customerRow("address_book", book)),
    ...own.carts.map((cart) => customerRow("cart", cart)),
    ...own.wishes.map((wish) => customerRow("wish", wish)),
    ...own.sessions.map((session) => customerRow("customer_session", session)),
    ...own.addresses.map((address) => customerRow("customer_known_address", address)),
    ...orders.map(({ order, rows }) =>
      customerRow("order", { ...order, ...rows, totals: totalsNow(order) }),
    ),
    ...enquiries.rows,
    ...blocks.flatMap((block) => (block ? [customerRow("mail_block", block)] : [])),
    ...(proof ? [customerRow("proven_email", proof)] : []),
    ...marketing.subscriptions.map((row) => customerRow("subscription", row)),
    ...marketing.alerts.map((alert) => customerRow("product_alert", alert)),
    ...own.reminders.map((reminder) => customerRow("cart_reminder", reminder)),
    ...(await uploadRows(table, uploads)),
    ...(await conversationRows(table, customer, store.country)),
    ...activities.records.map((activity) => customerRow("activity", activity)),
  ];
  return {
    name: customer.name,
    export: { customer_id: id, exported_at: now.toISOString(), records },
  };
}

/** How many partitions are read concurrently. */
const batchSize = 40;

async function ordersOf(table: Table, id: string): Promise<OrderRecord[]> {
  const store = openOrders(table);
  const found: OrderRecord[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const { records: orders, next } = await listOrdersOf(table, `customer#${id}`, {
      limit: batchSize,
      after,
    });
    const records = await Promise.all(orders.map((order) => store.find(order.id)));
    found.push(...records.filter((record) => record !== undefined));
    after = next;
  } while (after);
  return found;
}

interface Enquiries {
  readonly rows: Rows;
  readonly quotes: readonly StoredQuote[];
}

/** @param enquirers emails, and ids of customers */
async function enquiriesOfAll(table: Table, enquirers: readonly string[]): Promise<Enquiries> {
  const lists = await Promise.all(
    enquirers.map((each) => table.page(EnquiriesOfEmail, { partition: enquiriesOf(each) })),
  );
  const listed = [
    ...new Map(lists.flatMap(({ records }) => records).map((row) => [row.id, row])).values(),
  ];
  const rows: Rows = [];
  const found: StoredQuote[] = [];
  for (let start = 0; start < listed.length; start += batchSize) {
    const read = listed.slice(start, start + batchSize).map(({ id }) => {
      const { pk } = (id.startsWith("lead_") ? Leads : Quotes).key({ id });
      return table.getPartition(pk, { leads: Leads, quotes: Quotes, notes: EnquiryNotes });
    });
    for (const { leads, quotes, notes } of await Promise.all(read)) {
      rows.push(
        ...leads.map((lead) => customerRow("lead", { ...lead, notes })),
        ...quotes.map((quote) => customerRow("quote", { ...quote, notes })),
      );
      found.push(...quotes);
    }
  }
  return { rows, quotes: found };
}

async function uploadRows(table: Table, ids: readonly string[]): Promise<Rows> {
  const { uploads } = await table.getMany({
    uploads: [...new Set(ids)].map((id) => at(FabricUploads, { id })),
  });
  return uploads.flatMap((upload) => (upload ? [customerRow("fabric_upload", upload)] : []));
}

async function conversationRows(
  table: Table,
  { phone, phone_verified_at }: Customer,
  country: string,
): Promise<Rows> {
  if (phone === null || phone_verified_at === null) return [];
  const conversation = await openInbox(table).readNumber(internationalPhone(phone, country));
  if (!conversation) return [];
  // Messages that are being moved to the conversation are still in the one that it continues.
  const messages = await Promise.all(
    [...conversation.merging, conversation.id].map((of) =>
      table.page(Messages, { partition: conversationPartition(of), prefix: messagePrefix }),
    ),
  );
  return [
    customerRow("conversation", conversation),
    ...messages.flatMap(({ records }) => records).map((message) => customerRow("message", message)),
  ];
}

/** The activity record of an export. */
export const recordExport = (audit: AuditContext, { name, export: of }: ExportedCustomer): Write =>
  recordActivity(audit, "customer.export", { kind: "customer", id: of.customer_id, label: name });

/**
 * Exports a customer for staff, and records it in the activity log.
 *
 * @throws AppError `forbidden`, `not_found`, `payload_too_large`
 */
export async function exportForStaff(
  call: AuditedCall & {
    readonly params: { readonly id: string };
    readonly permissions: readonly string[];
  },
  table: Table,
): Promise<CustomerExport> {
  const permission = lacking(call.permissions, ["orders.customers"]);
  if (permission) throw new AppError("forbidden", { details: { permission } });
  const exported = orNotFound(await exportOfCustomer(table, call.params.id, call.now));
  if (!fitsIntoResult(JSON.stringify({ data: exported.export }))) {
    const message =
      "The customer's data is too large for a response. Ask an operator to run `npm run export-customer`.";
    throw new AppError("payload_too_large", { message });
  }
  await table.write(recordExport(auditContextOf(call), exported));
  return exported.export;
}
