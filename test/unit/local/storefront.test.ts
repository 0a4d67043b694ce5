import { afterAll, describe, expect, test } from "vitest";
import { putSettings } from "#shared/storage/settings/put-settings.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import { demoSettings } from "#infra/local/demo/data/settings.ts";
import { saveStorefrontAddress } from "#infra/local/planting/storefront-address.ts";
import { startProxiedTable } from "#test/support/stack/table.ts";

const { name, table, proxy, stop } = await startProxiedTable();
afterAll(stop);

describe("the address of the demo shop's storefront", () => {
  const here = "http://127.0.0.1:4100";
  const environment = { TABLE_NAME: name, DYNAMODB_ENDPOINT: proxy.endpoint };
  const save = async (storefront_url: string) =>
    table.write(putSettings("store", { ...demoSettings.store, storefront_url }, 1));
  const saved = async () => (await readSettings(table, ["store"])).store.storefront_url;

  test.each([demoSettings.store.storefront_url, "http://127.0.0.1:3000"])(
    "is this stack's at each start, in place of %s",
    async (before) => {
      await save(before);
      await saveStorefrontAddress(environment, here);
      expect(await saved()).toBe(here);
    },
  );

  test("stays the one that staff saved", async () => {
    await save("https://shop.example.com");
    await saveStorefrontAddress(environment, here);
    expect(await saved()).toBe("https://shop.example.com");
  });
});
