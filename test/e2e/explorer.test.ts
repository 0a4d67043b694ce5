// @module-tag emulator
// @module-tag slow
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { families } from "#functions/families.ts";
import { useShop } from "#test/support/stack/shop.ts";
import { noBrowser, openBrowser } from "./browser.ts";

const { baseUrl } = await useShop();

describe("the API explorer in a browser", () => {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test("lists every operation and sends requests to this shop only", async ({ skip }) => {
    if (!browser) return skip(noBrowser);
    const page = await browser.newPage();
    const hosts = new Set<string>();
    const problems: string[] = [];
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (line) => line.type() === "error" && problems.push(line.text()));

    await page.goto(`${baseUrl}/docs/api`);
    await page.locator(".opblock-tag").first().waitFor();
    const operations = await page.evaluate<number>(
      "window.explorer.specSelectors.operations().size",
    );
    const declared = families.flatMap(({ routes }) => routes.filter((each) => !each.outsideApi));
    expect(operations).toBe(declared.length);
    const tags = new Set(
      families.flatMap(({ name, routes }) => (routes.some((each) => !each.outsideApi) ? name : [])),
    );
    expect(await page.locator(".opblock-tag").count()).toBe(tags.size);

    await page.getByRole("heading", { name: "Authenticate" }).waitFor();

    await page.locator('.opblock-tag[data-tag="Storefront: content"] .expand-operation').click();
    const health = page.locator('.opblock[id$="-getHealth"]');
    await health.locator(".opblock-summary-control").click();
    await health.getByRole("button", { name: "Execute" }).click();
    const answer = health.locator(".live-responses-table");
    await answer.getByText('"ok": true').waitFor();
    expect(await answer.locator(".response-col_status").last().innerText()).toContain("200");

    expect([...hosts]).toEqual([new URL(baseUrl).host]);
    expect(problems).toEqual([]);
  });
});
