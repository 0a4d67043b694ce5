// @module-tag slow
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { walk } from "#infra/local/try/walk.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment } = await useShop({ effects: ["documents"] });

let printed: string[] = [];
beforeAll(async () => {
  printed = [];
  await walk({ baseUrl, environment }, (line) => printed.push(line));
});

/** Commands whose repetition is refused, such as a second checkout of the same cart. */
const isOnceOnly = (command: string) =>
  /-X (?:PUT|PATCH)|\$STRIPE|"\$API\/checkout"|\/payment"/.test(command);
const isCommand = (line: string) => line.startsWith("curl ");

describe("the walk of `npm run try`", () => {
  test("ends with an order that is delivered and paid, and has an invoice", () => {
    const text = printed.join("\n");
    expect(text).toMatch(/Order delivered; invoice \S+\d\./);
    expect(text).toMatch(/received: paid\.\n[^]*, invoice \S+\n/);
    expect(printed.at(-1)).toContain("That was the shop.");
  });

  test("pays by card, and a deposit and its balance", () => {
    const paid = printed.filter((line) => /^# Order \S+: paid/.test(line));
    expect(paid).toEqual([
      expect.stringMatching(/: paid, ₹\S+ paid\.$/),
      expect.stringMatching(/: paid, deposit ₹\S+ paid, balance ₹\S+ paid\.$/),
    ]);
  });

  test("sells on the phone", () => {
    expect(printed.join("\n")).toMatch(/Order \S+, sold by phone: paid\./);
  });

  test("prints commands that work when pasted", async () => {
    const script = printed.map((line) => line.trim()).filter((line) => !isOnceOnly(line));
    const commands = script.filter(isCommand);
    expect(commands.length).toBeGreaterThan(20);
    const lines = script.map((line) =>
      isCommand(line) ? `${line.replace("curl -s", "curl -sSf")} > /dev/null` : line,
    );
    const pasted = lines.join("\n").replaceAll("document.pdf", "-");
    await promisify(execFile)("bash", ["-euc", pasted]);
  });

  test("ends at the first call that fails, and names it", async () => {
    const gone = walk({ baseUrl: `${baseUrl}/nowhere`, environment }, () => {});
    await expect(gone).rejects.toThrow(/GET .*\/products.* answered 404/);
  });
});
