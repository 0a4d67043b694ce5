import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { choosingSlot, staffCall } from "#infra/local/try-it.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { plantProduct, tableOf } from "#test/support/shop/plant.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment } = await useShop();

async function answerTo(lines: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)("bash", ["-euc", lines]);
  return JSON.parse(stdout);
}

const someOrders = {
  data: expect.arrayContaining([expect.objectContaining({ number: expect.any(String) })]),
};

test("the example staff request in the README lists orders", async () => {
  const readme = await readFile("README.md", "utf8");
  const [, lines = ""] = /```sh\nAPI=.*\n([^`]*)```/.exec(readme) ?? [];
  expect(await answerTo(`API=${baseUrl}${apiPrefix}\n${lines}`)).toMatchObject(someOrders);
});

test("the example staff request that `npm start` prints lists orders", async () => {
  expect(await answerTo(staffCall(baseUrl).join("\n"))).toMatchObject(someOrders);
});

test("the example requests that `npm start` prints for a delivery slot end with an order in it", async () => {
  const { sku } = await plantProduct(tableOf(environment));
  const methods = [{ code: "standard" }, { code: "room_of_choice" }];
  const lines = await choosingSlot(baseUrl, sku, methods);
  const [hold = "", checkout = ""] = lines.slice(-2);
  expect(await answerTo([...lines.slice(1, -2), hold].join("\n"))).toMatchObject({
    data: { slot: { zone: "bengaluru" } },
  });
  const placed = [...lines.slice(1, -2), `${hold} > /dev/null`, checkout].join("\n");
  expect(await answerTo(placed)).toMatchObject({
    data: { order: { slot: { zone: "bengaluru" }, status: "confirmed" } },
  });
});
