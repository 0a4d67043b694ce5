import type { TaxComponent } from "../pricing/tax.ts";

/** An amount with its tax, and the HSN code of the goods or the name of the service; null for goods without a code. */
export interface TaxedGoods {
  readonly hsn_code: string | null;
  readonly taxable: number;
  readonly tax: number;
  readonly tax_components: readonly TaxComponent[];
}

/** The tax of all goods with one HSN code and the same rates. */
export interface TaxRow {
  readonly hsn_code: string | null;
  readonly taxable: number;
  readonly tax: number;
  readonly tax_components: readonly TaxComponent[];
}

/** The taxes by HSN code and rates, in the sequence in which they first occur. Goods without any amount are left out. */
export function taxByHsn(goods: readonly TaxedGoods[]): TaxRow[] {
  const rows = new Map<string, TaxRow>();
  for (const { hsn_code, taxable, tax, tax_components } of goods) {
    if (taxable === 0 && tax === 0) continue;
    const rates = tax_components.map(({ code, bps }) => `${code} ${bps}`);
    const key = JSON.stringify([hsn_code, rates]);
    const sum = rows.get(key);
    rows.set(key, {
      hsn_code,
      taxable: (sum?.taxable ?? 0) + taxable,
      tax: (sum?.tax ?? 0) + tax,
      tax_components: tax_components.map((component, index) => ({
        ...component,
        amount: (sum?.tax_components[index]?.amount ?? 0) + component.amount,
      })),
    });
  }
  return [...rows.values()];
}
