import { describe, expect, test } from "vitest";
import type {
  GatewayDispute,
  GatewayPayment,
  GatewayRefund,
} from "#shared/domain/payment/gateway/gateway-payment.ts";
import { refundRefusal } from "#shared/domain/payment/gateway/refund-refusal.ts";

const payment = (of: Partial<GatewayPayment> = {}): GatewayPayment => ({
  id: "pi_1",
  order_id: "ord_1",
  state: "succeeded",
  amount: 1_000,
  received: 1_000,
  currency: "INR",
  decline_reason: null,
  refunds: [],
  disputes: [],
  ...of,
});
const refund = (
  amount: number,
  of: Partial<Pick<GatewayRefund, "state"> & { transaction_id: string }> = {},
): GatewayRefund => ({
  id: `re_${amount}`,
  state: "succeeded",
  amount,
  transaction_id: null,
  refusal: null,
  ...of,
});
const dispute = (state: GatewayDispute["state"], is_refundable: boolean): GatewayDispute => ({
  id: "du_1",
  state,
  amount: 1_000,
  is_refundable,
});
const ledger = [{ id: "txn_1" }];
const codeFor = (of: GatewayPayment | undefined, amount = 300) =>
  refundRefusal(of, amount, ledger)?.code ?? null;

describe("the gateway refuses a refund", () => {
  test.each<[string, GatewayPayment | undefined, string | null]>([
    ["of a payment without refunds: not", payment(), null],
    ["of an unknown payment", undefined, "resource_missing"],
    [
      "of a payment that is all refunded",
      payment({ refunds: [refund(1_000)] }),
      "charge_already_refunded",
    ],
    ["of more than is left", payment({ refunds: [refund(701)] }), "amount_too_large"],
    ["of exactly what is left: not", payment({ refunds: [refund(700)] }), null],
    [
      "of money that a pending refund takes",
      payment({ refunds: [refund(701, { state: "pending" })] }),
      "amount_too_large",
    ],
    [
      "of money that a failed refund gave back: not",
      payment({ refunds: [refund(1_000, { state: "failed" })] }),
      null,
    ],
    [
      "of a payment with an open dispute",
      payment({ disputes: [dispute("open", false)] }),
      "charge_disputed",
    ],
    [
      "of a payment with a lost dispute",
      payment({ disputes: [dispute("lost", false)] }),
      "charge_disputed",
    ],
    [
      "of a payment about which a bank only inquires: not",
      payment({ disputes: [dispute("open", true)] }),
      null,
    ],
    ["of a payment with a won dispute: not", payment({ disputes: [dispute("won", true)] }), null],
  ])("%s", (_what, of, code) => {
    expect(codeFor(of)).toBe(code);
  });

  test("counts the order's own refunds, and judges nothing by a ledger that lacks one of them", () => {
    const known = payment({ refunds: [refund(1_000, { transaction_id: "txn_1" })] });
    expect(codeFor(known)).toBe("charge_already_refunded");
    const unknown = payment({ refunds: [refund(1_000, { transaction_id: "txn_2" })] });
    expect(codeFor(unknown)).toBeNull();
  });
});
