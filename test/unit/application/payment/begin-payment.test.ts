import { afterAll, beforeAll, expect, test } from "vitest";
import { openedCharge } from "#shared/domain/payment/gateway/opened-charge.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { beginPayment } from "#shared/application/payment/begin-payment.ts";
import type { PayablePayment, PaymentGateway } from "#shared/payments/gateway.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { aCharge, aRecord } from "#test/support/shop/order-record.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
beforeAll(async () => {
  fixture = await startTestTable();
});
afterAll(() => fixture.stop());

test.each(["succeeded", "processing"] as const)(
  "a partly paid order keeps its gateway payment and opens no second one if the payment is already %s",
  async (state) => {
    const base = aRecord({ payment_method: "gateway" });
    const amount = base.order.totals.grand_total;
    const open: PayablePayment = {
      id: "pi_1",
      order_id: base.order.id,
      state: "open",
      amount,
      received: 0,
      currency: base.order.currency,
      decline_reason: null,
      refunds: [],
      disputes: [],
      clientSecret: "pi_1_secret",
    };
    const never = () => Promise.reject(new Error("The gateway got an unexpected call"));
    const gateway: PaymentGateway = {
      publishableKey: "pk",
      create: never,
      refund: never,
      find: async () => open,
      cancel: async () => ({ ...open, state }),
    };
    const record: OrderRecord = {
      order: { ...base.order, paid: 1_000, received: 1_000 },
      rows: {
        ...base.rows,
        transactions: [openedCharge(open, noon.toISOString()), aCharge({ amount: 1_000 })],
      },
    };
    const begun = await beginPayment({ table: fixture.table }, record, gateway, noon);
    expect(begun.payment).toMatchObject({ id: "pi_1", state });
  },
);
