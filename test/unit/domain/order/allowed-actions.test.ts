import { describe, expect, test } from "vitest";
import { allowedActions, OrderAction } from "#shared/domain/order/view/buyer-order.ts";
import { cancelOrder } from "#shared/domain/order/status/cancel-order.ts";
import { printedInvoice } from "#shared/domain/order/invoice/invoice-view.ts";
import type { OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import { OrderStatus, ShipmentStatus } from "#shared/domain/order/status/order-states.ts";
import { ReturnInput } from "#shared/domain/order/returns/return-input.ts";
import { returnProblems } from "#shared/domain/order/returns/return-policy.ts";
import { changePaymentMethod } from "#shared/domain/checkout/change-payment-method.ts";
import { PaymentMethod } from "#shared/domain/settings/settings.ts";
import { aStore, noon, someSettings } from "#test/support/shop/commerce.ts";
import { aMoneyContext, aRecord, aShipment } from "#test/support/shop/order-record.ts";

const settings = someSettings();
const invoice = { number: "FS/26-27/000001", issued_on: "2026-11-21" };
const daysLater = (days: number) => new Date(noon.getTime() + days * 86_400_000);

/** What each action's own rule decides. */
const accepts: Record<OrderAction, (record: OrderRecord, now: Date) => boolean> = {
  pay: (record, now) =>
    PaymentMethod.options.some((method) => {
      const options = { settings, gatewayReady: true, now };
      const { kind } = changePaymentMethod(record, method, options);
      // Repeating the change that confirmed an order is accepted, but there is nothing to pay.
      return kind === "changed" || (kind === "same" && record.order.status === "pending_payment");
    }),
  cancel: (record, now) =>
    cancelOrder(record, "customer", aMoneyContext({ now })).kind === "cancelled",
  choose_slot: () => false,
  change_slot: () => false,
  download_invoice: ({ order }) => printedInvoice(order, aStore()) !== undefined,
  return: (record, now) => accepted(record, now, "return"),
  claim_warranty: (record, now) => accepted(record, now, "warranty"),
};

/** Whether a unit of the first line can be in a case of this kind. */
function accepted(record: OrderRecord, now: Date, kind: "return" | "warranty"): boolean {
  const items = [{ id: record.order.items[0]!.id, quantity: 1, reason: "wrong-item" }];
  const input = ReturnInput.parse({ kind, items });
  return returnProblems(record, input, { settings, now }, false).length === 0;
}

const statuses = OrderStatus.options.flatMap((status) =>
  [undefined, ...ShipmentStatus.options].map((shipment) => ({ status, shipment })),
);

describe("the allowed actions of a buyer's order", () => {
  test.each(statuses)("are those that its rules accept: $status, parcel $shipment", (of) => {
    const shipments = of.shipment ? [aShipment({ status: of.shipment })] : [];
    const expiries = [null, noon.toISOString(), daysLater(1).toISOString()];
    for (const payment_method of PaymentMethod.options) {
      for (const expires_at of expiries) {
        for (const issued of [null, invoice]) {
          for (const days of [0, 0.5, 1, 2, 4]) {
            const order: Partial<StoredOrder> = { ...of, payment_method, expires_at };
            const record = aRecord({ ...order, invoice: issued }, { shipments });
            const now = daysLater(days);
            const expected = OrderAction.options.filter((action) => accepts[action](record, now));
            expect(allowedActions(record, { settings, now })).toEqual(expected);
          }
        }
      }
    }
  });

  test("contain each action for some order", () => {
    const unpaid = aRecord();
    expect(allowedActions(unpaid, { settings, now: noon })).toEqual(["pay", "cancel"]);
    const shipped = aRecord({ status: "shipped", invoice, current: 0 });
    expect(allowedActions(shipped, { settings, now: noon })).toEqual(["download_invoice"]);
  });
});
