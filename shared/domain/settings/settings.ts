import * as z from "zod";
import type {
  EmailSettings,
  MessagingSettings,
  SecuritySettings,
  SeoSettings,
  SearchSettings,
} from "./further-settings.ts";
import type { ReturnSettings } from "./return-settings.ts";
import type { ShippingSettings } from "./shipping-settings.ts";
import type { StoreSettings } from "./store-settings.ts";
import type { TaxSettings } from "./tax-settings.ts";
import { settingDefaults } from "./setting-defaults.ts";
import { BasisPoints, Money } from "../base/money.ts";
import { type RecordReference, sellablesAt } from "../base/references.ts";
import { Text } from "../base/text.ts";

/** The store with its own currency and locale first in its lists. */
export const listingItsOwn = (store: StoreSettings): StoreSettings => ({
  ...store,
  currencies: [...new Set([store.currency, ...store.currencies])],
  locales: [...new Set([store.locale, ...store.locales])],
});

export const CheckoutSettings = z.strictObject({
  cart_lifetime_days: z.int().min(1).max(365),
  max_open_orders: z
    .int()
    .min(0)
    .max(100)
    .meta({
      description:
        "Maximum open orders per customer, or per guest email or phone. An order is open " +
        "while it awaits payment, or is cash on delivery and not shipped. 0 means no limit",
    }),
  max_open_orders_per_ip: z.int().min(0).max(100).meta({
    description: "Maximum open orders placed from one IP address in 24 hours. 0 means no limit",
  }),
  /** The number of days from an order's delivery to its completion. */
  completed_after_days: z.int().min(0).max(90),
  cart_reminder_hours: z
    .int()
    .min(0)
    .max(720)
    .default(settingDefaults.checkout.cart_reminder_hours)
    .meta({
      description:
        "Hours after the last change of a subscribed customer's cart until one reminder is mailed. " +
        "0: no reminders",
    }),
});
export type CheckoutSettings = z.output<typeof CheckoutSettings>;

export const PaymentMethod = z.enum(["gateway", "cod", "bank_transfer"]);
export type PaymentMethod = z.output<typeof PaymentMethod>;

export const BankAccount = z.strictObject({
  account_name: Text(120),
  account_number: Text(40),
  bank: Text(120),
  branch: Text(120).nullable(),
  /** IFSC in India, a sort code or BIC elsewhere. */
  routing_code: Text(20),
});
export type BankAccount = z.output<typeof BankAccount>;

/** The statuses that can end a buyer's right to cancel for a full refund, in their sequence. */
export const refundLimits = ["confirmed", "in_production", "ready_to_dispatch", "shipped"] as const;

export const DepositSettings = z.strictObject({
  enabled: z.boolean(),
  bps: BasisPoints.min(1).max(9_999).meta({
    description: "The deposit's share of the grand total in basis points, rounded half to even",
  }),
  applies_to: z.enum(["made_to_order", "all"]).meta({
    description: "`made_to_order`: carts with at least one line that is made to order",
  }),
  min_total: Money.meta({ description: "Smallest grand total that can be paid in parts" }),
  refundable_until: z.enum(refundLimits).meta({
    description:
      "The buyer can cancel until the order has this status, and is then refunded in full",
  }),
  balance_days: z.int().min(0).max(365).meta({
    description: "Days to pay the balance once the order is `ready_to_dispatch`",
  }),
  remind_after_days: z
    .array(z.int().min(1).max(365))
    .max(5)
    .meta({ description: "Days after which the buyer is reminded of the balance" }),
});
export type DepositSettings = z.output<typeof DepositSettings>;

export const PaymentSettings = z.strictObject({
  gateway: z.strictObject({
    enabled: z.boolean(),
    label: Text(60),
    expires_after_minutes: z.int().min(5).max(1440),
    /** The gateway's publishable key. The storefront needs it for payments, so it is public, unlike the secrets. */
    publishable_key: Text(255).nullable(),
  }),
  cod: z.strictObject({
    enabled: z.boolean(),
    label: Text(60),
    max_amount: Money,
    made_to_order_allowed: z.boolean(),
  }),
  bank_transfer: z
    .strictObject({
      enabled: z.boolean(),
      label: Text(60),
      expires_after_hours: z.int().min(1).max(336),
      guest_expires_after_hours: z.int().min(1).max(336).meta({
        description: "Hours until an unpaid order of a guest expires",
      }),
      account: BankAccount.nullable(),
    })
    .refine(({ enabled, account }) => !enabled || account !== null, {
      path: ["account"],
      message: "The account field is required while bank transfer is enabled.",
    }),
  deposit: DepositSettings.default(settingDefaults.payments.deposit),
  staff_expires_after_hours: z
    .int()
    .min(1)
    .max(336)
    .default(settingDefaults.payments.staff_expires_after_hours)
    .meta({
      description: "Hours until an unpaid order that staff have placed expires",
    }),
  cash_rounding: z
    .int()
    .min(1)
    .max(100_000)
    .nullable()
    .default(settingDefaults.payments.cash_rounding)
    .meta({
      description:
        "Minor units in whose multiples cash is taken; null for what is usual in the currency",
    }),
});
export type PaymentSettings = z.output<typeof PaymentSettings>;

/** Whether buyers can use the method: a gateway without a publishable key takes no payment. */
export const isOffered = (code: PaymentMethod, payments: PaymentSettings): boolean =>
  payments[code].enabled && (code !== "gateway" || Boolean(payments.gateway.publishable_key));

/** Every group and its members. The schemas by group are in `settings-groups.ts`, for functions that validate them. */
export interface AllSettings {
  store: StoreSettings;
  checkout: CheckoutSettings;
  payments: PaymentSettings;
  shipping: ShippingSettings;
  tax: TaxSettings;
  email: EmailSettings;
  messaging: MessagingSettings;
  seo: SeoSettings;
  security: SecuritySettings;
  search: SearchSettings;
  returns: ReturnSettings;
}
export type SettingsGroup = keyof AllSettings;
export const settingsGroupNames = [
  "store",
  "checkout",
  "payments",
  "shipping",
  "tax",
  "email",
  "messaging",
  "seo",
  "security",
  "search",
  "returns",
] as const satisfies readonly SettingsGroup[];

/** The settings groups that carts, orders and payments read. */
export const commerceGroups = [
  "store",
  "checkout",
  "payments",
  "shipping",
  "tax",
  "returns",
] as const;
export type CommerceGroup = (typeof commerceGroups)[number];
export type Settings = Pick<AllSettings, CommerceGroup>;

/** The references to the products and sofas that the settings boost or hide. */
export const searchReferences = ({ boosts, hidden }: SearchSettings): RecordReference[] => [
  ...boosts.flatMap(({ targets }, boost) => sellablesAt(`boosts.${boost}.targets`, targets)),
  ...sellablesAt("hidden", hidden),
];
