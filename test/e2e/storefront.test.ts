// @module-tag emulator
// @module-tag slow
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type { AxeResults, RunOptions } from "axe-core";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inboxOf } from "#test/support/emulators/inbox.ts";
import { startGuardedStack } from "#test/support/stack/shop.ts";
import { noBrowser, openBrowser } from "./browser.ts";

const stack = await startGuardedStack({
  shop: "planted",
  storefront: true,
  effects: ["catalog-index", "mail", "media"],
});
const { baseUrl, environment } = stack;
afterAll(() => stack.stop());
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const hosts = new Set([baseUrl, environment.STRIPE_API_URL].map((url) => new URL(url).host));
const phone = { width: 360, height: 740 };
/** In ms, for a machine that is busy. */
const patience = 60_000;
const desk = { width: 1440, height: 900 };

describe.each([
  ["a phone", phone],
  ["a desk", desk],
])("the storefront on %s", (_place, viewport) => {
  let browser: Browser | undefined;
  let page: Page;
  const problems: string[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
    if (!browser) return;
    page = await browser.newPage({ viewport });
    page.setDefaultTimeout(patience);
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.protocol !== "data:" && !hosts.has(url.host)) problems.push(`request to ${url.host}`);
    });
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (line) => line.type() === "error" && problems.push(line.text()));
  });
  afterAll(() => browser?.close());

  /** What a person with a screen reader, a keyboard or this screen would stumble over. */
  async function check(): Promise<void> {
    await page.locator("h1").first().waitFor();
    await expect
      .poll(() => page.locator(".loading, [aria-busy=true]").count(), { timeout: patience })
      .toBe(0);
    await page.evaluate(axe);
    const options: RunOptions = { resultTypes: ["violations"] };
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${page.url()}: ${id}: ${html.slice(0, 200)}`),
    );
    expect(found).toEqual([]);
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(width, `${page.url()} is wider than the screen`).toBeLessThanOrEqual(viewport.width);
    expect(problems.splice(0)).toEqual([]);
  }

  async function see(path: string, heading?: string): Promise<void> {
    await page.goto(baseUrl + path);
    if (heading !== undefined)
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await check();
  }

  const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click();
  const fill = (label: string | RegExp, value: string) =>
    page.getByLabel(label).first().fill(value);

  /** Fills the checkout's form, and places the order. */
  async function placeOrder(email: string, payment: string): Promise<void> {
    await page.getByRole("link", { name: "Check out" }).click();
    await fill(/^Name/, "Asha Rao");
    await fill(/^Email/, email);
    await fill(/^Phone/, "+919845012345");
    await fill(/^House and street/, "12 Residency Road");
    await fill(/^City/, "Bengaluru");
    await page.getByLabel(payment).check();
    await check();
    await press(/^Place the order/);
    await page.getByRole("heading", { name: /^Order FS-/ }).waitFor();
    await check();
  }

  async function addChair(): Promise<void> {
    await see("/products/kaveri-lounge-chair", "Kaveri Lounge Chair");
    await press("Add to cart");
    await page.getByRole("link", { name: "See the cart" }).click();
    await page.getByRole("heading", { name: "Your cart" }).waitFor();
  }

  const emailFor = (purpose: string) => `${purpose}-${viewport.width}@example.com`;

  test("shows the front page, lists, pages and stories, and says where nothing is", async ({
    skip,
  }) => {
    if (!browser) return skip(noBrowser);
    await see("/");
    await see("/products", "Furniture");
    await see("/sofas", "Sofas, made for you");
    await see("/categories/accent-chairs", "Accent Chairs");
    await see("/search?q=blue+velvet", "“blue velvet”");
    await see("/search?color=blue&sort=-price");
    await see("/pages/shipping");
    await see("/pages/studio");
    await see("/interiors");
    await see("/interiors/a-living-room-in-indiranagar");
    await see("/faqs", "Questions");
    await see("/sofas/materials", "Cloths and leathers");
    await see("/nowhere", "Nothing lives here");
  });
  test("narrows a list by its facets, and keeps them in the address", async ({ skip }) => {
    if (!browser) return skip(noBrowser);
    await see("/products", "Furniture");
    const filters = page.locator("details.filters");
    if (!(await filters.evaluate((element: { open?: boolean }) => element.open)))
      await filters.locator("summary").first().click();
    const box = filters.getByRole("checkbox").nth(1);
    await box.check();
    await page.waitForURL(/category=/);
    await check();
    const shown = page.getByRole("status").filter({ hasText: /piece/ });
    const narrowed = Number.parseInt(await shown.innerText(), 10);
    await page.reload();
    expect(Number.parseInt(await shown.innerText(), 10)).toBe(narrowed);
    expect(await page.locator(".card").count()).toBe(Math.min(narrowed, 24));
  });

  test("suggests while typing, and a keyboard alone opens what it suggests", async ({ skip }) => {
    if (!browser) return skip(noBrowser);
    await see("/");
    await page.getByRole("searchbox").focus();
    await page.keyboard.type("kaveri loun");
    await page.locator(".suggestions a").first().waitFor();
    await check();
    await page.locator(".suggestions a", { hasText: "Kaveri Lounge Chair" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Kaveri Lounge Chair" }).waitFor();
  });

  test("sells a chair for cash at a delivery time, and the letter's link opens the order", async ({
    skip,
  }) => {
    if (!browser) return skip(noBrowser);
    await addChair();
    await fill("PIN code", "560001");
    await press("See delivery");
    await page.getByRole("radio", { name: /Room of choice/ }).check();
    const time = page.locator(".slots button[aria-pressed=false]:enabled").first();
    await time.click();
    await page.getByText("is kept for you for 15 minutes").waitFor();
    await check();
    const email = emailFor("cash");
    await placeOrder(email, "Cash on delivery");
    const mail = await inboxOf(environment.SES_ENDPOINT).waitFor(email);
    const link = /href="([^"]*\/orders\/[^"]*)"/.exec(mail.body.html)?.[1] ?? "";
    expect(link.startsWith(`${baseUrl}/orders/`)).toBe(true);
    const stranger = await browser.newPage({ viewport });
    await stranger.goto(link.replaceAll("&amp;", "&"));
    await stranger.getByRole("heading", { name: /^Order FS-/ }).waitFor();
    await stranger.close();
    const number = (await page.getByRole("heading", { level: 1 }).innerText()).replace(
      "Order ",
      "",
    );
    await see("/track", "Where is my order?");
    await fill("Order number", number);
    await press("Track it");
    await page.getByText("For Asha in Bengaluru").waitFor();
    await check();
  });

  test("takes a card through Stripe, also after a declined one, and shows where to transfer money", async ({
    skip,
  }) => {
    if (!browser) return skip(noBrowser);
    await addChair();
    await placeOrder(emailFor("card"), "Card, UPI or net banking");
    await page.getByLabel(/declined/).check();
    await press(/^Pay /);
    await page.getByText("Your card was declined.").waitFor();
    // The browser reports the emulator's 402.
    expect(problems.splice(0)).toHaveLength(1);
    await check();
    await page.getByLabel(/which pays/).check();
    await press(/^Pay /);
    await page.getByText("Confirmed").first().waitFor();
    await check();

    await addChair();
    await placeOrder(emailFor("transfer"), "Bank transfer (NEFT, RTGS, UPI)");
    await page.getByText("EXBI0000049").waitFor();
  });

  test("configures a sofa with its price, says whether it fits, and puts it into the cart", async ({
    skip,
  }) => {
    if (!browser) return skip(noBrowser);
    await see("/sofas/saanjh-sofa", "Saanjh Sofa");
    const price = page.locator(".summary .price b");
    const before = await price.innerText();
    await page
      .getByRole("radio", { name: /leather|Leather/ })
      .first()
      .check({ force: true });
    await expect.poll(() => price.innerText(), { timeout: patience }).not.toBe(before);
    await page.getByText("Will it fit through my door?").click();
    await press("Check");
    await page.locator(".verdict").waitFor();
    await check();
    await press("Add to cart");
    await page.getByRole("link", { name: "See the cart" }).click();
    await page.getByText(/Upholstery: /).waitFor();
  });

  test("keeps addresses, a wishlist and orders in an account", async ({ skip }) => {
    if (!browser) return skip(noBrowser);
    await see("/register", "Create an account");
    await fill(/^Name/, "Asha Rao");
    await fill(/^Email/, emailFor("account"));
    await fill(/^Password/, "short");
    await press("Create it");
    await page.locator(".problem").waitFor();
    // The browser reports the refusal.
    problems.splice(0);
    await check();
    await fill(/^Password/, "a chair in the veranda");
    await press("Create it");
    await page.getByRole("heading", { name: "Hello, Asha Rao" }).waitFor();
    await check();
    await see("/account/addresses");
    await fill(/^Phone/, "+919845012345");
    await fill(/^House and street/, "12 Residency Road");
    await fill(/^PIN code/, "560001");
    await fill(/^City/, "Bengaluru");
    await press("Save");
    await page.getByText("Used first").waitFor();
    await check();
    await see("/products/kaveri-lounge-chair", "Kaveri Lounge Chair");
    await press("Put on my wishlist");
    await page.getByText("It is on your wishlist.").waitFor();
    await see("/account/wishlist");
    await page.getByRole("button", { name: /Take it off/ }).waitFor();
    // The account's password is changed elsewhere, for example: the shop goes on as for a guest.
    await page.evaluate(
      `localStorage.session = localStorage.session.replace(/"token":"[^"]+"/, '"token":"ended"')`,
    );
    await page.goto(`${baseUrl}/sign-in`);
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    // The browser reports the 401.
    expect(problems.splice(0)).toHaveLength(1);
    await see("/sign-in", "Sign in");
  });

  test("takes an enquiry with a photo", async ({ skip }) => {
    if (!browser) return skip(noBrowser);
    await see("/contact", "Ask us, or have it made");
    await fill(/^Name/, "Asha Rao");
    await fill(/^Email/, emailFor("enquiry"));
    await fill(/^What you have in mind/, "A bench like this one, 1.4 m long.");
    const background = { r: 120, g: 80, b: 40 };
    const buffer = await sharp({ create: { width: 640, height: 480, channels: 3, background } })
      .png()
      .toBuffer();
    await page
      .getByLabel(/^Photo/)
      .setInputFiles({ name: "bench.png", mimeType: "image/png", buffer });
    await page.getByLabel(/write to me/).check();
    await press("Send");
    await page.getByText(/We have your enquiry Q/).waitFor();
    await check();
  });
});
