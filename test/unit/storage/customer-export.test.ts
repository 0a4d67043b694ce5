import { expect, test } from "vitest";
import { families } from "#functions/families.ts";
import { everyEntity } from "#infra/entities.ts";
import { recordsOfCustomer } from "#shared/domain/export/customer-export.ts";
import type { EntityName } from "#shared/storage/entity-name.ts";

/** Entities that the export contains as part of another record. */
const within: readonly EntityName[] = [
  "order_change",
  "order_return",
  "order_shipment",
  "order_timeline",
  "order_transaction",
  "enquiry_note",
];

/** What the export of a customer leaves out, by reason. */
const leftOut: Readonly<Record<string, readonly EntityName[]>> = {
  "It finds, counts or schedules records that the export contains": [
    "buyer",
    "conversation_phone",
    "conversation_user",
    "caller_holds",
    "counted_thing",
    "coupon_uses",
    "credit_note",
    "voucher",
    "customer_email",
    "customer_of_name",
    "customer_phone",
    "document",
    "due_order",
    "enquiry_of_email",
    "enquiry_reference",
    "follow_up",
    "inbox_counters",
    "marketing_timer",
    "order_names",
    "order_number",
    "order_of_buyer",
    "order_of_name",
    "order_of_return",
    "order_openings",
    "order_to_see",
    "payment_reference",
    "planned_delivery",
    "quote_cart",
    "whatsapp_message",
    "wish_count",
  ],
  "It belongs to one call, mail or payment, expires, and only repeats data of the export": [
    "erased_id",
    "gateway_ask",
    "gateway_event",
    "idempotency",
    "outbox",
    "phone_proof",
    "proof",
    "rate",
    "refund_claim",
    "unsubscribe_link",
  ],
  "It belongs to a visitor's session, which nothing links to a customer": [
    "analytics_event",
    "counted_event",
    "metrics",
    "search_day",
    "visit",
  ],
  "It is about staff": [
    "active_owners",
    "export_job",
    "nobodys_activity",
    "quick_reply",
    "role",
    "second_factor",
    "seen_session",
    "staff",
    "staff_email",
    "staff_known_address",
    "staff_session",
  ],
  "It is about the shop, or every visitor may read it": [
    "alert_wave",
    "card",
    "category_uses",
    "category_version",
    "coupon",
    "coupon_id",
    "credit_note_to_issue",
    "voucher_to_issue",
    "delivery_day",
    "sku_claim",
    "due_publication",
    "feed_files",
    "home",
    "home_version",
    "invoice_numbers",
    "invoice_to_issue",
    "kept_view",
    "location",
    "location_code",
    "material",
    "media_item",
    "media_use",
    "page",
    "page_version",
    "place_count",
    "preview",
    "preview_end",
    "price_watch",
    "product",
    "public_generation",
    "redirect_map",
    "reference_epoch",
    "settings_secrets",
    "slug_claim",
    "sofa",
    "stock",
    "story",
    "story_version",
    "superseded_view",
    "view_pointer",
    "view_rebuild",
  ],
};

const contained: readonly string[] = [...Object.keys(recordsOfCustomer), ...within];

test("every entity is either included in the export of a customer's data or explicitly excluded", async () => {
  const names = (await everyEntity())
    .filter((of) => !of.readsOthers && !of.isPublic)
    .map(({ name }) => name);
  const decided = [...contained, ...Object.values(leftOut).flat()];
  expect(
    names.filter((name) => !decided.includes(name)),
    "Add the entity to shared/domain/export/customer-export.ts, or here with the reason",
  ).toEqual([]);
  expect(decided.toSorted(), "Every entity is listed once, and every listed entity exists").toEqual(
    names.toSorted(),
  );
});

test("the function that exports a customer's data may read every record type in the export", () => {
  const reads = families.find(({ name }) => name === "admin-exports")?.permissions.reads;
  expect(reads).toEqual(expect.arrayContaining([...contained]));
});
