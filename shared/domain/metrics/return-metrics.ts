import {
  cameBack,
  awaitsSendBack,
  isOpenReturn,
  type OrderReturn,
} from "../order/returns/order-return.ts";
import type { OrderItem, OrderRecord } from "../order/order.ts";
import type { Day } from "../base/text.ts";
import { type Tally, metricOf, rowName, rowsOf, sumOf } from "./metrics.ts";

/** The returns of an order that still need somebody. */
export const openReturnTally = ({ rows }: OrderRecord): Tally =>
  sumOf(...rows.returns.map((found) => ({ [rowName("standing", "now")]: workOn(found) })));

const workOn = (found: OrderReturn) => ({
  ...(isOpenReturn(found.status) && { [`returns_${found.status}`]: 1 }),
  ...(awaitsSendBack(found) && { returns_to_send_back: 1 }),
});

/** The product or sofa that a line sells; null for a line that is no item of the catalog. */
export const catalogIdOf = ({ product_id, sofa_id }: OrderItem): string | null =>
  product_id ?? sofa_id;

/**
 * The sold units of an order that came back by returns, divided by reason, fault and product. They count on the day of
 * the sale, so that what a period's sales have lost is a part of its sales.
 */
export function returnedTally({ order, rows }: OrderRecord, day: Day): Tally {
  const sold = new Map(
    order.items.filter(({ change_id }) => change_id === null).map((item) => [item.id, item]),
  );
  const returned = rows.returns.flatMap(({ items }) => items);
  return sumOf(
    ...returned.flatMap(({ id, reason, fault, inspection }): Tally[] => {
      const item = sold.get(id);
      const units = cameBack(inspection);
      if (!item || units === 0) return [];
      const product = catalogIdOf(item);
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
