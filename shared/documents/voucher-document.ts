import type { DueDocument } from "#shared/domain/document/document.ts";
import { asPlaced } from "#shared/domain/order/as-placed.ts";
import { printedSupply } from "#shared/domain/order/invoice/invoice-view.ts";
import { partOfSupply, wholeSupply } from "#shared/domain/order/invoice/lower-supply.ts";
import type { Invoice, StoredOrder } from "#shared/domain/order/order.ts";
import type { Advance } from "#shared/domain/order/invoice/vouchers.ts";
import type { StoreSettings } from "#shared/domain/settings/store-settings.ts";
import { day, money } from "#shared/mail/wording.ts";
import { ordered, placeOfSupply, supplyDocument } from "./order-document.ts";
import type { Fact, PrintedDocument } from "./printed-document.ts";

/**
 * The voucher of a deposit that was received, or of what was refunded of it. It shows the tax in the amount, which is
 * spread over the goods for which it was agreed, in proportion to their price. Each voucher is spread by itself, so the tax components of
 * several refund vouchers may differ from those of their receipt by a minor unit.
 *
 * @param advance.receipt the receipt voucher of the deposit; null if it has none
 */
export function voucherDocument(
  order: StoredOrder,
  due: DueDocument,
  advance: Advance & { readonly receipt: Invoice | null },
  { store }: { readonly store: StoreSettings },
): PrintedDocument {
  const { amount, receipt } = advance;
  const agreed = asPlaced(order);
  const supply = partOfSupply(agreed, wholeSupply(agreed), amount);
  const document = supplyDocument(order, printedSupply(order, supply), store);
  const isReceipt = advance.type === "receipt_voucher";
  const total: Fact = [
    isReceipt ? "Deposit received" : "Deposit refunded",
    money(store, amount, order.currency),
  ];
  const against: Fact[] =
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

function restOf(
  { totals: { grand_total }, currency }: StoredOrder,
  deposit: number,
  store: StoreSettings,
): Fact[] {
  return [
    ["Total of the order", money(store, grand_total, currency)],
    ["Balance", money(store, grand_total - deposit, currency)],
  ];
}
