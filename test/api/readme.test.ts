import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { staffCall } from "#infra/local/try-it.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";

const baseUrl = inject("baseUrl");

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
