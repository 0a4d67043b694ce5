import type * as z from "zod";
import type { CellValue } from "../base/csv.ts";
import type { ExportRow, ExportedPart } from "./export.ts";
import { type ExportedOrder, exportedRecords } from "./exported-records.ts";
import type { OrderItem } from "../order/order.ts";

/** How the records of one part of an export, such as `orders`, become spreadsheet lines. */
export interface ExportTable {
  readonly columns: readonly string[];
  lines(row: ExportRow): readonly CellValue[][];
}

/** Every member of every kind of record is a column. A member with several values is written as JSON. */
function oneLineEach(part: ExportedPart): ExportTable {
  const schemas: readonly z.ZodObject[] = Object.values(exportedRecords[part]);
  const members = [...new Set(schemas.flatMap(({ shape }) => Object.keys(shape)))];
  return {
    columns: ["record", ...members],
    lines({ record, data }) {
      const values = new Map<string, unknown>(Object.entries(data));
      // A record's values are texts, numbers, booleans, lists and objects, and each of these is a cell.
      return [[record, ...members.map((name) => values.get(name) as CellValue)]];
    },
  };
}

type Column<Of> = readonly [name: string, value: (of: Of) => CellValue];

const ofOrder: readonly Column<ExportedOrder>[] = [
  ["order_id", ({ id }) => id],
  ["number", ({ number }) => number],
  ["placed_at", ({ placed_at }) => placed_at],
  ["status", ({ status }) => status],
  ["payment_status", ({ payment_status }) => payment_status],
  ["payment_method", ({ payment_method }) => payment_method],
  ["customer_id", ({ customer }) => customer.id],
  ["name", ({ customer }) => customer.name],
  ["email", ({ customer }) => customer.email],
  ["phone", ({ customer }) => customer.phone],
  ["city", ({ addresses }) => addresses.shipping.city],
  ["state", ({ addresses }) => addresses.shipping.state],
  ["postal_code", ({ addresses }) => addresses.shipping.postal_code],
  ["country", ({ addresses }) => addresses.shipping.country],
  ["shipping_address", ({ addresses }) => addresses.shipping],
  ["billing_address", ({ addresses }) => addresses.billing],
  ["shipping_method", ({ shipping }) => shipping.method],
  ["coupon_code", ({ coupon_code }) => coupon_code],
  ["channel", ({ channel }) => channel],
  ["location", ({ location }) => location],
  ["sold_by", ({ sold_by }) => sold_by],
  ["tax_id", ({ tax_id }) => tax_id],
  ["invoice_number", ({ invoice }) => invoice?.number],
  ["tags", ({ tags }) => tags.join(", ")],
  ["note", ({ note }) => note],
  ["notes", ({ notes }) => notes],
  ["currency", ({ currency }) => currency],
];

/** Amounts of the whole order, on its first line only, so that a column's sum counts every order once. */
const onceAnOrder: readonly Column<ExportedOrder>[] = [
  ["items_subtotal", ({ totals }) => totals.items_subtotal],
  ["discount", ({ totals }) => totals.discount],
  ["shipping", ({ totals }) => totals.shipping],
  ["shipping_tax", ({ totals }) => totals.shipping_tax],
  ["tax", ({ totals }) => totals.tax],
  ["grand_total", ({ totals }) => totals.grand_total],
  ["paid", ({ totals }) => totals.paid],
  ["refunded", ({ totals }) => totals.refunded],
  ["due", ({ totals }) => totals.due],
  ["shipments", ({ shipments }) => shipments],
  ["transactions", ({ transactions }) => transactions],
];

const ofLine: readonly Column<OrderItem>[] = [
  ["line_id", ({ id }) => id],
  ["kind", ({ kind }) => kind],
  ["sku", ({ sku }) => sku],
  ["item", ({ name }) => name],
  ["configuration", ({ configuration }) => configuration],
  ["choices", ({ choices }) => choices],
  ["hsn_code", ({ hsn_code }) => hsn_code],
  ["quantity", ({ quantity }) => quantity],
  ["unit_price", ({ unit_price }) => unit_price],
  ["line_subtotal", ({ line_subtotal }) => line_subtotal],
  ["line_discount", ({ line_discount }) => line_discount],
  ["line_tax", ({ line_tax }) => line_tax],
  ["line_total", ({ line_total }) => line_total],
];

const namesOf = (columns: readonly Column<never>[]) => columns.map(([name]) => name);

/** One spreadsheet line per order line. */
const orderLines: ExportTable = {
  columns: [...namesOf(ofOrder), ...namesOf(onceAnOrder), ...namesOf(ofLine)],
  lines({ data }) {
    // The rows of this table are orders.
    const order = data as ExportedOrder;
    return order.items.map((item, position) => [
      ...ofOrder.map(([, value]) => value(order)),
      ...onceAnOrder.map(([, value]) => (position === 0 ? value(order) : null)),
      ...ofLine.map(([, value]) => value(item)),
    ]);
  },
};

/** One spreadsheet line per member of a settings group. */
const settingLines: ExportTable = {
  columns: ["group", "setting", "value"],
  lines({ data }) {
    // The rows of this table are groups of settings.
    const { group, value } = data as { group: string; value: Readonly<Record<string, unknown>> };
    // Each setting fits into a cell, or is a list that is written as JSON.
    return Object.entries(value).map(([name, of]) => [group, name, of as CellValue]);
  },
};

export const exportTables: Record<ExportedPart, ExportTable> = {
  content: oneLineEach("content"),
  catalog: oneLineEach("catalog"),
  orders: orderLines,
  media: oneLineEach("media"),
  settings: settingLines,
};
