import type { Availability } from "./availability.ts";
import type { CartItem, LineAmounts, LineIdentity } from "./cart.ts";
import type { PriceLine } from "./configuration.ts";
import { inKeyOrder } from "./key-order.ts";
import type { Parcel } from "./shipping.ts";

/**
 * A cart's line joined with what the catalog and the stock say of it now: what totals, coupons, shipping, cash on
 * delivery and the order's snapshot need to know, whatever kind of thing it is.
 */
export interface PricedLine extends LineIdentity {
  readonly unit_price: number;
  /** The price at the line's last write. */
  readonly last_price: number;
  readonly price_lines: readonly PriceLine[];
  readonly availability: Omit<Availability, "quantity">;
  readonly made_to_order: boolean;
  /** Slugs of its category and of all above it. */
  readonly categories: readonly string[];
  readonly tax_class: string;
  readonly hsn_code: string | null;
  readonly cod_eligible: boolean;
  readonly delivery_classes: readonly string[];
  /** Packages of one piece. */
  readonly parcels: readonly Parcel[];
  readonly upload_ids: readonly string[];
  readonly note: string | null;
}

/** The members that say what a line is. */
export function identityOf(line: PricedLine): LineIdentity {
  const { id, kind, product_id, sofa_id, variant_id, slug, material_code } = line;
  const { configuration, configuration_id, choices, name, sku, image, quantity } = line;
  return {
    id,
    kind,
    product_id,
    sofa_id,
    variant_id,
    slug,
    material_code,
    configuration: configuration && inKeyOrder(configuration),
    configuration_id,
    choices,
    name,
    sku,
    image,
    quantity,
  };
}

/** The line as a cart shows it. */
export function cartItem(line: PricedLine, amounts: LineAmounts): CartItem {
  return {
    ...identityOf(line),
    ...amounts,
    upload_ids: [...line.upload_ids],
    note: line.note,
    availability: line.availability.state,
    lead_time: line.availability.lead_time,
    price_changed:
      line.last_price === line.unit_price ? null : { from: line.last_price, to: line.unit_price },
  };
}
