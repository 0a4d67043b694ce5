import type { AdvanceDeps } from "#shared/application/payment/advance-order.ts";
import { connectGateways } from "#shared/application/payment/connect-gateways.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { openGroups } from "#shared/storage/settings/settings.ts";
import { openTable } from "#shared/storage/table.ts";

export interface Deps extends AdvanceDeps {
  log: Log;
  now(): Date;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const log = openLog("on-schedule-due-orders");
  const settings = openGroups(table, ["checkout", "payments"]);
  const gateways = connectGateways(environment, { table, settings, log });
  return {
    table,
    orders: openOrders(table),
    gateway: gateways.configured,
    completedAfterDays: async () => (await settings.current()).checkout.completed_after_days,
    log,
    now: () => new Date(),
  };
}
