import * as z from "zod";
import { Country } from "../contact/postal-code.ts";
import type {
  EmailSettings,
  MessagingSettings,
  SecuritySettings,
  SeoSettings,
} from "./further-settings.ts";
import type { SearchSettings } from "./search-settings.ts";
import { currencies } from "../base/currency.ts";
import { memoized } from "../base/memoize.ts";
import { BasisPoints, Currency, Money } from "../base/money.ts";
import { Code } from "../base/names.ts";
import { Email, LimitedString, Phone, Text } from "../base/text.ts";
import { BaseAddress } from "../base/web-address.ts";

/** The part of a country that a zone covers. Without prefixes, the zone covers the whole country. */
const area = {
  code: Code,
  name: Text(80),
  country: Country,
  postal_prefixes: z.array(z.string().regex(/^[A-Z0-9]{1,10}$/)).max(500),
};

const regionNames = memoized(
  () => new Intl.DisplayNames("en", { type: "region", fallback: "none" }),
);
/** The code of an unknown region. */
const unknownRegion = "ZZ";

/** Adds an issue at the code of every entry that repeats an earlier entry's code. */
function requireDistinctCodes(
  path: readonly (string | number)[],
  entries: readonly { readonly code: string }[],
  context: z.core.$RefinementCtx,
  what: string,
): void {
  const known = new Set<string>();
  for (const [index, { code }] of entries.entries()) {
    if (known.has(code)) {
      context.addIssue({
        code: "custom",
        path: [...path, index, "code"],
        message: `Another ${what} has the code ${code}.`,
      });
    }
    known.add(code);
  }
}

function isLocale(tag: string): boolean {
  try {
    const { region } = new Intl.Locale(tag);
    const known = region === undefined || regionNames().of(region) !== undefined;
    const [supported] = Intl.NumberFormat.supportedLocalesOf(tag);
    return supported === tag && known && region !== unknownRegion;
  } catch {
    return false;
  }
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** A BCP 47 tag with an existing language and, if it names one, an existing country. */
export const Locale = LimitedString(35)
  .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/)
  .refine(isLocale, "The locale must be a real language tag, such as en-IN.")
  .meta({ description: "BCP 47 language tag", example: "en-IN" });

/** A currency in circulation. */
const CirculatingCurrency = Currency.refine(
  (code) => currencies.has(code),
  "The currency must be an ISO 4217 code, such as INR.",
);

export const StoreSettings = z.strictObject({
  name: Text(80),
  legal_name: Text(120),
  /** The seller's tax number, printed on invoices. */
  tax_id: Text(40).nullable(),
  address_lines: z.array(Text(120)).max(8),
  currency: CirculatingCurrency,
  locale: Locale,
  /** The currencies and locales that customers may choose; the shop's own are always included. */
  currencies: z.array(CirculatingCurrency).max(50).default([]),
  locales: z.array(Locale).max(50).default([]),
  /** The IANA name of the shop's timezone. */
  timezone: LimitedString(60).refine(isTimezone, "The timezone field must be a valid timezone."),
  country: Country,
  contact: z.strictObject({
    email: Email.nullable(),
    phone: Phone.nullable(),
    whatsapp: Phone.nullable(),
  }),
  storefront_url: BaseAddress,
  admin_url: BaseAddress,
  /** Further hosts that redirects may lead to. */
  redirect_hosts: z.array(LimitedString(253).regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/)).max(50),
  /** The smallest price drop that product alerts announce. */
  min_drop_bps: BasisPoints.max(10_000).default(500),
  /** Switches that the storefront may read. */
  features: z.record(Code, z.boolean()),
});
export type StoreSettings = z.output<typeof StoreSettings>;

/** Hosts that redirects may lead to: the storefront's own and those in `redirect_hosts`. */
export const redirectHosts = ({
  storefront_url,
  redirect_hosts,
}: Pick<StoreSettings, "storefront_url" | "redirect_hosts">): string[] => [
  new URL(storefront_url).hostname,
  ...redirect_hosts,
];

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
    .default(24)
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
});
export type PaymentSettings = z.output<typeof PaymentSettings>;

export const ShippingMethodCode = z.enum(["standard", "room_of_choice", "white_glove", "pickup"]);
export type ShippingMethodCode = z.output<typeof ShippingMethodCode>;

/** The price of a consignment up to a weight and a volume. Null means no limit. */
export const RateBand = z.strictObject({
  max_weight_g: z.int().min(1).nullable(),
  max_volume_cm3: z.int().min(1).nullable(),
  /** Including tax. */
  amount: Money,
});
export type RateBand = z.output<typeof RateBand>;

export const ShippingMethodSettings = z.strictObject({
  code: ShippingMethodCode,
  label: Text(60),
  includes: z.array(Text(120)).max(12),
  transit_days: z
    .strictObject({ min: z.int().min(0).max(90), max: z.int().min(0).max(90) })
    .refine(({ min, max }) => min <= max, {
      path: ["max"],
      message: "The max field must be at least the min field.",
    }),
  /** Shipping is free from this item total, after discounts; null if shipping is never free. */
  free_above: Money.nullable(),
  /** Smallest first. The first band that fits determines the price. If none fits, the method is not offered. */
  bands: z.array(RateBand).min(1).max(50),
});
export type ShippingMethodSettings = z.output<typeof ShippingMethodSettings>;

export const ShippingZone = z.strictObject({
  ...area,
  cod: z.boolean(),
  methods: z.array(ShippingMethodSettings).min(1).max(4),
});
export type ShippingZone = z.output<typeof ShippingZone>;

/** The first zone that covers a destination applies. A destination without a zone is not served. */
export const ShippingSettings = z
  .strictObject({ zones: z.array(ShippingZone).max(200) })
  .superRefine(({ zones }, context) => {
    requireDistinctCodes(["zones"], zones, context, "zone");
    for (const [index, { methods }] of zones.entries()) {
      requireDistinctCodes(["zones", index, "methods"], methods, context, "method");
    }
  });
export type ShippingSettings = z.output<typeof ShippingSettings>;

export const TaxComponentRate = z.strictObject({
  code: Code,
  label: Text(40),
  bps: BasisPoints.max(10_000),
});
export type TaxComponentRate = z.output<typeof TaxComponentRate>;

export const TaxZone = z.strictObject({
  ...area,
  /** Tax class → its components. A class that is not listed is taxed as the default class. */
  classes: z.record(Code, z.array(TaxComponentRate).max(6)),
});
export type TaxZone = z.output<typeof TaxZone>;

export const TaxSettings = z
  .strictObject({
    /** Whether catalog prices include tax. Shipping prices always do. */
    prices_include_tax: z.boolean(),
    default_class: Code,
    shipping_class: Code,
    /** The zone for a cart without a destination. */
    home_zone: Code,
    /** The first zone that covers a destination applies. A destination without a zone is not taxed. */
    zones: z.array(TaxZone).max(200),
    /** Invoices are numbered within a financial year, such as `FS/26-27/000123`: at most 16 characters. */
    invoice: z.strictObject({
      prefix: z.string().regex(/^[A-Z0-9]{1,3}$/),
      /** 1 is January. */
      year_starts_month: z.int().min(1).max(12),
    }),
  })
  .superRefine((tax, context) => {
    requireDistinctCodes(["zones"], tax.zones, context, "zone");
    for (const [index, zone] of tax.zones.entries()) {
      for (const [name, components] of Object.entries(zone.classes)) {
        const path = ["zones", index, "classes", name];
        requireDistinctCodes(path, components, context, "component of the class");
      }
      if (!(tax.default_class in zone.classes)) {
        context.addIssue({
          code: "custom",
          path: ["zones", index, "classes"],
          message: `The zone ${zone.name} must include the default tax class ${tax.default_class}.`,
        });
      }
    }
    if (!taxClasses(tax).has(tax.shipping_class)) {
      context.addIssue({
        code: "custom",
        path: ["shipping_class"],
        message: "The shipping class must be one that a zone uses.",
      });
    }
    if (!tax.zones.some(({ code }) => code === tax.home_zone)) {
      context.addIssue({
        code: "custom",
        path: ["home_zone"],
        message: "The home zone must be one of the zones.",
      });
    }
  });
export type TaxSettings = z.output<typeof TaxSettings>;

/** The tax classes that products may have: the default class and the classes of all zones. */
export const taxClasses = ({
  default_class,
  zones,
}: Pick<TaxSettings, "default_class" | "zones">): Set<string> =>
  new Set([default_class, ...zones.flatMap(({ classes }) => Object.keys(classes))]);

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
] as const satisfies readonly SettingsGroup[];

/** The settings groups that carts, orders and payments read. */
export const commerceGroups = ["store", "checkout", "payments", "shipping", "tax"] as const;
export type CommerceGroup = (typeof commerceGroups)[number];
export type Settings = Pick<AllSettings, CommerceGroup>;
