import type { DueDocument } from "#shared/domain/document/document.ts";
import { printedSupply } from "#shared/domain/order/invoice/invoice-view.ts";
import { partOfSupply, supplyOf } from "#shared/domain/order/invoice/invoiced-supplies.ts";
import type { Invoice, OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import { type Advance, voidVoucherId } from "#shared/domain/order/invoice/vouchers.ts";
import type { StoreSettings } from "#shared/domain/settings/store-settings.ts";
import { day, money } from "#shared/mail/wording.ts";
import { ordered, placeOfSupply, supplyDocument } from "./order-document.ts";
import type { PrintedFact, PrintedDocument } from "./printed-document.ts";

/**
 * The voucher of a deposit that was received, or of what was refunded of it. It shows the tax in the amount, which is
 * spread over what the order was when the deposit was received, in proportion to its price. Each voucher is spread by
 * itself, so the tax components of several refund vouchers may differ from those of their receipt by a minor unit.
 *
 * @param advance.receipt the receipt voucher of the deposit; null if it has none
 */
export function voucherDocument(
  record: OrderRecord,
  due: DueDocument,
  advance: Advance & { readonly receipt: Invoice | null },
  { store }: { readonly store: StoreSettings },
): PrintedDocument {
  const { amount, receipt } = advance;
  const { order } = record;
  const supply = partOfSupply(order, supplyOf(whenReceived(record, advance)), amount);
  const document = supplyDocument(order, printedSupply(order, supply), store);
  const isReceipt = advance.type === "receipt_voucher";
  const total: PrintedFact = [
    isReceipt ? "Deposit received" : "Deposit refunded",
    money(store, amount, order.currency),
  ];
  const against: PrintedFact[] =
    isReceipt || receipt === null
      ? []
      : [
          ["Against receipt", receipt.number],
          ["Receipt date", day(store, receipt.issued_on)],
        ];
  return {
    ...document,
    totals: [...document.totals.slice(0, -1), total],
    payments: isReceipt ? restOf(order, amount, store) : [],
    title: isReceipt ? "Receipt voucher" : "Refund voucher",
    number: due.number,
    facts: [
      ["Date", day(store, due.issued_on)],
      ...against,
      ...ordered(order, store),
      ...placeOfSupply(order),
    ],
    notes: [
      isReceipt
        ? "This is not a tax invoice. You receive the invoice when your order is sent."
        : "Reason: The order was cancelled, and no invoice was issued for it.",
      ...(store.country === "IN" ? ["Tax is not payable on reverse charge."] : []),
    ],
  };
}

/** The order without the lines and changes that followed the payment of its deposit. */
function whenReceived({ order, rows }: OrderRecord, { id }: Pick<Advance, "id">): OrderRecord {
  const deposits = rows.transactions.filter(
    ({ type, advance }) => type === "charge" && advance !== undefined,
  );
  const own = deposits.find((charge) => charge.id === id || voidVoucherId(charge.id) === id);
  const paid = own ?? deposits.at(-1);
  const isBefore = (at: string | null) => at === null || !paid || at <= paid.at;
  return {
    order: { ...order, items: order.items.filter(({ added_at }) => isBefore(added_at)) },
    rows: { ...rows, changes: rows.changes.filter(({ at }) => isBefore(at)) },
  };
}

function restOf(
  { totals: { grand_total }, currency }: StoredOrder,
  deposit: number,
  store: StoreSettings,
): PrintedFact[] {
  return [
    ["Total of the order", money(store, grand_total, currency)],
    ["Balance", money(store, grand_total - deposit, currency)],
  ];
}
