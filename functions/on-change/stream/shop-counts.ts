import type { DynamoDBRecord } from "aws-lambda";
import { simulatorAddress } from "#shared/mail/simulator.ts";
import { type Counted, count } from "#shared/runtime/count.ts";
import { OrderTimeline, Orders } from "#shared/storage/order/orders.ts";

/**
 * Timeline entries of orders that are counted for operators, and the name of each metric. It does not matter which
 * function wrote the entry.
 */
const countedEntries: ReadonlyMap<string | undefined, Counted> = new Map([
  ["paid", "OrdersPaid"],
  ["payment_failed", "PaymentFailures"],
]);

/**
 * Counts new orders, payments and failed payments for operators. A retried batch is counted again, so these counts may
 * be too high. The metrics in the back office are exact.
 */
export async function countOrders(records: readonly DynamoDBRecord[]): Promise<void> {
  for (const { eventName, dynamodb } of records) {
    const name = eventName === "INSERT" ? countedIn(dynamodb?.NewImage ?? {}) : undefined;
    if (name) await count(name);
  }
}

type Image = NonNullable<NonNullable<DynamoDBRecord["dynamodb"]>["NewImage"]>;

/**
 * Returns the metric that a new row increments; undefined if it increments none. New orders of the smoke test are not
 * counted; their email is the address of SES's simulator.
 */
function countedIn({ entity, type, customer }: Image): Counted | undefined {
  if (entity?.S === OrderTimeline.name) return countedEntries.get(type?.S);
  const isPlaced = entity?.S === Orders.name && customer?.M?.["email"]?.S !== simulatorAddress;
  return isPlaced ? "OrdersPlaced" : undefined;
}
