import { ShippingMethodCode } from "../settings/zone-settings.ts";
import { dayIn, plusDays } from "../base/day.ts";
import * as z from "zod";
import type { LeadTime } from "../catalog/availability.ts";
import type { PublishedSellable } from "../catalog/product.ts";
import { Currency, Money } from "../base/money.ts";
import { Country, type Destination, PostalCode, zoneOf } from "../contact/postal-code.ts";
import type {
  RateBand,
  ShippingMethodSettings,
  ShippingSettings,
  ShippingZone,
} from "../settings/shipping-settings.ts";
import { Day } from "../base/text.ts";

/** The weight and volume of one package, or of several together. */
export const Parcel = z.object({ weight_g: z.int().min(0), volume_cm3: z.int().min(0) });
export type Parcel = z.output<typeof Parcel>;

/** A range of delivery days, both inclusive. */
export const DeliveryWindow = z.object({ min_on: Day, max_on: Day });
export type DeliveryWindow = z.output<typeof DeliveryWindow>;

export const ShippingMethod = z.object({
  code: ShippingMethodCode,
  label: z.string(),
  /** Including tax; already 0 if `free_above` is reached. */
  amount: Money,
  free_above: Money.nullable(),
  eta: DeliveryWindow,
  includes: z.array(z.string()),
});
export type ShippingMethod = z.output<typeof ShippingMethod>;

export const UnserviceableReason = z.enum(["area_not_served", "too_large"]);
export type UnserviceableReason = z.output<typeof UnserviceableReason>;

export const ShippingQuote = z.object({
  serviceable: z.boolean(),
  reason: UnserviceableReason.nullable(),
  zone: z.object({ code: z.string(), name: z.string() }).nullable(),
  cod: z.object({ available: z.boolean(), max_amount: Money.nullable() }),
  /** Online payment; `min_amount` is what it needs if the total is less. */
  gateway: z.object({ available: z.boolean(), min_amount: Money.nullable() }),
  currency: Currency,
  methods: z.array(ShippingMethod),
});
export type ShippingQuote = z.output<typeof ShippingQuote>;

/** Why the requested delivery is not possible. */
export const DeliveryProblemCode = z.enum([
  ...UnserviceableReason.options,
  "shipping_method_unavailable",
]);
export type DeliveryProblemCode = z.output<typeof DeliveryProblemCode>;

export interface DeliveryProblem {
  readonly code: DeliveryProblemCode;
  readonly message: string;
  /** The offered methods, if the requested one is not among them. */
  readonly allowed?: ShippingMethodCode[];
}

const deliveryProblems: Readonly<Record<DeliveryProblemCode, string>> = {
  area_not_served: "We do not deliver to this area.",
  too_large: "We cannot deliver all of these items to this area.",
  shipping_method_unavailable: "This delivery method is not offered for this order.",
};

/**
 * The problem that prevents delivery by the chosen method; null if there is none. If no method is chosen, there is a
 * problem only when no method can deliver.
 */
export function deliveryProblem(
  quote: Pick<ShippingQuote, "reason" | "methods">,
  method: ShippingMethodCode | null,
): DeliveryProblem | null {
  const { reason } = quote;
  if (reason !== null) return { code: reason, message: deliveryProblems[reason] };
  const allowed = quote.methods.map(({ code }) => code);
  if (method === null || allowed.includes(method)) return null;
  const code = "shipping_method_unavailable";
  return { code, message: deliveryProblems[code], allowed };
}

/** The destination; `country` defaults to the store's. Where a country has no postal codes, it suffices. */
export const DestinationQuery = z.strictObject({
  postal_code: PostalCode.optional(),
  country: Country.optional(),
});
export type DestinationQuery = z.output<typeof DestinationQuery>;

/** The members of a line that shipping rules need. */
export interface Consignment {
  readonly quantity: number;
  /** Packages of one unit. */
  readonly parcels: readonly Parcel[];
  readonly lead_time: LeadTime;
  /**
   * Codes of the shipping methods that may deliver this line. If none of the codes belongs to a method, every method
   * may deliver it.
   */
  readonly delivery_classes: readonly string[];
}

/** A package from its dimensions in millimetres, as carriers calculate it: rounded up to whole cubic centimetres. */
export function parcelOf(packed: {
  width_mm: number;
  depth_mm: number;
  height_mm: number;
  weight_g: number;
}): Parcel {
  const cubicMillimetres = packed.width_mm * packed.depth_mm * packed.height_mm;
  return { weight_g: packed.weight_g, volume_cm3: Math.ceil(cubicMillimetres / 1000) };
}

/** The packages of one unit: those that staff entered, or else one of the size of the product. */
export function parcelsOf(
  { packages, dimensions }: Pick<PublishedSellable, "packages" | "dimensions">,
  weight_g: number,
): Parcel[] {
  if (packages.length > 0) return packages.map(parcelOf);
  const { width_mm, depth_mm, height_mm } = dimensions;
  return [
    parcelOf({
      width_mm: width_mm ?? 0,
      depth_mm: depth_mm ?? 0,
      height_mm: height_mm ?? 0,
      weight_g,
    }),
  ];
}

/** The total weight and volume of all units. */
function load(consignments: readonly Consignment[]): Parcel {
  const all = { weight_g: 0, volume_cm3: 0 };
  for (const { quantity, parcels } of consignments) {
    for (const { weight_g, volume_cm3 } of parcels) {
      all.weight_g += weight_g * quantity;
      all.volume_cm3 += volume_cm3 * quantity;
    }
  }
  return all;
}

function fits(band: RateBand, { weight_g, volume_cm3 }: Parcel): boolean {
  return (
    weight_g <= (band.max_weight_g ?? Infinity) && volume_cm3 <= (band.max_volume_cm3 ?? Infinity)
  );
}

function mayTravelBy(method: ShippingMethodCode, { delivery_classes }: Consignment): boolean {
  const named = ShippingMethodCode.options.filter((code) => delivery_classes.includes(code));
  return named.length === 0 || named.includes(method);
}

interface QuoteRequest {
  readonly consignments: readonly Consignment[];
  readonly destination: Destination;
  readonly shipping: ShippingSettings;
  readonly timezone: string;
  /** The items' total after discounts. */
  readonly itemsTotal: number;
  /** Whether a coupon makes shipping free. */
  readonly free: boolean;
  readonly now: Date;
}

/** The available shipping methods, before it is decided whether cash on delivery is available. */
export interface MethodsQuote extends Omit<ShippingQuote, "cod" | "gateway" | "currency"> {
  readonly codInZone: boolean;
}

/**
 * The shipping methods that can carry all lines to a destination. Their prices include tax. The delivery days are the
 * longest lead time of all lines plus the method's transit time.
 */
export function quoteShipping(request: QuoteRequest): MethodsQuote {
  const zone = zoneOf(request.shipping.zones, request.destination);
  if (!zone) {
    return {
      serviceable: false,
      reason: "area_not_served",
      zone: null,
      methods: [],
      codInZone: false,
    };
  }
  const methods = methodsIn(zone, request);
  const serviceable = methods.length > 0;
  return {
    serviceable,
    reason: serviceable ? null : "too_large",
    zone: { code: zone.code, name: zone.name },
    methods,
    codInZone: zone.cod,
  };
}

/** The zone's methods that can carry all lines, with their prices including tax. */
export function ratesIn(
  zone: Pick<ShippingZone, "methods">,
  { consignments, itemsTotal, free }: Pick<QuoteRequest, "consignments" | "itemsTotal" | "free">,
): { method: ShippingMethodSettings; amount: number }[] {
  const total = load(consignments);
  return zone.methods.flatMap((method) => {
    const band = method.bands.find((candidate) => fits(candidate, total));
    const possible = consignments.every((each) => mayTravelBy(method.code, each));
    if (!band || !possible) return [];
    return { method, amount: free || isFree(method, itemsTotal) ? 0 : band.amount };
  });
}

function methodsIn(zone: ShippingZone, request: QuoteRequest): ShippingMethod[] {
  const lead = (bound: keyof LeadTime) =>
    Math.max(0, ...request.consignments.map(({ lead_time }) => lead_time[bound]));
  const today = dayIn(request.timezone, request.now);

  return ratesIn(zone, request).map(({ method, amount }) => ({
    code: method.code,
    label: method.label,
    amount,
    free_above: method.free_above,
    eta: {
      min_on: plusDays(today, lead("min_days") + method.transit_days.min),
      max_on: plusDays(today, lead("max_days") + method.transit_days.max),
    },
    includes: method.includes,
  }));
}

function isFree({ free_above }: ShippingMethodSettings, itemsTotal: number): boolean {
  return free_above !== null && itemsTotal >= free_above;
}
