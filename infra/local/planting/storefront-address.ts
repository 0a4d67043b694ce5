import { isLoopback } from "#shared/runtime/aws-client.ts";
import { putSettings } from "#shared/storage/settings/put-settings.ts";
import { SettingsRows, readSettings } from "#shared/storage/settings/settings.ts";
import { openTable } from "#shared/storage/table.ts";
import { demoSettings } from "#infra/local/demo/data/settings.ts";
import type { StackEnvironment } from "#infra/local/stack.ts";

/**
 * Saves where the demo shop's storefront runs, so that links of mails lead there. An address that staff saved stays,
 * and so does that of a table which is not on this machine.
 */
export async function saveStorefrontAddress(
  {
    TABLE_NAME: name,
    DYNAMODB_ENDPOINT: endpoint,
  }: Pick<StackEnvironment, "TABLE_NAME" | "DYNAMODB_ENDPOINT">,
  address: string,
): Promise<void> {
  if (!isLoopback(endpoint)) return;
  const table = openTable({ name, endpoint });
  const row = await table.get(SettingsRows, { group: "store" });
  if (!row) return;
  const { store } = await readSettings(table, ["store"]);
  const { storefront_url: saved } = store;
  const isOurs = saved === demoSettings.store.storefront_url || isLoopback(saved);
  if (!isOurs || saved === address) return;
  await table.write(putSettings("store", { ...store, storefront_url: address }, row.version + 1));
}
