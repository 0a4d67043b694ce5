import { isDeepStrictEqual } from "node:util";
import type { StoredOrder } from "./order.ts";

type Confirmed = NonNullable<StoredOrder["placed"]>;

const confirmedOf = ({
  addresses,
  shipping,
  payment_method,
  deposit,
  slot,
}: StoredOrder): Confirmed => ({
  addresses,
  shipping,
  payment_method,
  deposit,
  slot,
});

/** What a changed order keeps of how it was placed, for its confirmation. */
export function placedBefore(before: StoredOrder, after: StoredOrder): StoredOrder["placed"] {
  if (before.placed !== null) return before.placed;
  const was = confirmedOf(before);
  return isDeepStrictEqual(was, confirmedOf(after)) ? null : was;
}

/** The order as its confirmation shows it: as it was placed, without lines that were added later. */
export const asPlaced = (order: StoredOrder): StoredOrder => ({
  ...order,
  ...order.placed,
  items: order.items.filter(({ change_id }) => change_id === null),
});
