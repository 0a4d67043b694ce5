import { cameBack, awaitsGiveBack, isOpenCase } from "../order/returns/order-return.ts";
import type { OrderReturn, ReturnItem } from "../order/returns/order-return.ts";
import type { OrderItem, OrderRecord } from "../order/order.ts";
import type { Day } from "../base/text.ts";
import { type Tally, metricOf, rowName, rowsOf, sumOf } from "./metrics.ts";

/** The returns of an order that still need somebody. */
export const openReturnTally = ({ rows }: OrderRecord): Tally =>
  sumOf(...rows.returns.map((found) => ({ [rowName("standing", "now")]: workOn(found) })));

const workOn = (found: OrderReturn) => ({
  ...(isOpenCase(found.status) && { [`returns_${found.status}`]: 1 }),
  ...(awaitsGiveBack(found) && { returns_to_give_back: 1 }),
});

/**
 * The sold units of an order that came back by returns, divided by reason, fault and product. They count on the day of
 * the sale, so that what a period's sales have lost is a part of its sales.
 *
 * @param idOf the product or sofa of a line; null for a line that is no item of the catalog
 */
export function returnedTally(
  { order, rows }: OrderRecord,
  day: Day,
  idOf: (item: OrderItem) => string | null,
): Tally {
  const sold = new Map(
    order.items.filter(({ change_id }) => change_id === null).map((item) => [item.id, item]),
  );
  const back = rows.returns.flatMap(({ items }) => items).filter(isBack);
  return sumOf(
    ...back.flatMap(({ id, reason, fault, inspection }): Tally[] => {
      const item = sold.get(id);
      if (!item) return [];
      const units = cameBack(inspection);
      const product = idOf(item);
      const divided = {
        returned: units,
        [metricOf("returnedFor", reason)]: units,
        [metricOf("returnedBy", fault)]: units,
      };
      return [
        { [rowName("sales", day)]: divided },
        ...(product === null
          ? []
          : rowsOf("products", day).map((row) => ({
              [row]: { [metricOf("returned", product)]: units },
            }))),
      ];
    }),
  );
}

const isBack = ({ inspection }: ReturnItem): boolean => cameBack(inspection) > 0;
