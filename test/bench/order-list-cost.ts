import { randomBytes } from "node:crypto";
import type { StackEnvironment } from "#infra/local/stack.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { orderNumber } from "#shared/domain/order/order-number.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { put } from "#shared/storage/writes.ts";
import { clientOf } from "#test/support/http/client.ts";
import { bearer } from "#test/support/people/members.ts";
import { signedIn, worldOf } from "#test/support/people/people.ts";
import { aPlacedOrder } from "#test/support/shop/placed-order.ts";
import type { ProxiedService } from "#test/support/stack/proxied-service.ts";
import { type StorageCost, costOf } from "./storage-costs.ts";

const count = 500;
const period = 30 * 86_400_000;

/** Measures the list of a shop's orders after 500 more were placed in the last 30 days. */
export async function measureOrderList(
  service: ProxiedService,
  environment: StackEnvironment,
): Promise<StorageCost> {
  const world = worldOf(environment);
  const orders = Array.from({ length: count }, (_, number) => {
    const placed = new Date(Date.now() - (number * period) / count);
    const id = newId("ord", placed);
    const named = orderNumber(randomBytes(16));
    return { ...aPlacedOrder(), id, number: named, placed_at: placed.toISOString() };
  });
  await world.table.writeMany(orders.map((order) => put(Orders, order)));
  const { token } = await signedIn(world, "staff");
  const list = () => clientOf(service.baseUrl).get("/admin/orders", bearer(token));
  await list();
  return (await costOf(service, `GET /admin/orders, ${count} orders`, list)).cost;
}
