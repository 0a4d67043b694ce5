import * as z from "zod";
import { LeadTime } from "../catalog/availability.ts";
import { ChosenConfiguration, type Configuration } from "../sofa/configuration.ts";
import { Id } from "../base/ids.ts";
import { Money } from "../base/money.ts";
import { LineDiscount } from "../pricing/line-discount.ts";
import { Code, HsnCode, IdOrSlug, Sku } from "../base/names.ts";
import { CustomItem, QuoteItem, customParcels } from "./quote-item.ts";

const { quantity } = QuoteItem.shape;

const thingInput = {
  product: IdOrSlug("prd").optional(),
  sku: Sku.optional().meta({
    description: "SKU of a variant; names it alone. Default with a product: the first variant's",
  }),
  sofa: IdOrSlug("sofa").optional(),
  configuration: ChosenConfiguration.optional(),
  custom: CustomItem.optional(),
};

type ItemMembers = z.output<z.ZodObject<typeof thingInput>>;

/** The catalog item or custom item of a quote line. */
export type RequestedQuoteItem =
  /** A variant by its SKU, or a product, by default its first variant. */
  | { kind: "product"; product: string | null; sku: string | null }
  | { kind: "sofa"; sofa: string; configuration: Configuration }
  | { kind: "custom"; custom: CustomItem };

/** `undefined` unless the members name exactly one item. */
function requestedOf({
  product,
  sku,
  sofa,
  configuration,
  custom,
}: ItemMembers): RequestedQuoteItem | undefined {
  const named = [product ?? sku, sofa, custom].filter((member) => member !== undefined);
  if (named.length !== 1) return undefined;
  if (product !== undefined || sku !== undefined) {
    const thing = { kind: "product", product: product ?? null, sku: sku ?? null } as const;
    return configuration === undefined ? thing : undefined;
  }
  if (sofa !== undefined) return { kind: "sofa", sofa, configuration: configuration ?? {} };
  return custom && configuration === undefined ? { kind: "custom", custom } : undefined;
}

const exactlyOneItem = "Give a SKU, a product, a sofa with its configuration, or a custom item.";

/** A line that a customer requests a price for. */
export const QuoteItemInput = z
  .strictObject({ ...thingInput, quantity })
  .transform(({ quantity: units, ...members }, context) => {
    const requested = requestedOf(members);
    if (requested) return { requested, quantity: units };
    context.addIssue({ code: "custom", path: ["product"], message: exactlyOneItem });
    return z.NEVER;
  });
export type QuoteItemInput = z.output<typeof QuoteItemInput>;

const terms = {
  unit_price: Money.nullable().optional().meta({
    description:
      "Price of one unit, with tax if the shop's prices include tax; null until it is set",
  }),
  discount: LineDiscount.nullable().optional(),
  tax_class: Code.optional(),
  hsn_code: HsnCode.nullable().optional(),
  lead_time: LeadTime.optional(),
  weight_g: z
    .int()
    .min(0)
    .max(2_000_000)
    .optional()
    .meta({ description: "Packed weight of one unit of a custom item" }),
};

/** A line as staff write it. `id` names an existing line; members that the edit omits stay unchanged. */
export const QuoteItemEdit = z
  .strictObject({
    id: Id("line").optional(),
    ...thingInput,
    quantity: quantity.optional(),
    ...terms,
  })
  .transform(({ id, product, sku, sofa, configuration, custom, ...members }, context) => {
    const requested = requestedOf({ product, sku, sofa, configuration, custom });
    if (id !== undefined) {
      const others = Object.entries({ product, sku, sofa, configuration });
      const [also] = others.find(([, member]) => member !== undefined) ?? [];
      if (also === undefined) return { id, custom: custom ?? null, requested: null, ...members };
      const message = `Leave out the ${also}: the id names the item. To offer another one, add a new item and leave this one out.`;
      context.addIssue({ code: "custom", path: [also], message });
      return z.NEVER;
    }
    if (requested) return { id: null, custom: null, requested, ...members };
    context.addIssue({ code: "custom", path: ["product"], message: exactlyOneItem });
    return z.NEVER;
  });
export type QuoteItemEdit = z.output<typeof QuoteItemEdit>;

/** Whether an edit prices its line anew. */
export const isPricing = ({ id, quantity, unit_price, discount }: QuoteItemEdit): boolean =>
  id === null || quantity !== undefined || unit_price !== undefined || discount !== undefined;

/** What prices a line: the catalog, and the staff user who edits it. */
interface Pricing {
  readonly regular_price: number | null;
  readonly by: string;
}

/**
 * The line after an edit by staff. A line that is priced anew follows the catalog, unless it has a price of its own.
 */
export function editedItem(item: QuoteItem, edit: QuoteItemEdit, pricing: Pricing): QuoteItem {
  const { custom } = edit;
  const described =
    custom && item.kind === "custom"
      ? { name: custom.title, description: custom.description, dimensions: custom.dimensions }
      : {};
  const after = {
    ...item,
    ...described,
    ...pricedAnew(item, edit, pricing),
    quantity: edit.quantity ?? item.quantity,
    tax_class: edit.tax_class ?? item.tax_class,
    hsn_code: edit.hsn_code === undefined ? item.hsn_code : edit.hsn_code,
    lead_time: edit.lead_time ?? item.lead_time,
  };
  if (item.kind !== "custom") return after;
  const weight = edit.weight_g ?? item.parcels[0]?.weight_g ?? 0;
  return { ...after, parcels: customParcels(after.dimensions, weight) };
}

function pricedAnew(
  item: QuoteItem,
  edit: QuoteItemEdit,
  { regular_price, by }: Pricing,
): Pick<QuoteItem, "regular_price" | "unit_price" | "discount" | "priced_by"> {
  const kept = item.unit_price === item.regular_price ? regular_price : item.unit_price;
  const { unit_price = kept, discount = item.discount } = edit;
  const isSet = edit.unit_price !== undefined || edit.discount !== undefined;
  return { regular_price, unit_price, discount, priced_by: isSet ? by : item.priced_by };
}
