import type { Shop } from "#shared/application/shop.ts";
import { type CreatingCall, type Once, once } from "#shared/application/once.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { parseOrderNumber } from "#shared/domain/order/order-number.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import {
  mostReturns,
  openReturn,
  type ReturnContext,
  returnProblems,
} from "#shared/domain/order/returns/return-policy.ts";
import type { OrderReturn } from "#shared/domain/order/returns/order-return.ts";
import type { ReturnInput, StaffReturnInput } from "#shared/domain/order/returns/return-input.ts";
import { invalidField, invalidFields, orNotFound } from "#shared/domain/request/app-error.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { holdPictures } from "#shared/application/upload/hold-pictures.ts";
import { openOrders, OrdersOfReturn } from "#shared/storage/order/orders.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { isNew } from "#shared/storage/conditions.ts";
import { type TransactionWrite, put } from "#shared/storage/writes.ts";
import { targetOf } from "./step-by-call.ts";
import { tryStep } from "./step-order.ts";

/** A return, and its order. */
export interface FoundReturn {
  readonly record: OrderRecord;
  readonly found: OrderReturn;
}

interface Opening {
  /** The route, for which the caller's idempotency key is valid. */
  readonly path: string;
  /** The path of the return by its id. */
  at(id: string): string;
  readonly record: OrderRecord;
  readonly input: ReturnInput;
  readonly settings: Pick<Settings, "returns" | "store">;
  /** Id of the staff user; null for the buyer. */
  readonly openedBy: string | null;
  /** Further writes for the same transaction. */
  writes(id: string): readonly TransactionWrite[];
}

/** Opens a return for the buyer of an order, who has proven it. Once per idempotency key. */
export const openOwnReturn = (
  call: CreatingCall & { readonly body: ReturnInput },
  shop: Shop<"table">,
  { record, settings }: Pick<Opening, "record" | "settings">,
): Promise<Once<FoundReturn>> =>
  open(call, shop, {
    path: `/orders/${record.order.id}/returns`,
    at: () => `/orders/${record.order.id}/returns`,
    record,
    input: call.body,
    settings,
    openedBy: null,
    writes: () => [],
  });

/** Opens a return for the buyer of an order, by staff, who may go beyond the shop's own terms. */
export async function openStaffReturn(
  call: CreatingCall & AuditedCall & { readonly body: StaffReturnInput },
  shop: Shop<"table">,
  settings: Opening["settings"],
): Promise<Once<FoundReturn>> {
  const { order: named, ...input } = call.body;
  const number = parseOrderNumber(named);
  const record = await (number
    ? openOrders(shop.table).findByNumber(number)
    : openOrders(shop.table).find(named));
  if (!record) throw invalidField("order", "There is no order with this id or number.");
  const audit = auditContextOf(call);
  return open(call, shop, {
    path: "/admin/returns",
    at: (id) => `/admin/returns/${id}`,
    record,
    input,
    settings,
    openedBy: audit.actor.id,
    writes: (id) => [
      recordActivity(audit, "return.create", targetOf(record.order), { after: { id, ...input } }),
    ],
  });
}

async function open(
  call: CreatingCall,
  shop: Shop<"table">,
  { path, at, record: first, input, settings, openedBy, writes }: Opening,
): Promise<Once<FoundReturn>> {
  const { now } = call;
  const orderId = first.order.id;
  const id = newId("ret", now);
  const context: ReturnContext = { settings, now };
  const again = () => openOrders(shop.table).find(orderId);
  const foundIn = (record: OrderRecord, opened: string): FoundReturn => ({
    record,
    found: orNotFound(record.rows.returns.find((each) => each.id === opened)),
  });
  const opening = {
    route: `POST ${path}`,
    id,
    at,
    known: { first, again },
    replay: async (opened: string) => foundIn(orNotFound(await again()), opened),
    // A concurrent call with the same key may hold the units by now.
    mayMeanDone: () => true,
  };
  return once<FoundReturn, OrderRecord | undefined>(
    opening,
    call,
    shop.table,
    async (bind, read) => {
      const after = await tryStep(shop, orNotFound(read), now, (record) => {
        refuse(record, input, context, openedBy !== null);
        const further = [
          put(OrdersOfReturn, { id, order_id: orderId }, isNew),
          ...holdPictures(picturesOf(input), now),
          ...writes(id),
          ...bind(),
        ];
        return { ...openReturn(record, input, context, { id, openedBy }), writes: further };
      });
      return foundIn(after, id);
    },
  );
}

function refuse(
  record: OrderRecord,
  input: ReturnInput,
  context: ReturnContext,
  byStaff: boolean,
): void {
  if (record.rows.returns.length >= mostReturns) {
    throw invalidField("items", `An order has at most ${mostReturns} returns. Please contact us.`);
  }
  const problems = returnProblems(record, input, context, byStaff);
  if (problems.length > 0) throw invalidFields(problems);
}

const picturesOf = ({ items }: ReturnInput) =>
  items.flatMap(({ upload_ids }, index) =>
    upload_ids.map((id, position) => [id, `items.${index}.upload_ids.${position}`] as const),
  );
