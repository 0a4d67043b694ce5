import type { PostalAddress } from "#shared/domain/contact/postal-address.ts";
import type { StoredCart, StoredCartLine } from "#shared/domain/cart/cart.ts";
import type { Coupon, CouponCase } from "#shared/domain/pricing/coupon.ts";
import type { PricedLine } from "#shared/domain/pricing/priced-line.ts";
import type {
  DepositSettings,
  PaymentSettings,
  Settings,
} from "#shared/domain/settings/settings.ts";
import type {
  ShippingMethodSettings,
  ShippingSettings,
  ShippingZone,
} from "#shared/domain/settings/shipping-settings.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import type { StoreSettings } from "#shared/domain/settings/store-settings.ts";
import type { TaxSettings } from "#shared/domain/settings/tax-settings.ts";
import type { Stock } from "#shared/domain/catalog/stock.ts";
import type { PricingRequest } from "#shared/domain/pricing/totals.ts";

export const noon = new Date("2026-11-21T06:30:00.000Z");

/** A valid id with this prefix. The same number always gives the same id. */
export function anId(prefix: string, number = 1): string {
  return `${prefix}_01JD000000${String(number).padStart(16, "0")}`;
}

export function aStore(overrides: Partial<StoreSettings> = {}): StoreSettings {
  return {
    name: "Teak & Thread",
    legal_name: "Teak and Thread Furniture Private Limited",
    tax_id: null,
    address_lines: ["12 Residency Road", "Bengaluru 560025"],
    currency: "INR",
    locale: "en-IN",
    currencies: ["INR"],
    locales: ["en-IN"],
    timezone: "Asia/Kolkata",
    country: "IN",
    contact: { email: "care@example.com", phone: "+918040001000", whatsapp: null },
    storefront_url: "https://shop.example.com",
    admin_url: "https://desk.example.com",
    redirect_hosts: [],
    min_drop_bps: defaultSettings.store.min_drop_bps,
    features: {},
    ...overrides,
  };
}

export function aTax(overrides: Partial<TaxSettings> = {}): TaxSettings {
  const components = (...parts: [code: string, bps: number][]) =>
    parts.map(([code, bps]) => ({ code, label: code.toUpperCase(), bps }));
  return {
    prices_include_tax: true,
    default_class: "standard",
    shipping_class: "standard",
    home_zone: "karnataka",
    zones: [
      {
        code: "karnataka",
        name: "Karnataka",
        country: "IN",
        postal_prefixes: ["56", "57", "58", "59"],
        classes: {
          standard: components(["cgst", 900], ["sgst", 900]),
          reduced: components(["cgst", 250], ["sgst", 250]),
        },
      },
      {
        code: "india",
        name: "Rest of India",
        country: "IN",
        postal_prefixes: [],
        classes: { standard: components(["igst", 1800]), reduced: components(["igst", 500]) },
      },
    ],
    invoice: { prefix: "FS", year_starts_month: 4 },
    vouchers_for_advances: defaultSettings.tax.vouchers_for_advances,
    ...overrides,
  };
}

export function aMethod(overrides: Partial<ShippingMethodSettings> = {}): ShippingMethodSettings {
  return {
    code: "standard",
    label: "Standard delivery",
    includes: ["To your door"],
    transit_days: { min: 2, max: 4 },
    free_above: null,
    bands: [
      { max_weight_g: 20_000, max_volume_cm3: 200_000, amount: 49_900 },
      { max_weight_g: null, max_volume_cm3: null, amount: 199_900 },
    ],
    ...overrides,
  };
}

export function aZone(overrides: Partial<ShippingZone> = {}): ShippingZone {
  return {
    code: "south",
    name: "South India",
    country: "IN",
    postal_prefixes: ["5", "6"],
    cod: true,
    methods: [aMethod()],
    ...overrides,
  };
}

/** Every cart may be paid with a deposit of a fifth. */
export function aDepositSetting(overrides: Partial<DepositSettings> = {}): DepositSettings {
  return {
    enabled: true,
    bps: 2_000,
    applies_to: "all",
    min_total: 0,
    refundable_until: "in_production",
    balance_days: 7,
    remind_after_days: [3, 6],
    ...overrides,
  };
}

export function somePayments(overrides: Partial<PaymentSettings> = {}): PaymentSettings {
  return {
    ...defaultSettings.payments,
    gateway: {
      enabled: true,
      label: "Card or UPI",
      expires_after_minutes: 30,
      publishable_key: null,
    },
    cod: {
      enabled: true,
      label: "Cash on delivery",
      max_amount: 5_000_000,
      made_to_order_allowed: false,
    },
    bank_transfer: {
      enabled: true,
      label: "Bank transfer",
      expires_after_hours: 72,
      guest_expires_after_hours: 24,
      account: {
        account_name: "Teak and Thread",
        account_number: "001234567890",
        bank: "Example Bank",
        branch: null,
        routing_code: "EXMP0000123",
      },
    },
    deposit: aDepositSetting({ enabled: false }),
    ...overrides,
  };
}

/** Shipping settings without delivery slots. */
export const someShipping = (zones: ShippingSettings["zones"]): ShippingSettings => ({
  zones,
  slots: defaultSettings.shipping.slots,
});

export function someSettings(
  overrides: Partial<Settings> = {},
): PricingRequest["settings"] & Pick<Settings, "returns"> {
  return {
    returns: defaultSettings.returns,
    store: aStore(),
    tax: aTax(),
    shipping: someShipping([aZone()]),
    payments: somePayments(),
    ...overrides,
  };
}

export function aPricedLine(overrides: Partial<PricedLine> = {}): PricedLine {
  return {
    id: anId("line"),
    kind: "product",
    product_id: anId("prd"),
    sofa_id: null,
    variant_id: anId("var"),
    slug: "oslo-oak-chair",
    material_code: null,
    configuration: null,
    configuration_id: null,
    choices: [],
    name: "Oslo chair",
    sku: "CHR-OSLO-OAK",
    image: null,
    quantity: 1,
    unit_price: 4_599_000,
    discount: 0,
    last_price: 4_599_000,
    price_lines: [],
    availability: { state: "in_stock", lead_time: { min_days: 1, max_days: 2 } },
    made_to_order: false,
    categories: ["chairs", "seating"],
    tax_class: "standard",
    hsn_code: "9401",
    cod_eligible: true,
    delivery_classes: [],
    warranty: [],
    parcels: [{ weight_g: 9_000, volume_cm3: 120_000 }],
    upload_ids: [],
    note: null,
    ...overrides,
  };
}

export function aCoupon(overrides: Partial<Coupon> = {}): Coupon {
  return {
    id: anId("cpn"),
    code: "WELCOME10",
    description: null,
    active: true,
    benefit: { kind: "percent", bps: 1000, cap: null },
    starts_at: null,
    ends_at: null,
    min_subtotal: null,
    max_uses: null,
    max_uses_per_customer: null,
    first_order_only: false,
    login_required: false,
    applies_to: { categories: [], product_ids: [] },
    used: false,
    version: 1,
    updated_at: noon.toISOString(),
    ...overrides,
  };
}

export function aCouponCase(overrides: Partial<CouponCase> = {}): CouponCase {
  return {
    coupon: aCoupon(),
    uses: 0,
    buyer: { signed_in: false, orders: 0, uses: 0 },
    ...overrides,
  };
}

export function aPricing(overrides: Partial<PricingRequest> = {}): PricingRequest {
  return {
    lines: [aPricedLine()],
    coupon: null,
    settings: someSettings(),
    destination: { country: "IN", postal_code: "560001" },
    method: "standard",
    now: noon,
    ...overrides,
  };
}

export function anAddress(overrides: Partial<PostalAddress> = {}): PostalAddress {
  return {
    name: "Asha Rao",
    phone: "+919812345678",
    line1: "4 Church Street",
    line2: null,
    landmark: null,
    city: "Bengaluru",
    state: "Karnataka",
    postal_code: "560001",
    country: "IN",
    access: null,
    ...overrides,
  };
}

export function aStoredCart(overrides: Partial<StoredCart> = {}): StoredCart {
  return {
    id: anId("cart"),
    status: "active",
    order_id: null,
    customer_id: null,
    currency: "INR",
    lines: [],
    coupon_code: null,
    email: null,
    slot_hold: null,
    version: 1,
    created_at: noon.toISOString(),
    updated_at: noon.toISOString(),
    expires_at: noon.toISOString(),
    ...overrides,
  };
}

export function aStockRow(overrides: Partial<Stock> = {}): Stock {
  return {
    id: anId("var"),
    owner: { kind: "product", id: anId("prd"), slug: "oslo-oak-chair" },
    on_hand: 50,
    reserved: 0,
    available: 50,
    policy: "deny",
    low_stock_threshold: 5,
    version: 1,
    updated_at: noon.toISOString(),
    ...overrides,
  };
}

/** A cart line of a quote's custom item. */
export function aQuotedLine(
  overrides: Partial<Extract<StoredCartLine, { kind: "quoted" }>> = {},
): Extract<StoredCartLine, { kind: "quoted" }> {
  return {
    kind: "quoted",
    id: anId("line"),
    quantity: 3,
    unit_price: 800_000,
    quote_id: anId("qte"),
    revision: 2,
    valid_until: new Date(noon.getTime() + 1).toISOString(),
    discount: 0,
    product_id: null,
    sofa_id: null,
    variant_id: null,
    slug: null,
    configuration: null,
    configuration_id: null,
    choices: [],
    name: "Bench to measure",
    sku: null,
    warranty: [],
    image: null,
    tax_class: "furniture",
    hsn_code: "9401",
    lead_time: { min_days: 20, max_days: 30 },
    delivery_classes: [],
    parcels: [{ weight_g: 30_000, volume_cm3: 500_000 }],
    ...overrides,
  };
}
