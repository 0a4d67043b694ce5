const at = "2026-11-22T09:00:00.000Z";
const address = { subject: "cus_1", address: "10.0.0.7" };
const order = { id: "ord_1", placed_at: at, status: "confirmed" };
const formats = [1, 2].map((format) => ({ index: "catalog", format }));

/** Records for the keys that entities declare as patterns: one record for each pattern, in the same order. */
export const samples: Readonly<Record<string, { readonly [place: string]: readonly object[] }>> = {
  conversation: {
    gsi1: [{ status: "open", last_message_at: at, id: "conv_1", merged_into: null }],
    gsi2: [{ status: "open", last_message_at: at, id: "conv_1", merged_into: null }],
  },
  activity: { table: [{ at, id: "act_1" }] },
  cart: {
    table: [
      { owner: { kind: "guest", tokenHash: "qpmP2w" } },
      { owner: { kind: "customer", id: "cus_1" } },
    ],
  },
  coupon_uses: {
    table: [
      { code: "DIWALI25", by: "all" },
      { code: "DIWALI25", by: "email#asha@example.com" },
    ],
  },
  customer_known_address: { table: [address] },
  customer: { gsi2: [{ name: "Asha Rao", id: "cus_1" }] },
  enquiry_note: {
    table: [
      { of: "LEAD#lead_1", at, id: "note_1" },
      { of: "QUOTE#qte_1", at, id: "note_1" },
    ],
  },
  metrics: {
    table: [
      { topic: "sales", period: "2026-11-22", shard: 0 },
      { topic: "sales", period: "2026-11", shard: 0 },
    ],
  },
  home_version: { table: [{ version: 3 }] },
  idempotency: { table: [{ route: "checkout", caller: "CART#qpmP2w", key: "one" }] },
  media_item: { gsi1: [{ id: "med_1", deleted_at: null }] },
  caller_holds: { table: [{ caller: "10.0.0.7" }] },
  order: { gsi1: [order], gsi2: [order] },
  order_change: { table: [{ order_id: "ord_1", version: 3 }] },
  order_openings: { table: [{ caller: "10.0.0.7" }] },
  order_timeline: { table: [{ order_id: "ord_1", at, version: 3, position: 0 }] },
  outbox: { gsi1: [{ id: "order_placed", state: "waiting", sweep_at: at }] },
  page_version: { table: [{ id: "page_1", version: 3 }] },
  planned_delivery: {
    table: [{ date: "2026-11-22", zone: "south", from: "09:00", window: "am", order_id: "ord_1" }],
  },
  product_alert: {
    gsi1: [
      {
        product_id: "prd_1",
        kind: "price_drop",
        status: "waiting",
        confirmed_at: at,
        email: "asha@example.com",
      },
    ],
  },
  staff_known_address: { table: [address] },
  story_version: { table: [{ id: "story_1", version: 3 }] },
  search_day: { table: [{ day: "2026-11-22", shard: 0 }] },
  superseded_view: { table: formats },
  view_pointer: { table: formats },
  view_rebuild: { table: formats },
};
