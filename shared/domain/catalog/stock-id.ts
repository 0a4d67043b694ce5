/** The members of a line that name its stock. */
export interface StockedLine {
  readonly sku: string | null;
  readonly variant_id: string | null;
  readonly material_code: string | null;
}

/** The id of a line's stock; null for a line without a SKU, which is made to order and needs no stock. */
export const stockIdOf = ({ sku, variant_id, material_code }: StockedLine): string | null =>
  sku === null ? null : (variant_id ?? material_code);
