import * as fc from "fast-check";
import { expect, test } from "vitest";
import { changePaymentMethod } from "#shared/domain/checkout/change-payment-method.ts";
import { orderTally } from "#shared/domain/metrics/order-metrics.ts";
import { adminOrder, adminOrderSummary } from "#shared/domain/order/view/admin-order.ts";
import { followBalance, nextBalanceCheck } from "#shared/domain/order/status/balance.ts";
import { cancelOrder } from "#shared/domain/order/status/cancel-order.ts";
import { deliveriesOf } from "#shared/domain/order/shipment/delivery-run.ts";
import { orderForBuyer, paymentOf } from "#shared/domain/order/view/order-view.ts";
import { isPayable } from "#shared/domain/payment/owing.ts";
import { moneyMoved } from "#shared/domain/payment/payment.ts";
import { orderRow } from "#shared/domain/order/view/order-row.ts";
import { compose } from "#shared/application/mail/send-mail.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import type { OrderStatus } from "#shared/domain/order/status/order-states.ts";
import { PaymentMethod } from "#shared/domain/settings/settings.ts";
import { testKeys } from "#test/support/http/identity.ts";
import { noon, someSettings } from "#test/support/shop/commerce.ts";
import {
  aCharge,
  aDeposit,
  aMoneyContext,
  aRecord,
  after,
} from "#test/support/shop/order-record.ts";
import { aSlot } from "#test/support/shop/settings.ts";

const settings = someSettings();
const later = new Date(noon.getTime() + 30 * 86_400_000);
const at = noon.toISOString();
const totals = { ...aRecord().order.totals, grand_total: 1_000 };

const deposited = aCharge({ amount: 200 });

const uncancelled = fc
  .record({
    status: fc.constantFrom("pending_payment", "confirmed", "in_production", "ready_to_dispatch"),
    payment_method: fc.constantFrom(...PaymentMethod.options),
    received: fc.constantFrom(0, 100, 200, 600, 1_000),
    keep_amount: fc.constantFrom(0, 50, 100),
    inParts: fc.boolean(),
    due_at: fc.constantFrom(null, at),
    expires_at: fc.constantFrom(null, at),
    isWaived: fc.boolean(),
    isOverdue: fc.boolean(),
  })
  .map(({ received, keep_amount, inParts, due_at, isWaived, isOverdue, ...order }) => {
    const transactions = received === 0 ? [] : [aCharge({ amount: received })];
    const waiver = isWaived ? { reason: "A regular buyer", at } : null;
    const deposit = inParts ? aDeposit({ due_at }) : null;
    const overdue = {
      code: "balance_overdue" as const,
      about: null,
      message: "The balance is overdue.",
      at,
    };
    const attention = isOverdue && inParts ? [overdue] : [];
    const slot = { ...aSlot(), confirm_by: at, has_left: false };
    const money = moneyMoved(transactions);
    const record = aRecord(
      { ...order, totals, deposit, waiver, attention, slot, ...money },
      { transactions },
    );
    return { record, keep_amount: inParts ? Math.min(keep_amount, received) : 0 };
  });

test("nothing of a cancelled order is due, whatever was paid, waived or overdue before", () => {
  fc.assert(
    fc.property(uncancelled, ({ record: before, keep_amount }) => {
      const terms = { requested_by: "buyer" as const, keep_amount };
      const outcome = cancelOrder(before, "staff", aMoneyContext(), terms);
      const record = after(before, outcome.kind === "cancelled" ? outcome.change : null);
      const { order } = record;
      expect(order.status).toBe("cancelled");

      const [buyers, staffs] = [
        orderForBuyer(record, { settings, now: later }),
        adminOrder(record, ["*"]),
      ];
      for (const { payment_schedule } of [buyers, staffs]) {
        for (const { state, due_at } of payment_schedule) {
          expect(["open", "paid"]).toContain(state);
          expect(due_at).toBeNull();
        }
      }
      for (const shown of [buyers, staffs, adminOrderSummary(orderRow(order))]) {
        expect(shown.totals.due).toBe(0);
      }
      expect(staffs.attention.map(({ code }) => code)).not.toContain("balance_overdue");

      expect(isPayable(order)).toBe(false);
      expect(buyers.allowed_actions).not.toContain("pay");
      expect(paymentOf(order, settings.payments)).toMatchObject({
        amount_due: 0,
        action: { type: "none" },
      });
      for (const method of PaymentMethod.options) {
        const options = { settings, gatewayReady: true, now: later };
        expect(changePaymentMethod(record, method, options).kind).toBe("refused");
      }

      expect(followBalance(record, later)).toBeUndefined();
      expect(nextBalanceCheck(record, noon)).toBeNull();
      expect(deliveriesOf(record, aSlot())).toEqual([]);
      for (const metrics of Object.values(orderTally(record, "Asia/Kolkata"))) {
        const names = Object.keys(metrics);
        expect(names.filter((name) => /^(?:balances_due|deposits_held|unpaid)/.test(name))).toEqual(
          [],
        );
      }
    }),
  );
});

test.each(["order_balance_due", "order_balance_reminder"] as const)(
  "a mail %s is skipped once the order is cancelled or its balance is paid",
  async (type) => {
    const deposit = aDeposit({ due_at: at });
    const mailFor = (status: OrderStatus, charge = deposited) => {
      const transactions = [charge];
      const money = moneyMoved(transactions);
      const record = aRecord({ deposit, totals, ...money, status }, { transactions });
      const unread = () => Promise.reject(new Error("This mail is about an order alone"));
      return compose(
        { event: { type, order_id: record.order.id, at }, at },
        {
          orders: { find: unread },
          orderAlone: async () => record.order,
          documents: unread,
          enquiries: { lead: unread, quote: unread },
          marketing: {
            subscription: unread,
            alert: unread,
            product: unread,
            customer: unread,
            cartOf: unread,
            soldItems: unread,
          },
          linkKeys: async () => testKeys.customer,
          settings: { current: async () => ({ ...defaultSettings, ...settings }), latest: unread },
          apiBaseUrl: undefined,
          now: () => noon,
        },
      );
    };
    expect(await mailFor("ready_to_dispatch")).toBeDefined();
    expect(await mailFor("cancelled")).toBeUndefined();
    expect(await mailFor("ready_to_dispatch", aCharge({ amount: 1_000 }))).toBeUndefined();
  },
);
