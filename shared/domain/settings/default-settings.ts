import { settingDefaults } from "./setting-defaults.ts";
import type { AllSettings } from "./settings.ts";

/**
 * The settings of each group until staff save it. With them the shop cannot sell yet: they contain no delivery zone and
 * enable no payment method. Their addresses use a domain that nobody can register.
 */
export const defaultSettings: AllSettings = {
  store: {
    name: "Furniture store",
    legal_name: "Furniture store",
    tax_id: null,
    address_lines: [],
    currency: "INR",
    locale: "en-IN",
    currencies: ["INR"],
    locales: ["en-IN"],
    timezone: "Asia/Kolkata",
    country: "IN",
    contact: { email: null, phone: null, whatsapp: null },
    storefront_url: "https://storefront.invalid",
    admin_url: "https://back-office.invalid",
    redirect_hosts: [],
    ...settingDefaults.store,
    features: {},
  },
  checkout: {
    cart_lifetime_days: 60,
    max_open_orders: 5,
    max_open_orders_per_ip: 10,
    completed_after_days: 7,
    ...settingDefaults.checkout,
  },
  payments: {
    gateway: {
      enabled: false,
      label: "Card, UPI or net banking",
      expires_after_minutes: 30,
      publishable_key: null,
    },
    cod: {
      enabled: false,
      label: "Cash on delivery",
      max_amount: 5_000_000,
      made_to_order_allowed: false,
    },
    bank_transfer: {
      enabled: false,
      label: "Bank transfer",
      expires_after_hours: 72,
      guest_expires_after_hours: 24,
      account: null,
    },
    ...settingDefaults.payments,
  },
  shipping: { zones: [], ...settingDefaults.shipping },
  tax: {
    prices_include_tax: true,
    default_class: "standard",
    shipping_class: "standard",
    home_zone: "home",
    zones: [
      {
        code: "home",
        name: "Home country",
        country: "IN",
        postal_prefixes: [],
        classes: { standard: [] },
      },
    ],
    invoice: { prefix: "FS", year_starts_month: 4 },
    ...settingDefaults.tax,
  },
  email: {
    sender_name: null,
    reply_to: null,
    order_copy_to: null,
    staff_alerts_to: null,
  },
  messaging: {
    whatsapp: {
      enabled: false,
      phone_number_id: null,
      business_account_id: null,
      api_version: "v23.0",
    },
  },
  seo: {
    default_title: null,
    default_description: null,
    og_image_url: null,
    indexable: true,
    ...settingDefaults.seo,
  },
  security: { staff_session_hours: 12, staff_email_domains: [] },
  search: { synonyms: [], boosts: [], hidden: [] },
  returns: settingDefaults.returns,
};
