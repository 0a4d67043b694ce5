import * as z from "zod";
import { Id, newId } from "#shared/domain/base/ids.ts";
import { Product, Variant } from "#shared/domain/catalog/product.ts";
import { timesAfter, stamped } from "#shared/domain/catalog/sellable-times.ts";
import { type SellingTerms, Stock, StockPolicy } from "#shared/domain/catalog/stock.ts";
import { invalidFields } from "#shared/domain/request/app-error.ts";
import { type Presets, StrictLeadTime, blank, sellableInput } from "./sellable-input.ts";
import { type SkuRequest, skuRequestsOf } from "./stock-claims.ts";

const shape = Variant.shape;
const Threshold = Stock.shape.low_stock_threshold.max(1_000_000);

const VariantInput = z.strictObject({
  id: Id("var")
    .optional()
    .meta({ description: "Id of an existing variant; absent for a new variant" }),
  sku: shape.sku,
  options: shape.options.default({}),
  price: shape.price,
  compare_at_price: shape.compare_at_price.default(null),
  cost: shape.cost.default(null),
  weight_g: shape.weight_g.default(0),
  packages: shape.packages,
  media_ids: shape.media_ids.default([]),
  policy: StockPolicy.optional().meta({
    description:
      "Whether the SKU may be sold beyond its stock. Default: `deny` for a new SKU, otherwise unchanged",
  }),
  low_stock_threshold: Threshold.optional(),
});
type VariantInput = z.output<typeof VariantInput>;

const example: z.input<typeof ProductInput> = {
  slug: "malhar-reading-chair",
  name: "Malhar Reading Chair",
  subtitle: "High-backed chair for long evenings",
  description_html: "<p>A high back, a deep seat and arms at the height of a book.</p>",
  category_slug: "accent-chairs",
  rooms: ["living-room"],
  styles: ["mid-century"],
  dimensions: {
    width_mm: 720,
    depth_mm: 810,
    height_mm: 1_040,
    seat_height_mm: 430,
    seat_depth_mm: 540,
    arm_height_mm: 600,
    diameter_mm: null,
    weight_g: 18_500,
  },
  packages: [{ label: "Carton", width_mm: 780, depth_mm: 860, height_mm: 1_080, weight_g: 21_000 }],
  materials: [{ code: "teak", label: "Solid teak" }],
  warranty: [{ component: "Frame", months: 60 }],
  hsn_code: "94016100",
  options: [
    {
      code: "colour",
      label: "Colour",
      values: [
        {
          code: "indigo",
          label: "Indigo",
          swatch: { hex: "#27375d", image: null, color_group: "blue" },
        },
        {
          code: "oat",
          label: "Oat",
          swatch: { hex: "#d9cbb2", image: null, color_group: "beige" },
        },
      ],
    },
  ],
  variants: [
    {
      sku: "ACH-MALHAR-READING-INDIGO",
      options: { colour: "indigo" },
      price: 2_849_000,
      cost: 1_420_000,
      weight_g: 18_500,
    },
    {
      sku: "ACH-MALHAR-READING-OAT",
      options: { colour: "oat" },
      price: 2_849_000,
      compare_at_price: 3_199_000,
      weight_g: 18_500,
      policy: "backorder",
      low_stock_threshold: 4,
    },
  ],
  backorder_lead_time: { min_days: 28, max_days: 42 },
};

export const ProductInput = z.strictObject({
  ...sellableInput,
  lead_time: StrictLeadTime.default({ min_days: 3, max_days: 7 }),
  options: Product.shape.options.default([]),
  variants: z.array(VariantInput).max(80).default([]),
  backorder_lead_time: StrictLeadTime.nullable().default(null),
});
export type ProductInput = z.output<typeof ProductInput>;

export const productExamples = { record: example, patch: { status: "published", badges: ["New"] } };

/** An edited product, and the SKUs that the edit requests for its variants. */
export interface EditedProduct {
  readonly product: Product;
  readonly skuRequests: SkuRequest[];
}

export function newProduct(input: ProductInput, presets: Presets, now: Date): EditedProduct {
  const { variants, skuRequests } = variantsOf(input.variants, [], now);
  const { status = "draft", tax_class = presets.tax_class, ...members } = input;
  const times = timesAfter(undefined, status, members);
  const made = { ...members, ...times, status, tax_class, variants };
  const first = { ...blank("prd", presets, now), ...made };
  return { product: { ...stamped(first, now), version: 1 }, skuRequests };
}

/**
 * The product after an edit.
 *
 * @throws AppError `validation_failed` when the edit names the id of a variant that the product does not have
 */
export function changedProduct(
  before: Product,
  change: Partial<ProductInput>,
  now: Date,
): EditedProduct {
  const {
    variants: sent,
    status = before.status,
    tax_class = before.tax_class,
    ...members
  } = change;
  const { variants, skuRequests } = sent
    ? variantsOf(sent, before.variants, now)
    : { variants: before.variants, skuRequests: skuRequestsOf(before.variants) };
  const times = timesAfter(before, status, members);
  return {
    product: stamped({ ...before, ...members, ...times, status, tax_class, variants }, now),
    skuRequests,
  };
}

/** Existing variants keep their ids. They are matched by id, or by SKU if no id is sent. */
function variantsOf(sent: readonly VariantInput[], before: readonly Variant[], now: Date) {
  const ids = new Set(before.map(({ id }) => id));
  const bySku = new Map(before.map(({ sku, id }) => [sku, id]));
  const taken = new Set(sent.flatMap(({ id }) => id ?? []));
  const problems = sent.flatMap(({ id }, position) =>
    id === undefined || ids.has(id)
      ? []
      : [{ path: `variants.${position}.id`, message: "The product has no variant with this id." }],
  );
  if (problems.length > 0) throw invalidFields(problems);
  const terms = new Map<string, Partial<SellingTerms>>();
  const variants = sent.map(({ id, policy, low_stock_threshold, ...members }): Variant => {
    terms.set(members.sku, {
      ...(policy && { policy }),
      ...(low_stock_threshold !== undefined && { low_stock_threshold }),
    });
    const known = bySku.get(members.sku);
    const own = id ?? (known !== undefined && !taken.has(known) ? known : newId("var", now));
    return { id: own, ...members };
  });
  return {
    variants,
    skuRequests: skuRequestsOf(variants).map((request) => ({
      ...request,
      ...terms.get(request.sku),
    })),
  };
}
