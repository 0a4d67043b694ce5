import { expect } from "vitest";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { holdsStock, unsentByStock, unitsOf } from "#shared/domain/order/ledger/order-units.ts";
import { valueOf } from "#shared/domain/order/ledger/order-value.ts";
import { currentOf } from "#shared/domain/payment/owing.ts";
import { moneyMoved, paymentStatus } from "#shared/domain/payment/payment.ts";
import { openStripe } from "#shared/payments/stripe-gateway.ts";
import { Buyers, buyerKeys } from "#shared/storage/order/buyers.ts";
import { CouponUses } from "#shared/storage/pricing/coupons.ts";
import { openOrders, OrdersOfBuyer } from "#shared/storage/order/orders.ts";
import { tableOf } from "../shop/plant.ts";
import type { StormGround } from "./storm-load.ts";
import { waitFor } from "../stack/wait-until.ts";
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
import { Outbox, type OutboxRow } from "#shared/storage/outbox.ts";

const byAmount = (one: number, other: number) => one - other;
const counts = ({ order }: OrderRecord) => !["cancelled", "expired"].includes(order.status);

/** Checks the invariants after a storm. */
export function stormChecks(ground: Omit<StormGround, "staff" | "seed">, units: number) {
  const { environment, products, coupon, people } = ground;
  const table = tableOf(environment);
  const orders = openOrders(table);
  const gateway = openStripe({
    ...emulatorKeys,
    endpoint: environment.STRIPE_API_URL,
    log: { error: () => undefined },
  });

  /** The stock that a variant must have according to these orders. */
  function expectedStock(id: string, records: readonly OrderRecord[]) {
    let reserved = 0;
    let gone = 0;
    for (const record of records) {
      if (holdsStock(record.order.status)) reserved += unsentByStock(record).get(id) ?? 0;
      for (const item of record.order.items.filter(({ variant_id }) => variant_id === id)) {
        const line = unitsOf(record).get(item.id);
        gone += (line?.on_the_way ?? 0) + (line?.delivered ?? 0);
      }
    }
    const on_hand = units - gone;
    return { on_hand, reserved, available: on_hand - reserved };
  }

  /** Asserts that the gateway payments in an order's ledger match the payments at the gateway. */
  async function expectGatewayAgrees({ rows: { transactions } }: OrderRecord): Promise<void> {
    for (const { id, state, amount, method, type, provider_ref } of transactions) {
      if (type !== "charge" || method !== "gateway" || provider_ref === null) continue;
      const payment = await gateway.find(provider_ref);
      expect(payment?.received).toBe(state === "succeeded" ? amount : 0);
      const refunds = transactions
        .filter((row) => row.charge_id === id && row.state === "succeeded")
        .map((row) => row.amount);
      expect(payment?.refunds.map((each) => each.amount).toSorted(byAmount)).toEqual(
        refunds.toSorted(byAmount),
      );
    }
  }

  async function expectLedgerAgrees({ order, rows }: OrderRecord): Promise<void> {
    const { paid, refunded } = moneyMoved(rows.transactions);
    const { transactions: ledger } = rows;
    const status = paymentStatus(ledger, {
      method: order.payment_method,
      current: currentOf({ ...order, current: valueOf({ order, rows }).current }),
      status: order.status,
    });
    expect([order.id, order.paid, order.refunded, order.payment_status]).toEqual([
      order.id,
      paid,
      refunded,
      status,
    ]);
    const promised = rows.transactions
      .filter(({ type, state }) => type === "refund" && state !== "failed")
      .reduce((sum, { amount }) => sum + amount, 0);
    expect(promised).toBeLessThanOrEqual(paid);
    await expectGatewayAgrees({ order, rows });
    if (order.status === "cancelled" || order.status === "expired") {
      expect([order.id, promised]).toEqual([order.id, paid]);
    }
  }

  async function expectBuyersAgree(records: readonly OrderRecord[]): Promise<void> {
    for (const person of people) {
      const own = records.filter(({ order }) => order.customer.email === person.email);
      const expected = {
        orders: own.filter(counts).length,
        pending: own.filter(({ order }) => order.status === "pending_payment").length,
      };
      for (const buyer of buyerKeys({ id: null, ...person }, "IN")) {
        const counted = await table.get(Buyers, { buyer });
        expect({ orders: 0, pending: 0, ...counted }).toMatchObject(expected);
      }
    }
  }

  return {
    /** Waits until no order awaits payment past its expiry and no gateway refund is pending, and returns the orders. */
    settled: (ids: readonly string[]): Promise<OrderRecord[]> =>
      waitFor(
        "due-orders",
        async () => {
          const records = await Promise.all(ids.map(async (id) => (await orders.find(id))!));
          const now = new Date().toISOString();
          for (const { order, rows } of records) {
            const overdue = order.status === "pending_payment" && (order.expires_at ?? "9") < now;
            const open = rows.transactions.some(
              ({ type, state, method }) =>
                type === "refund" && state === "pending" && method === "gateway",
            );
            expect([order.id, overdue, open]).toEqual([order.id, false, false]);
          }
          return records;
        },
        { interval: 200 },
      ),
    /** Asserts that stock, coupon, buyer counters and ledgers match the orders. @param records all orders */
    async expectAllAgrees(records: readonly OrderRecord[]): Promise<void> {
      for (const { stock_id, stock } of products) {
        expect(await stock()).toMatchObject(expectedStock(stock_id, records));
      }
      const uses = await table.get(CouponUses, { code: coupon, by: "all" });
      const used = records.filter(
        (record) => record.order.coupon_code === coupon && counts(record),
      );
      expect(uses?.uses).toBe(used.length);
      await expectBuyersAgree(records);
      for (const record of records) await expectLedgerAgrees(record);
    },
  };
}

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
      const { records } = await table.page(OrdersOfBuyer, {
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
