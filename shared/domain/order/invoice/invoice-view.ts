import * as z from "zod";
import { PostalAddress } from "../../contact/postal-address.ts";
import { MoneySum } from "../../base/money.ts";
import {
  AgreedTotals,
  Invoice,
  OrderItem,
  type OrderItem as Item,
  type StoredOrder,
} from "../order.ts";
import { OrderNumber } from "../order-number.ts";
import { wholeSupply } from "./invoiced-supplies.ts";
import { StoreSettings } from "../../settings/store-settings.ts";
import { type TaxComponent as Component, TaxComponent } from "../../pricing/tax.ts";
import type { SuppliedLine, SuppliedPart, Supply } from "./supply.ts";
import { Timestamp } from "../../base/text.ts";

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
      email: z.string().nullable(),
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
    totals: AgreedTotals.extend({
      rounding: z.int().meta({ description: "What was rounded off (negative) or up for cash" }),
    }),
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
  const { id, number, placed_at, customer, addresses, currency, tax_id, invoice } = order;
  if (invoice === null) return undefined;
  const { name, email, phone } = customer;
  return {
    ...invoice,
    order: { id, number, placed_at },
    seller: sellerOf(store),
    buyer: { name, email, phone, tax_id, ...addresses },
    currency,
    ...printedSupply(order, order.supplied ?? wholeSupply(order)),
  };
}

/** The lines, taxes and totals of an invoice, a credit note or a voucher. */
export type PrintedSupply = Pick<PrintedInvoice, "lines" | "shipping" | "tax_summary" | "totals">;

/** A supply as documents show it. Its discount is the difference between the units' prices and the amount. */
export function printedSupply(order: StoredOrder, supply: Supply): PrintedSupply {
  const items = new Map(order.items.map((item) => [item.id, item]));
  const lines = supply.lines.flatMap((line) => {
    const item = items.get(line.id);
    return item ? [printedLine(item, line)] : [];
  });
  const shipping = {
    label: order.shipping.label,
    total: supply.shipping.amount,
    ...taxedAmount(supply.shipping, order.shipping.tax_components),
  };
  const { rounding = 0 } = supply;
  const sum = (member: "line_subtotal" | "line_discount" | "line_total" | "tax") =>
    lines.reduce((total, line) => total + line[member], 0);
  return {
    lines,
    shipping,
    tax_summary: summary([...lines, shipping]),
    totals: {
      items_subtotal: sum("line_subtotal"),
      discount: sum("line_discount"),
      shipping: shipping.total,
      shipping_tax: shipping.tax,
      tax: sum("tax") + shipping.tax,
      rounding,
      grand_total: sum("line_total") + shipping.total + rounding,
    },
  };
}

function printedLine(item: Item, line: SuppliedLine): PrintedSupply["lines"][number] {
  const taxed = taxedAmount(line, item.tax_components);
  const isInclusive = item.line_subtotal - item.line_discount === item.line_total;
  const charged = isInclusive ? line.amount : taxed.taxable;
  // A price reduction takes off an amount without units, or more than the price of its units.
  const line_subtotal = Math.max(charged, item.unit_price * line.quantity);
  return {
    ...item,
    quantity: line.quantity,
    line_subtotal,
    line_discount: line_subtotal - charged,
    line_total: line.amount,
    ...taxed,
  };
}

/** An amount includes its tax, whether or not the shop's prices do. */
function taxedAmount({ amount, taxes }: SuppliedPart, components: readonly Component[]) {
  const tax = taxes.reduce((sum, each) => sum + each, 0);
  return {
    taxable: Math.max(0, amount - tax),
    tax,
    tax_components: components.map((component, index) => ({
      ...component,
      amount: taxes[index] ?? 0,
    })),
  };
}

const sellerOf = ({ name, legal_name, tax_id, address_lines, contact }: StoreSettings) => ({
  name,
  legal_name,
  tax_id,
  address_lines,
  contact,
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
