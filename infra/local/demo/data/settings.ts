import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import type { AllSettings } from "#shared/domain/settings/settings.ts";
import type { TaxComponentRate, TaxZone } from "#shared/domain/settings/tax-settings.ts";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import { localWhatsApp } from "#infra/local/whatsapp/whatsapp-keys.ts";
import { currency, rupees } from "../identity.ts";
import { demoShipping } from "./shipping-zones.ts";

/** GST by class, in per cent. Cane and bamboo furniture and handmade rugs are taxed as handicrafts. */
const gst = { furniture: 18, cane_bamboo: 5, handmade_rug: 5, delivery: 18 };

const classes = (components: (percent: number) => TaxComponentRate[]): TaxZone["classes"] =>
  Object.fromEntries(Object.entries(gst).map(([name, percent]) => [name, components(percent)]));

const { payments } = defaultSettings;

export const demoSettings: AllSettings = {
  store: {
    name: "Dehleez",
    legal_name: "Dehleez Furniture Private Limited",
    tax_id: "29AAKCD4821M1Z7",
    address_lines: [
      "14, 12th Main Road",
      "HAL 2nd Stage, Indiranagar",
      "Bengaluru 560038",
      "Karnataka, India",
    ],
    currency,
    locale: "en-IN",
    currencies: [currency],
    locales: ["en-IN", "hi-IN"],
    timezone: "Asia/Kolkata",
    country: "IN",
    contact: { email: "hello@dehleez.example", phone: "+918049001122", whatsapp: "+918049001122" },
    storefront_url: "https://www.dehleez.example",
    admin_url: "https://admin.dehleez.example",
    redirect_hosts: [],
    min_drop_bps: defaultSettings.store.min_drop_bps,
    features: { sofa_configurator: true, wishlist: true, swatches: true, store_pickup: true },
  },
  checkout: defaultSettings.checkout,
  payments: {
    ...payments,
    gateway: {
      ...payments.gateway,
      enabled: true,
      publishable_key: emulatorKeys.publishableKey,
    },
    cod: { ...payments.cod, enabled: true, max_amount: rupees(50_000) },
    bank_transfer: {
      ...payments.bank_transfer,
      enabled: true,
      label: "Bank transfer (NEFT, RTGS, UPI)",
      account: {
        account_name: "Dehleez Furniture Private Limited",
        account_number: "004905018246",
        bank: "Example Bank of India",
        branch: "Indiranagar, Bengaluru",
        routing_code: "EXBI0000049",
      },
    },
    deposit: { ...payments.deposit, enabled: true, bps: 2_500, min_total: rupees(20_000) },
  },
  shipping: demoShipping,
  tax: {
    prices_include_tax: true,
    default_class: "furniture",
    shipping_class: "delivery",
    home_zone: "karnataka",
    zones: [
      {
        code: "karnataka",
        name: "Karnataka: the seller's own state",
        country: "IN",
        postal_prefixes: ["56", "57", "58", "59"],
        classes: classes((percent) => [
          { code: "cgst", label: "CGST", bps: percent * 50 },
          { code: "sgst", label: "SGST", bps: percent * 50 },
        ]),
      },
      {
        code: "other-states",
        name: "All other states",
        country: "IN",
        postal_prefixes: [],
        classes: classes((percent) => [{ code: "igst", label: "IGST", bps: percent * 100 }]),
      },
    ],
    invoice: { prefix: "DHL", year_starts_month: 4 },
    vouchers_for_advances: true,
  },
  email: defaultSettings.email,
  messaging: {
    whatsapp: {
      ...defaultSettings.messaging.whatsapp,
      enabled: true,
      phone_number_id: localWhatsApp.phone_number_id,
    },
  },
  seo: {
    ...defaultSettings.seo,
    default_title: "Dehleez: furniture made to last",
    default_description:
      "Solid wood furniture and sofas made to order, delivered and set up across India.",
  },
  security: defaultSettings.security,
  search: { ...defaultSettings.search, synonyms: [["dhurrie", "durrie", "dari"]] },
  returns: { ...defaultSettings.returns, fee: { fixed: 0, bps: 500 } },
};
