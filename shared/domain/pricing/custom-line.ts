import type { LeadTime } from "../catalog/availability.ts";
import type { LineIdentity } from "./priced-line.ts";

/** The lead time of a piece outside the catalog, until staff set another. */
export const customLeadTime: LeadTime = { min_days: 30, max_days: 60 };

/** The identity of a line for a piece outside the catalog, which has no stock. */
export function customIdentity({
  id,
  name,
  quantity,
}: Pick<LineIdentity, "id" | "name" | "quantity">): LineIdentity & { readonly kind: "custom" } {
  return {
    id,
    kind: "custom",
    product_id: null,
    sofa_id: null,
    variant_id: null,
    slug: null,
    material_code: null,
    configuration: null,
    configuration_id: null,
    choices: [],
    name,
    sku: null,
    image: null,
    quantity,
  };
}
