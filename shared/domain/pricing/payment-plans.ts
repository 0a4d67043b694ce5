import * as z from "zod";
import { MoneySum, shareOf } from "../base/money.ts";
import type { PaymentSettings } from "../settings/settings.ts";

export const PaymentPlanCode = z.enum(["full", "deposit"]);
export type PaymentPlanCode = z.output<typeof PaymentPlanCode>;

export const PaymentPartCode = z.enum(["full", "deposit", "balance"]);

/** A way to pay an order: at once, or a deposit now and the balance before dispatch. */
export const PaymentPlan = z.object({
  code: PaymentPlanCode,
  parts: z
    .array(
      z.object({
        code: PaymentPartCode,
        amount: MoneySum,
        due: z.enum(["now", "before_dispatch"]),
      }),
    )
    .meta({ description: "Add up to the grand total" }),
});
export type PaymentPlan = z.output<typeof PaymentPlan>;

export const PaymentPlans = z.array(PaymentPlan).meta({
  description: "The values of `payment_plan` that `POST /checkout` accepts for these items",
});

/** The deposit of an order with this grand total; null if the shop does not offer to pay it in parts. */
export function depositOf(
  total: number,
  lines: readonly { readonly made_to_order: boolean }[],
  { deposit, gateway, bank_transfer }: PaymentSettings,
): number | null {
  const { enabled, applies_to, min_total, bps } = deposit;
  // A deposit is never paid in cash.
  if (!enabled || !(gateway.enabled || bank_transfer.enabled) || total < min_total) return null;
  if (applies_to !== "all" && !lines.some(({ made_to_order }) => made_to_order)) return null;
  const amount = shareOf(total, bps);
  return amount > 0 && amount < total ? amount : null;
}

/** Why an order cannot be placed with a deposit. */
export const noDeposit = "This order cannot be paid in parts.";

/** The payment plans of a grand total, the parts of each adding up to it. @param deposit null if none is offered */
export function paymentPlans(total: number, deposit: number | null): PaymentPlan[] {
  const full: PaymentPlan = { code: "full", parts: [{ code: "full", amount: total, due: "now" }] };
  if (deposit === null) return [full];
  const parts: PaymentPlan["parts"] = [
    { code: "deposit", amount: deposit, due: "now" },
    { code: "balance", amount: total - deposit, due: "before_dispatch" },
  ];
  return [full, { code: "deposit", parts }];
}
