import { randomInt, randomUUID } from "node:crypto";
import type { Coupon } from "#shared/domain/pricing/coupon.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { publishMaterial } from "#shared/domain/catalog/material.ts";
import type { Product, PublishedProduct, Variant } from "#shared/domain/catalog/product.ts";
import { publishProduct } from "#shared/domain/catalog/publish.ts";
import type { Sofa } from "#shared/domain/sofa/sofa.ts";
import { type Stock, countedStock, newStock } from "#shared/domain/catalog/stock.ts";
import { patience } from "#infra/local/emulators/patient-client.ts";
import type { StackEnvironment } from "#infra/local/stack.ts";
import {
  PublishedMaterials,
  PublishedProducts,
  PublishedSofas,
  Stocks,
} from "#shared/storage/catalog/catalog.ts";
import { claimSku } from "#shared/storage/catalog/sku-claims.ts";
import { CouponIds } from "#shared/storage/pricing/coupon-edits.ts";
import { Coupons } from "#shared/storage/pricing/coupons.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
import { putSettings } from "#shared/storage/settings/put-settings.ts";
import { put } from "#shared/storage/writes.ts";
import {
  aCategory,
  aMaterial,
  aProduct,
  aPublishedSofa,
  aSofa,
  aValue,
  aVariant,
} from "./builders.ts";
import { clientAt } from "#test/memory-table/addresses.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { aCoupon, someSettings } from "./commerce.ts";
import { type CartOwner, Carts } from "#shared/storage/cart/carts.ts";
import { FabricUploads } from "#shared/storage/upload/fabric-uploads.ts";

const now = new Date();

/** The table of a running stack. */
export function tableOf({
  TABLE_NAME,
  DYNAMODB_ENDPOINT,
}: Pick<StackEnvironment, "TABLE_NAME" | "DYNAMODB_ENDPOINT">): Table {
  return openTable({
    name: TABLE_NAME,
    endpoint: DYNAMODB_ENDPOINT,
    client: clientAt(DYNAMODB_ENDPOINT),
    requestTimeout: patience,
  });
}

/** Gives an empty table the settings of a shop. */
export async function plantSettings(table: Table): Promise<void> {
  const { store, tax, shipping, payments } = someSettings();
  const checkout = { ...defaultSettings.checkout, cart_lifetime_days: 30 };
  await table.transact([
    putSettings("store", store, 1),
    putSettings("tax", tax, 1),
    putSettings("shipping", shipping, 1),
    putSettings("payments", payments, 1),
    putSettings("checkout", checkout, 1),
  ]);
}

const nothingMeasured = {
  width_mm: null,
  depth_mm: null,
  height_mm: null,
  seat_height_mm: null,
  seat_depth_mm: null,
  arm_height_mm: null,
  diameter_mm: null,
  weight_g: null,
};
const chairs = aCategory({ slug: "accent-chairs", name: "Accent chairs" });

/** Members of a product. Variants may lack the cost, as in a published product. The cost is then null. */
type ProductOverrides = Partial<Omit<Product, "variants">> & {
  readonly variants?: readonly (Omit<Variant, "cost"> & Partial<Pick<Variant, "cost">>)[];
};

/** A published chair with one variant. Its name, slug and SKU are unique. */
export function aPublishedProduct({
  variants = [aVariantOf()],
  ...overrides
}: ProductOverrides = {}): PublishedProduct {
  const mark = aMark();
  const draft = aProduct({
    id: newId("prd", now),
    status: "published",
    slug: `test-chair-${mark}`,
    name: `Test chair ${mark}`,
    subtitle: null,
    description_html: "<p>A chair to test with.</p>",
    category_slug: chairs.slug,
    collection_slug: null,
    rooms: [],
    styles: [],
    tags: [],
    badges: [],
    media: [],
    dimensions: nothingMeasured,
    packages: [{ label: "Carton", width_mm: 600, depth_mm: 600, height_mm: 900, weight_g: 9_000 }],
    materials: [],
    warranty: [],
    delivery_classes: [],
    tax_class: "standard",
    lead_time: { min_days: 1, max_days: 3 },
    popularity: 0,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    options: [],
    variants: variants.map((variant) => ({ cost: null, ...variant })),
    backorder_lead_time: null,
    ...overrides,
  });
  const publication = publishProduct(draft, [chairs], now);
  if (!publication.ok) throw new Error(JSON.stringify(publication.problems));
  return publication.published;
}

const aMark = () => randomUUID().slice(0, 13);

const aVariantOf = () =>
  aVariant({
    id: newId("var", now),
    sku: `TEST-${aMark().toUpperCase()}`,
    options: {},
    price: 1_000_000,
    cost: null,
    weight_g: 9_000,
    media_ids: [],
  });

export interface PlantedProduct {
  readonly product: PublishedProduct;
  /** The SKU of the first variant. */
  readonly sku: string;
  /** The id of its stock. */
  readonly stock_id: string;
  stock(): Promise<Stock>;
}

/** Publishes a product that no other test uses, and counts its stock. Writes the same rows as staff do. */
export async function plantProduct(
  table: Table,
  {
    units = 10,
    policy = "deny",
    ...overrides
  }: ProductOverrides & { units?: number; policy?: Stock["policy"] } = {},
): Promise<PlantedProduct> {
  const product = aPublishedProduct(overrides);
  const { id, slug } = product;
  const owner = { kind: "product" as const, id, slug };
  const rows = product.variants.map((variant): Stock => {
    const row = newStock(variant.id, owner, { policy, low_stock_threshold: 2 }, now);
    const on_hand = countedStock(row, { set: units });
    if (on_hand === null) throw new Error(`A stock count of ${units} is refused`);
    return { ...row, on_hand, available: on_hand };
  });
  await table.transact([
    put(PublishedProducts, product),
    ...rows.map((row) => put(Stocks, row)),
    ...product.variants.map((variant) => claimSku(variant.sku, variant.id, owner)),
  ]);
  const { sku = "", id: stock_id = "" } = product.variants[0] ?? {};
  return {
    product,
    sku,
    stock_id,
    async stock() {
      const row = await table.get(Stocks, { id: stock_id });
      if (!row) throw new Error(`${sku} has no stock row`);
      return row;
    },
  };
}

/** A coupon that no other test uses. */
export async function plantCoupon(table: Table, overrides: Partial<Coupon> = {}): Promise<Coupon> {
  const coupon = aCoupon({
    id: newId("cpn", now),
    code: `T${randomInt(1e12).toString(36).toUpperCase()}`,
    ...overrides,
  });
  const { id, code } = coupon;
  await table.transact([put(Coupons, coupon), put(CouponIds, { id, code })]);
  return coupon;
}

/** A checkout body that the demo shop serves. */
export function aCheckout(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const person = randomInt(1e8).toString().padStart(8, "0");
  return {
    name: "Asha Rao",
    email: `asha.${person}@example.com`,
    phone: `+9198${person}`,
    shipping_address: {
      line1: "4 Church Street",
      city: "Bengaluru",
      state: "Karnataka",
      postal_code: "560001",
      country: "IN",
    },
    shipping_method: "standard",
    payment_method: "bank_transfer",
    ...overrides,
  };
}

/** Publishes a sofa and a material that no other test uses. */
export async function plantSofa(table: Table, overrides: Partial<Sofa> = {}) {
  const mark = randomUUID().slice(0, 13);
  const material = publishMaterial(
    aMaterial({ id: newId("mat", now), code: `linen-${mark}`, name: `Linen ${mark}` }),
  );
  const cover = aValue(material.code, { label: null, price_rule: { type: "per_meter" } });
  const sofa = aPublishedSofa({
    id: newId("sofa", now),
    slug: `test-sofa-${mark}`,
    name: `Test sofa ${mark}`,
    delivery_classes: [],
    option_groups: aSofa().option_groups.map((group) =>
      group.code === "upholstery" ? { ...group, values: [cover], default: material.code } : group,
    ),
    rules: aSofa().rules.filter(({ when }) => when.option !== "upholstery"),
    ...overrides,
  });
  await table.transact([put(PublishedSofas, sofa), put(PublishedMaterials, material)]);
  return { sofa, material };
}

/** Moves the time of a cart's last write back by one day. */
export async function ageByADay(table: Table, owner: CartOwner): Promise<void> {
  const cart = await table.get(Carts, { owner });
  if (!cart) throw new Error("There is no cart");
  const updated_at = new Date(Date.parse(cart.updated_at) - 86_400_000).toISOString();
  await table.write(put(Carts, { ...cart, updated_at, owner }));
}

/** When an upload expires, in ms since 1970; NaN if it never does or does not exist. */
export async function expiryOf(table: Table, id: string): Promise<number> {
  const upload = await table.get(FabricUploads, { id });
  return Date.parse(upload?.expires_at ?? "");
}
