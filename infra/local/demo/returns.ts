import type { z } from "zod";
import { addedLines } from "#shared/application/order/added-lines.ts";
import { bookPlace, readCalendar } from "#shared/application/delivery/free-slots.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { runZoneOfOrder } from "#shared/domain/order/edit/slot-choice.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { openReturn, returnProblems } from "#shared/domain/order/returns/return-policy.ts";
import type { OrderReturn } from "#shared/domain/order/returns/order-return.ts";
import { ReturnInput, ReturnPatch } from "#shared/domain/order/returns/return-input.ts";
import { planReturnStep } from "#shared/domain/order/returns/settle-return.ts";
import { isNew } from "#shared/storage/conditions.ts";
import { returnVisitWrites } from "#shared/storage/delivery/delivery-places.ts";
import { OrdersOfReturn } from "#shared/storage/order/orders.ts";
import type { Table } from "#shared/storage/table.ts";
import { put } from "#shared/storage/writes.ts";
import { type DemoStepContext, allowed, storeChange } from "./order-steps.ts";
import { daysBefore, demoId } from "./identity.ts";

/** A return of units of a demo order's only line. */
export interface ReturnRow extends Pick<
  z.input<typeof ReturnInput>["items"][number],
  "reason" | "note"
> {
  readonly kind?: "warranty";
  readonly wish?: "exchange" | "repair";
  readonly daysAgo: number;
  readonly steps: readonly (readonly [daysAgo: number, step: ReturnStepRow])[];
}

/** What staff or the buyer do next. The inspection is of the return's only unit. */
export type ReturnStepRow = Pick<z.input<typeof ReturnPatch>, "status" | "answer" | "sent_back"> & {
  readonly found?: Omit<NonNullable<z.input<typeof ReturnPatch>["items"]>[number], "id">;
  /** The window in which the goods are collected, on one of the next open days. */
  readonly pickup?: string;
  /** Whether the buyer gets a unit of the same line instead. */
  readonly again?: true;
};

/** Opens a return, and takes its steps by the rules of staff. It sends no mail. */
export async function plantReturn(
  table: Table,
  before: OrderRecord,
  row: ReturnRow,
  { settings, now }: { readonly settings: DemoStepContext["settings"]; readonly now: Date },
): Promise<OrderRecord> {
  const [line] = before.order.items;
  const id = demoId("ret", `${before.order.id} ${row.reason} ${row.daysAgo}`);
  const at = new Date(daysBefore(now, row.daysAgo));
  const { reason, note, kind, wish } = row;
  const input = ReturnInput.parse({
    kind,
    wish,
    items: [{ id: line!.id, quantity: 1, reason, note }],
  });
  const context = { settings, now: at };
  const [problem] = returnProblems(before, input, context, true);
  if (problem) throw new Error(`A demo order cannot come back: ${problem.message}`);
  const opened = openReturn(before, input, context, { id, openedBy: null });
  const place = put(OrdersOfReturn, { id, order_id: before.order.id }, isNew);
  let record = await storeChange(table, before, opened, { at, further: [place] });
  for (const [daysAgo, step] of row.steps) {
    record = await takeReturnStep(
      table,
      record,
      { id, step },
      {
        settings,
        at: new Date(daysBefore(now, daysAgo)),
      },
    );
  }
  return record;
}

async function takeReturnStep(
  table: Table,
  record: OrderRecord,
  { id, step }: { readonly id: string; readonly step: ReturnStepRow },
  { settings, at }: DemoStepContext,
): Promise<OrderRecord> {
  const found = returnOf(record, id);
  const { found: result, pickup: window, again, ...rest } = step;
  const [item] = record.order.items;
  const changeId = demoId("chg", `${id} ${step.status}`);
  const add = again ? [{ sku: item!.sku!, quantity: 1 }] : undefined;
  const added = await addedLines(table, add ?? [], {
    order: record.order,
    tax: settings.tax,
    id: changeId,
    now: at,
    permissions: ["*"],
    maxDiscountBps: 0,
  });
  const visit =
    window === undefined ? undefined : await book(table, record, window, { settings, at });
  const patch = ReturnPatch.parse({
    ...rest,
    ...(result && { items: [{ id: item!.id, ...result }] }),
    ...(add && { add }),
    ...(visit && { pickup: { date: visit.slot.date, window } }),
  });
  const change = allowed(
    planReturnStep(record, found, patch, {
      now: at,
      id: changeId,
      added: added.items,
      visit: visit?.slot ?? null,
      settings,
      newTransactionId: () => demoId("txn", `${id} back`),
    }),
  );
  const visits = change.returns.flatMap((after) => returnVisitWrites(found, after));
  return storeChange(table, record, change, { at, further: [...visits, ...(visit?.writes ?? [])] });
}

function returnOf({ rows }: OrderRecord, id: string): OrderReturn {
  const found = rows.returns.find((each) => each.id === id);
  if (!found) throw new Error(`There is no return ${id}.`);
  return found;
}

/** Books a window of the last day that can be chosen, so that a visitor finds the next days as they were. */
async function book(
  table: Table,
  { order }: OrderRecord,
  window: string,
  { settings, at: now }: DemoStepContext,
) {
  const zone = runZoneOfOrder(order, settings);
  if (!zone) throw new Error(`No van goes to order ${order.id}.`);
  const choice = { zone, earliest: dayIn(settings.store.timezone, now), settings, now };
  const date = (await readCalendar(table, choice)).days.at(-1)?.date ?? choice.earliest;
  return bookPlace(table, { date, window }, choice);
}
