import * as z from "zod";
import { MoneySum } from "../../base/money.ts";
import { amountDue, surplusOf } from "../../payment/owing.ts";
import { ChangeLetter } from "../ledger/change-row.ts";
import type { ChangeInput } from "./change-input.ts";
import { movesOf } from "./plan-change.ts";
import type { OrderRecord } from "../order.ts";
import { stockIdOf } from "../../catalog/stock-id.ts";
import { stockMoves } from "../shipment/return-shipment.ts";

/** What a change does besides the order itself. */
export const ChangeEffect = z.object({
  money: z.object({
    due: MoneySum,
    surplus: MoneySum,
    refund: MoneySum,
  }),
  stock: z.array(z.object({ sku: z.string(), on_hand: z.int(), reserved: z.int() })),
  documents: z.array(z.enum(["credit_note", "refund_voucher"])),
  letters: z.array(ChangeLetter),
});
export type ChangeEffect = z.output<typeof ChangeEffect>;

/**
 * The effect of a change.
 *
 * @param record after the change
 * @param id of the change
 */
export function effectOfChange(
  { order, rows }: OrderRecord,
  id: string,
  input: ChangeInput,
): ChangeEffect {
  const added = order.items.filter(({ change_id }) => change_id === id);
  const refunds = rows.transactions.filter(({ change_id }) => change_id === id);
  const refund = refunds.reduce(
    (sum, { state, amount }) => (state === "failed" ? sum : sum + amount),
    0,
  );
  const made = rows.changes.find((change) => change.id === id);
  const hasVoucher = refunds.some(({ advance }) => advance !== undefined);
  return {
    money: { due: amountDue(order), surplus: surplusOf(order), refund },
    stock: Array.from(stockMoves(order, movesOf(input, added)), ([id, { add }]) => ({
      sku: order.items.find((line) => stockIdOf(line) === id)?.sku ?? "",
      on_hand: add.on_hand,
      reserved: add.reserved,
    })),
    documents: [
      ...(made?.credit ? (["credit_note"] as const) : []),
      ...(hasVoucher ? (["refund_voucher"] as const) : []),
    ],
    letters: (order.customer.email !== null && made?.letters) || [],
  };
}
