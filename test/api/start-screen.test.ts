// @module-tag emulator
import { expect, test } from "vitest";
import { startScreen } from "#infra/local/start-screen.ts";
import { useShop } from "#test/support/stack/shop.ts";

const stack = await useShop();
const everything = { dataDir: "/home/asha/shop-data", bundles: "/home/asha/shop/.local/bundles" };

test("`npm start` prints one screen, with the addresses and the owner's login", async () => {
  const lines = await startScreen(stack, everything);
  expect(lines.length).toBeLessThanOrEqual(24);
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(100);
  const text = lines.join("\n");
  expect(text).toContain(`API=${stack.baseUrl}/api/v1 INBOX=${stack.environment.SES_ENDPOINT}`);
  expect(text).toContain("owner@demo.test, password owner-demo-password");
});
