import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl } = await useShop();

test("the staff request in the README lists orders", async () => {
  const readme = await readFile("README.md", "utf8");
  const [, lines = ""] = /```sh\nAPI=.*\n([^`]*)```/.exec(readme) ?? [];
  const script = `API=${baseUrl}${apiPrefix}\n${lines}`;
  const { stdout } = await promisify(execFile)("bash", ["-euc", script]);
  expect(JSON.parse(stdout)).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ number: expect.any(String) })]),
  });
});
