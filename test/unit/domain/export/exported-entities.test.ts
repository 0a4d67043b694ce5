import { expect, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { everyEntity } from "#infra/entities.ts";

/** Entities that no export contains, by reason. */
const notExported: Readonly<Record<string, readonly string[]>> = {
  "They are derived from other records, or count, find or lock them": [
    "active_owners",
    "buyer",
    "card",
    "category_uses",
    "category_version",
    "conversation_phone",
    "counted_event",
    "counted_thing",
    "coupon_id",
    "coupon_uses",
    "customer_email",
    "customer_phone",
    "dropped_sku",
    "due_order",
    "enquiry_of_email",
    "enquiry_reference",
    "inbox_counters",
    "invoice_numbers",
    "kept_view",
    "metrics",
    "order_names",
    "order_number",
    "order_of_buyer",
    "order_of_name",
    "order_openings",
    "order_to_see",
    "published_material",
    "published_product",
    "published_sofa",
    "quote_cart",
    "reference_epoch",
    "slug_claim",
    "staff_email",
    "story_teaser",
    "superseded_view",
    "view_rebuild",
    "wish_count",
  ],
  "They belong to a call, a message or a gateway, and expire or have done their work": [
    "analytics_event",
    "fabric_upload",
    "gateway_ask",
    "gateway_event",
    "idempotency",
    "outbox",
    "rate",
    "refund_claim",
    "visit",
    "whatsapp_message",
  ],
  "They prove who somebody is, or are secrets": [
    "customer_known_address",
    "customer_session",
    "proof",
    "second_factor",
    "seen_session",
    "settings_secrets",
    "staff_known_address",
    "staff_session",
  ],
  "They are earlier versions": ["home_version", "page_version", "story_version"],
  "They concern people outside orders, whose data no export carries away": [
    "address_book",
    "cart",
    "conversation",
    "customer",
    "enquiry_note",
    "lead",
    "message",
    "quote",
    "wish",
  ],
  "They concern how the staff works": [
    "activity",
    "coupon",
    "nobodys_activity",
    "quick_reply",
    "role",
    "staff",
  ],
};

test("every entity is exported, or exempted by name", async () => {
  const exports = consumers.find(({ name }) => name === "on-change-exports");
  const exported = new Set<string>(exports?.permissions.reads);
  const exempted = new Set(Object.values(notExported).flat());
  const entities = (await everyEntity()).filter(({ readsOthers }) => !readsOthers);
  const names = entities.map(({ name }) => name);
  const forgotten = names.filter((name) => !exported.has(name) && !exempted.has(name));
  expect(
    forgotten,
    "Export them (shared/domain/export/exported-records.ts, functions/on-change/exports and its " +
      "permissions in functions/consumers.ts), or name them in `notExported` with the reason",
  ).toEqual([]);
  const stale = [...exempted].filter((name) => !names.includes(name) || exported.has(name));
  expect(stale, "Remove them from `notExported`: they are exported, or gone").toEqual([]);
});
