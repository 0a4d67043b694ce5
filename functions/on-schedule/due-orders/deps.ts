import { connectConsumer } from "#functions/connect/consumer.ts";
import { connectGateways } from "#functions/connect/gateways.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { AdvanceDeps } from "#shared/application/payment/advance-order.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { openGroups } from "#shared/storage/settings/settings.ts";

export interface Deps extends AdvanceDeps {
  log: Log;
  now(): Date;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const consumer = connectConsumer(environment, "on-schedule-due-orders");
  const { table, log } = consumer;
  const settings = openGroups(table, ["checkout", "payments"]);
  return {
    ...consumer,
    orders: openOrders(table),
    gateway: connectGateways(environment, { table, settings, log }).configured,
    completedAfterDays: async () => (await settings.current()).checkout.completed_after_days,
  };
}
