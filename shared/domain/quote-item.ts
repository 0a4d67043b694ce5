import * as z from "zod";
import { LeadTime } from "./availability.ts";
import { ChosenConfiguration } from "./cart-input.ts";
import { type LineOf, unnamedTaxClass } from "./cart-lines.ts";
import { QuotedThing, cartLimits } from "./cart.ts";
import type { Configuration } from "./configuration.ts";
import { Id } from "./ids.ts";
import { Money } from "./money.ts";
import { Code, Sku, Slug } from "./names.ts";
import type { PricedLine } from "./priced-line.ts";
import { parcelOf } from "./shipping.ts";
import { MultilineText, Text } from "./text.ts";

const Side = z.int().min(1).max(20_000).nullable().default(null);

export const CustomDimensions = z.strictObject({ width_mm: Side, depth_mm: Side, height_mm: Side });
export type CustomDimensions = z.output<typeof CustomDimensions>;

/** Something that no catalog has. */
export const CustomThing = z.strictObject({
  title: Text(200),
  description: MultilineText(2_000).nullable().default(null),
  dimensions: CustomDimensions.nullable().default(null),
});
export type CustomThing = z.output<typeof CustomThing>;

const quantity = z.int().min(1).max(cartLimits.quantity);

const wantedThing = {
  product: z
    .union([Id("prd"), Slug])
    .optional()
    .meta({ description: "Id or slug" }),
  sku: Sku.optional().meta({ description: "Which variant of the product; the first unless given" }),
  sofa: z
    .union([Id("sofa"), Slug])
    .optional()
    .meta({ description: "Id or slug" }),
  configuration: ChosenConfiguration.optional(),
  custom: CustomThing.optional(),
};

type Wanted = z.output<z.ZodObject<typeof wantedThing>>;

/** What a line of a quote is to be of. */
export type WantedThing =
  | { kind: "product"; product: string; sku: string | null }
  | { kind: "sofa"; sofa: string; configuration: Configuration }
  | { kind: "custom"; custom: CustomThing };

/** `undefined` where the members do not name one thing. */
function wantedOf({ product, sku, sofa, configuration, custom }: Wanted): WantedThing | undefined {
  const named = [product, sofa, custom].filter((member) => member !== undefined);
  if (named.length !== 1) return undefined;
  if (product !== undefined) {
    return configuration === undefined ? { kind: "product", product, sku: sku ?? null } : undefined;
  }
  if (sku !== undefined) return undefined;
  if (sofa !== undefined) return { kind: "sofa", sofa, configuration: configuration ?? {} };
  return custom && configuration === undefined ? { kind: "custom", custom } : undefined;
}

const oneThing = "Give one of a product, a sofa with its configuration, or something custom.";

/** A line that a customer asks a price for. */
export const QuoteItemInput = z
  .strictObject({ ...wantedThing, quantity })
  .transform(({ quantity: pieces, ...members }, context) => {
    const wanted = wantedOf(members);
    if (wanted) return { wanted, quantity: pieces };
    context.addIssue({ code: "custom", path: ["product"], message: oneThing });
    return z.NEVER;
  });
export type QuoteItemInput = z.output<typeof QuoteItemInput>;

const terms = {
  unit_price: Money.nullable()
    .optional()
    .meta({ description: "Of one piece, taxed as the shop's prices are; null: not known yet" }),
  tax_class: Code.optional(),
  hsn_code: z
    .string()
    .regex(/^\d{4,8}$/)
    .nullable()
    .optional(),
  lead_time: LeadTime.optional(),
  weight_g: z
    .int()
    .min(0)
    .max(2_000_000)
    .optional()
    .meta({ description: "Of one piece of something custom, packed" }),
};

/** A line as staff write it: `id` names one that is there, and what is left out of it stays. */
export const QuoteItemEdit = z
  .strictObject({
    id: Id("line").optional(),
    ...wantedThing,
    quantity: quantity.optional(),
    ...terms,
  })
  .transform(({ id, product, sku, sofa, configuration, custom, ...members }, context) => {
    const wanted = wantedOf({ product, sku, sofa, configuration, custom });
    if (id !== undefined) {
      const others = [product, sku, sofa, configuration].some((member) => member !== undefined);
      if (!others) return { id, custom: custom ?? null, wanted: null, ...members };
    } else if (wanted) return { id: null, custom: null, wanted, ...members };
    context.addIssue({ code: "custom", path: ["product"], message: oneThing });
    return z.NEVER;
  });
export type QuoteItemEdit = z.output<typeof QuoteItemEdit>;

/** A line of a quote. */
export const QuoteItem = z.object({
  id: Id("line"),
  kind: z.enum(["product", "sofa", "custom"]),
  ...QuotedThing.shape,
  description: z.string().nullable(),
  dimensions: CustomDimensions.nullable(),
  quantity,
  list_price: Money.nullable().meta({ description: "The catalog's, when the line was written" }),
  unit_price: Money.nullable().meta({ description: "What is offered; null while it is not known" }),
});
export type QuoteItem = z.output<typeof QuoteItem>;

/** How long something takes to make of which nothing is known yet. */
const customLeadTime: LeadTime = { min_days: 30, max_days: 60 };

/** A line of something custom, which has no price until staff give it one. */
export function customItem(
  { title, description, dimensions }: CustomThing,
  { id, quantity: pieces }: Pick<QuoteItem, "id" | "quantity">,
): QuoteItem {
  return {
    id,
    kind: "custom",
    product_id: null,
    sofa_id: null,
    variant_id: null,
    slug: null,
    configuration: null,
    configuration_id: null,
    choices: [],
    name: title,
    sku: null,
    image: null,
    tax_class: unnamedTaxClass,
    hsn_code: null,
    lead_time: customLeadTime,
    delivery_classes: [],
    parcels: customParcels(dimensions, 0),
    description,
    dimensions,
    quantity: pieces,
    list_price: null,
    unit_price: null,
  };
}

/** A line of something in the catalog, offered at its price unless staff say otherwise. */
export function catalogItem(line: PricedLine): QuoteItem {
  return {
    id: line.id,
    kind: line.kind === "sofa" ? "sofa" : "product",
    product_id: line.product_id,
    sofa_id: line.sofa_id,
    variant_id: line.variant_id,
    slug: line.slug,
    configuration: line.configuration,
    configuration_id: line.configuration_id,
    choices: line.choices,
    name: line.name,
    sku: line.sku,
    image: line.image,
    tax_class: line.tax_class,
    hsn_code: line.hsn_code,
    lead_time: line.availability.lead_time,
    delivery_classes: [...line.delivery_classes],
    parcels: [...line.parcels],
    description: null,
    dimensions: null,
    quantity: line.quantity,
    list_price: line.unit_price,
    unit_price: line.unit_price,
  };
}

/** The line with what staff say of it. */
export function editedItem(item: QuoteItem, edit: QuoteItemEdit): QuoteItem {
  const { custom } = edit;
  const described =
    custom && item.kind === "custom"
      ? { name: custom.title, description: custom.description, dimensions: custom.dimensions }
      : {};
  const after = {
    ...item,
    ...described,
    quantity: edit.quantity ?? item.quantity,
    unit_price: edit.unit_price === undefined ? item.unit_price : edit.unit_price,
    tax_class: edit.tax_class ?? item.tax_class,
    hsn_code: edit.hsn_code === undefined ? item.hsn_code : edit.hsn_code,
    lead_time: edit.lead_time ?? item.lead_time,
  };
  if (item.kind !== "custom") return after;
  const weight = edit.weight_g ?? item.parcels[0]?.weight_g ?? 0;
  return { ...after, parcels: customParcels(after.dimensions, weight) };
}

function customParcels(dimensions: CustomDimensions | null, weight_g: number) {
  const { width_mm, depth_mm, height_mm } = dimensions ?? {};
  return [
    parcelOf({
      width_mm: width_mm ?? 0,
      depth_mm: depth_mm ?? 0,
      height_mm: height_mm ?? 0,
      weight_g,
    }),
  ];
}

/** The line that a cart gets of it. */
export function cartLineOf(
  item: QuoteItem,
  offer: { readonly id: string; readonly revision: number; readonly valid_until: string },
): LineOf<"quoted"> {
  const { kind: _kind, description: _description, dimensions: _dimensions, ...line } = item;
  const { list_price: _list, unit_price, ...thing } = line;
  return {
    ...thing,
    kind: "quoted",
    quote_id: offer.id,
    revision: offer.revision,
    valid_until: offer.valid_until,
    unit_price: unit_price ?? 0,
  };
}
