/**
 * The defaults that both the schemas and `defaultSettings` need: of members that later releases have added, and that
 * staff may leave out.
 */
export const settingDefaults = {
  store: {
    /** In basis points. */
    min_drop_bps: 500,
  },
  checkout: { cart_reminder_hours: 24 },
  payments: {
    /** Orders cannot be paid in parts until staff enable it. */
    deposit: {
      enabled: false,
      bps: 2_000,
      applies_to: "made_to_order" as const,
      min_total: 0,
      refundable_until: "in_production" as const,
      balance_days: 7,
      remind_after_days: [3, 6],
    },
    staff_expires_after_hours: 72,
    cash_rounding: null,
  },
  shipping: {
    /** No days can be chosen. */
    slots: { enabled: false, required: false, methods: [], cut_off: "17:00", zones: {} },
  },
  tax: { vouchers_for_advances: false },
  seo: {
    paths: {
      product: "/products/{slug}",
      sofa: "/sofas/{slug}",
      page: "/pages/{slug}",
      story: "/interiors/{slug}",
      category: "/categories/{slug}",
    },
  },
  returns: {
    window_days: 14,
    made_to_order: false,
    reasons: [
      reason("changed-mind", "Changed my mind", "customer"),
      reason("does-not-fit", "Does not fit my room", "customer"),
      { ...reason("damaged", "Arrived damaged", "carrier"), needs_photo: true },
      { ...reason("defective", "Does not work or broke", "factory"), needs_photo: true },
      reason("wrong-item", "Not what I ordered", "shop"),
    ],
    fee: { fixed: 0, bps: 0 },
    refund_shipping: true,
    pickup: true,
  },
};

function reason<Fault extends string>(code: string, label: string, fault: Fault) {
  return { code, label, needs_photo: false, fault };
}
