import type { DynamoDBRecord } from "aws-lambda";
import { simulatorAddress } from "#shared/mail/simulator.ts";
import { type Counted, count } from "#shared/runtime/count.ts";
import { OrderTimeline, Orders } from "#shared/storage/order/orders.ts";

/** The entries of an order's timeline that operators see counted, whichever function wrote them. */
const countedEntries: ReadonlyMap<string | undefined, Counted> = new Map([
  ["paid", "OrdersPaid"],
  ["payment_failed", "PaymentFailures"],
]);

/** Counts what happened to orders. A retried batch counts again, so the shop's own metrics are the exact ones. */
export async function countOrders(records: readonly DynamoDBRecord[]): Promise<void> {
  for (const { eventName, dynamodb } of records) {
    const name = eventName === "INSERT" ? countedIn(dynamodb?.NewImage ?? {}) : undefined;
    if (name) await count(name);
  }
}

type Image = NonNullable<NonNullable<DynamoDBRecord["dynamodb"]>["NewImage"]>;

/** What a new row counts as. A smoke test's order has the address of SES's simulator, and counts as nothing. */
function countedIn({ entity, type, customer }: Image): Counted | undefined {
  if (entity?.S === OrderTimeline.name) return countedEntries.get(type?.S);
  const isPlaced = entity?.S === Orders.name && customer?.M?.["email"]?.S !== simulatorAddress;
  return isPlaced ? "OrdersPlaced" : undefined;
}
