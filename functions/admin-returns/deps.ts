import { type StaffFamilyDeps, connectStaffFamily } from "#functions/connect/staff-family.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";
import { type SettingsStore, openSettings } from "#shared/storage/settings/settings.ts";

export interface Deps extends StaffFamilyDeps {
  orders: OrderStore;
  settings: SettingsStore;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectStaffFamily(environment, "admin-returns");
  return {
    ...family,
    orders: openOrders(family.table),
    settings: openSettings(family.table),
    mediaBaseUrl: readVariable(environment, "MEDIA_BASE_URL"),
  };
}
