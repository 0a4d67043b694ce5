import * as z from "zod";
import { PostalAddress } from "../contact/postal-address.ts";
import { MoneySum } from "../base/money.ts";
import {
  AgreedTotals,
  Invoice,
  OrderItem,
  type OrderItem as Item,
  type StoredOrder,
} from "./order.ts";
import { OrderNumber } from "./order-number.ts";
import { StoreSettings } from "../settings/store-settings.ts";
import { type TaxComponent as Component, TaxComponent } from "../pricing/tax.ts";
import { Timestamp } from "../base/text.ts";

const TaxedAmount = z.object({
  taxable: MoneySum.meta({ description: "Amount before tax" }),
  tax: MoneySum,
  tax_components: z.array(TaxComponent),
});

/** Everything that an invoice shows. */
export const PrintedInvoice = z
  .object({
    ...Invoice.shape,
    order: z.object({ id: z.string(), number: OrderNumber, placed_at: Timestamp }),
    seller: StoreSettings.pick({
      name: true,
      legal_name: true,
      tax_id: true,
      address_lines: true,
      contact: true,
    }).meta({ description: "The seller according to the current settings" }),
    buyer: z.object({
      name: z.string(),
      email: z.string(),
      phone: z.string(),
      tax_id: z.string().nullable(),
      billing: PostalAddress,
      shipping: PostalAddress,
    }),
    currency: z.string(),
    lines: z.array(
      OrderItem.pick({
        name: true,
        choices: true,
        sku: true,
        hsn_code: true,
        quantity: true,
        unit_price: true,
        line_subtotal: true,
        line_discount: true,
        line_total: true,
      }).extend(TaxedAmount.shape),
    ),
    shipping: TaxedAmount.extend({ label: z.string(), total: MoneySum }),
    tax_summary: z
      .array(TaxComponent.extend({ taxable: MoneySum }))
      .meta({ description: "Totals of each tax over all lines and delivery" }),
    totals: AgreedTotals,
  })
  .meta({ id: "PrintedInvoice" });
export type PrintedInvoice = z.output<typeof PrintedInvoice>;

/** Whether an invoice was issued for the order. */
export const hasInvoice = ({ invoice }: Pick<StoredOrder, "invoice">): boolean => invoice !== null;

/** The printable invoice of an order; undefined if it has none yet. */
export function printedInvoice(
  order: StoredOrder,
  store: StoreSettings,
): PrintedInvoice | undefined {
  const { id, number, placed_at, customer, addresses, currency, totals, tax_id, invoice } = order;
  if (invoice === null) return undefined;
  const { name, email, phone } = customer;
  const lines = order.items.map((item) => ({ ...item, ...taxOfLine(item) }));
  const shipping = {
    label: order.shipping.label,
    total: totals.shipping,
    taxable: totals.shipping - totals.shipping_tax,
    tax: totals.shipping_tax,
    tax_components: order.shipping.tax_components,
  };
  return {
    ...invoice,
    order: { id, number, placed_at },
    seller: sellerOf(store),
    buyer: { name, email, phone, tax_id, ...addresses },
    currency,
    lines,
    shipping,
    tax_summary: summary([...lines, shipping]),
    totals,
  };
}

const sellerOf = ({ name, legal_name, tax_id, address_lines, contact }: StoreSettings) => ({
  name,
  legal_name,
  tax_id,
  address_lines,
  contact,
});

/** A line's total includes its tax, whether or not the shop's prices do. */
const taxOfLine = ({ line_total, line_tax, tax_components }: Item) => ({
  taxable: line_total - line_tax,
  tax: line_tax,
  tax_components,
});

function summary(
  amounts: readonly { taxable: number; tax_components: readonly Component[] }[],
): PrintedInvoice["tax_summary"] {
  const levies = new Map<string, PrintedInvoice["tax_summary"][number]>();
  for (const { taxable, tax_components } of amounts) {
    for (const component of tax_components) {
      const key = `${component.code} ${component.bps}`;
      const sum = levies.get(key);
      levies.set(key, {
        ...component,
        amount: (sum?.amount ?? 0) + component.amount,
        taxable: (sum?.taxable ?? 0) + taxable,
      });
    }
  }
  return [...levies.values()];
}
