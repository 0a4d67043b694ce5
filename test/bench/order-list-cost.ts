import type { StackEnvironment } from "#infra/local/stack.ts";
import { clientOf } from "#test/support/http/client.ts";
import { bearer } from "#test/support/people/members.ts";
import { signedIn, worldOf } from "#test/support/people/people.ts";
import type { StillClock } from "#test/support/stack/clock.ts";
import type { ProxiedService } from "#test/support/stack/table.ts";
import { plantRecentOrders, recentOrders } from "./recent-orders.ts";
import { type StorageCost, costOf } from "./storage-costs.ts";

/** Later than all other orders by more than a page of the planted ones. */
const laterMs = 3 * 86_400_000;

/**
 * Measures the list of a shop's orders after many more were placed in the last 30 days. The clock passes some days before,
 * so that the first page shows the planted orders alone: others are of different sizes.
 */
export async function measureOrderList(
  service: ProxiedService,
  environment: StackEnvironment,
  clock: StillClock,
): Promise<StorageCost> {
  clock.pass(laterMs);
  const world = worldOf(environment);
  await plantRecentOrders(world.table);
  const { token } = await signedIn(world, "staff");
  const list = () => clientOf(service.baseUrl).get("/admin/orders", bearer(token));
  await list();
  return (await costOf(service, `GET /admin/orders, ${recentOrders} orders`, list)).cost;
}
