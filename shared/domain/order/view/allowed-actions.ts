import { mayCancel } from "../status/cancel-order.ts";
import { hasInvoice } from "../invoice/invoice-view.ts";
import type { OrderRecord } from "../order.ts";
import type { OrderAction } from "./buyer-order.ts";
import { namesOf } from "../../base/members.ts";
import { mayReturn } from "../returns/return-policy.ts";
import { mayChangeSlot, mayChooseSlot } from "../edit/slot-choice.ts";
import { awaitsPayment } from "../../payment/payment-window.ts";
import type { Settings } from "../../settings/settings.ts";

/** What the rules of a buyer's actions depend on besides the order. */
export interface ActionContext {
  readonly settings: Pick<Settings, "payments" | "returns" | "shipping" | "store">;
  readonly now: Date;
}

/** The rule of each action. The route of the action uses the same rule, so that it accepts what an order lists. */
const rules: Readonly<
  Record<OrderAction, (record: OrderRecord, context: ActionContext) => boolean>
> = {
  pay: ({ order }, { settings: { payments }, now }) => awaitsPayment(order, payments, now),
  cancel: (record) => mayCancel(record, "customer"),
  choose_slot: (record, { settings }) => mayChooseSlot(record, settings),
  change_slot: (record, { settings, now }) => mayChangeSlot(record, settings, now),
  download_invoice: ({ order }) => hasInvoice(order),
  return: (record, context) => mayReturn(record, context, "return"),
  claim_warranty: (record, context) => mayReturn(record, context, "warranty"),
};

/** The actions that the buyer of an order may take now. */
export const allowedActions = (record: OrderRecord, context: ActionContext): OrderAction[] =>
  namesOf(rules).filter((action) => rules[action](record, context));
