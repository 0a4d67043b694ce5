import { hash } from "node:crypto";
import {
  type AttributeValue,
  DynamoDBClient,
  UpdateItemCommand,
  paginateScan,
} from "@aws-sdk/client-dynamodb";
import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { StackEnvironment } from "#infra/local/stack.ts";
import type { StoredCart } from "#shared/domain/cart/cart.ts";
import { clientDefaults } from "#shared/runtime/aws-client.ts";
import { Carts } from "#shared/storage/cart/carts.ts";
import { listDueOrders, scheduleCheck } from "#shared/storage/order/due-orders.ts";
import { OrdersOfBuyer } from "#shared/storage/order/orders.ts";
import { Outbox, type OutboxRow } from "#shared/storage/outbox.ts";
import { tableOf } from "../shop/plant.ts";

type Item = Record<string, AttributeValue>;

/** Reads a stack after a storm, and advances its clock. */
export function aftermathOf(environment: StackEnvironment) {
  const table = tableOf(environment);
  const past = () => new Date(Date.now() - 1_000).toISOString();

  const TableName = environment.TABLE_NAME;
  const client = new DynamoDBClient(clientDefaults(environment.DYNAMODB_ENDPOINT));

  /** Every item that passes a filter. */
  async function itemsWith(filter: string, value: string): Promise<Item[]> {
    const items: Item[] = [];
    const question = {
      TableName,
      ConsistentRead: true,
      FilterExpression: filter,
      ExpressionAttributeValues: { ":value": { S: value } },
    };
    for await (const { Items = [] } of paginateScan({ client }, question)) items.push(...Items);
    return items;
  }

  async function outbox(): Promise<OutboxRow[]> {
    const items = await itemsWith("begins_with(pk, :value)", "OUTBOX#");
    const ids = items.flatMap(({ id }) => id?.S ?? []);
    const rows = await Promise.all(ids.map((id) => table.get(Outbox, { id })));
    return rows.filter((row) => row !== undefined);
  }

  return {
    outbox,
    /** Expires all claims on mails and messages. Only while no consumer works: then their workers have failed. */
    async endClaims(): Promise<void> {
      for (const { pk, sk } of await itemsWith("claimed_until > :value", past())) {
        if (!pk || !sk) continue;
        const end = new UpdateItemCommand({
          TableName,
          Key: { pk, sk },
          UpdateExpression: "SET claimed_until = :past",
          ExpressionAttributeValues: { ":past": { S: past() } },
        });
        await client.send(end);
      }
    },
    /** Runs the scheduled check of every order. */
    async checkOrders(ids: readonly string[]): Promise<void> {
      for (const id of ids) await table.write(scheduleCheck(id, past()));
    },
    /** The number of order timers that are due. */
    overdue: async () => (await listDueOrders(table, new Date(), 100)).length,
    /** Ids of every order of a buyer, even if the checkout's response was lost. */
    async ordersOf({ email }: { email: string }): Promise<string[]> {
      const { records } = await table.query(OrdersOfBuyer, {
        partition: `BUYER#email#${email}`,
        prefix: "ORDER#",
      });
      return records.map(({ order_id }) => order_id);
    },
    cart: (token: string): Promise<StoredCart | undefined> =>
      table.get(Carts, {
        owner: { kind: "guest", tokenHash: hash("sha256", token, "base64url") },
      }),
    /** Dead letters by queue. */
    deadLetters: () => deadLetters(environment),
    close: () => client.destroy(),
  };
}

async function deadLetters(environment: StackEnvironment): Promise<Record<string, number>> {
  const client = new SQSClient(clientDefaults(environment.SQS_ENDPOINT));
  const queues = Object.entries(environment).filter(([name]) => name.endsWith("_QUEUE_URL"));
  const counts: Record<string, number> = {};
  for (const [name, url] of queues) {
    const QueueUrl = url.replace(/(\.fifo)?$/, "-dead-letters$1");
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["ApproximateNumberOfMessages"] }),
    );
    const waiting = Number(Attributes?.["ApproximateNumberOfMessages"]);
    if (waiting !== 0) counts[name] = waiting;
  }
  client.destroy();
  return counts;
}
