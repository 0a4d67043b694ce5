import { type Browser, chromium } from "playwright-core";
import sharp from "sharp";
import * as z from "zod";
import { demoBuyer } from "../local/demo/data/buyer.ts";
import { type Stack, startStack } from "../local/stack.ts";
import type { Contents } from "./generated-files.ts";

/** The members of the local inbox's JSON that are used here. */
const Mails = z.object({
  emails: z.array(
    z.object({
      destination: z.object({ to: z.array(z.string()) }),
      body: z.object({ html: z.string() }),
    }),
  ),
});

/** Draws the pictures of the documentation: two pages of the local storefront, and the mail of an order. */
export async function readmePictures(): Promise<Contents> {
  const stack = await startStack({ shop: "planted", storefront: true });
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  try {
    await stack.settled();
    return {
      ".github/pictures/storefront.webp": await picturedPage(browser, stack.baseUrl, {
        width: 1200,
        height: 860,
      }),
      ".github/pictures/storefront-sofa.webp": await picturedPage(
        browser,
        `${stack.baseUrl}/sofas/aangan-corner-sofa`,
        { width: 400, height: 860 },
      ),
      ".github/pictures/order-mail.webp": await picturedMail(browser, await orderMail(stack)),
    };
  } finally {
    await browser.close();
    await stack.stop();
  }
}

async function picturedPage(
  browser: Browser,
  url: string,
  viewport: { width: number; height: number },
): Promise<Buffer> {
  const page = await browser.newPage({ viewport });
  await page.goto(url, { waitUntil: "networkidle" });
  return webp(await page.screenshot());
}

const webp = (picture: Buffer): Promise<Buffer> => sharp(picture).webp({ quality: 75 }).toBuffer();

/** Places an order in the demo shop and returns the HTML that its buyer gets. */
async function orderMail(stack: Stack): Promise<string> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${stack.baseUrl}/api/v1${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response;
  };
  const cart = await post("/cart", {
    items: [
      { sofa: "saanjh-sofa", quantity: 1 },
      { sku: "ACH-KAVERI-LOUNGE-OAT", quantity: 2 },
    ],
    coupon: "WELCOME10",
  });
  const order = {
    ...demoBuyer,
    shipping_method: "white_glove",
    payment_method: "bank_transfer",
  };
  await post("/checkout", order, { "X-Cart-Token": cart.headers.get("x-cart-token") ?? "" });
  await stack.settled();
  const inbox = await (await fetch(`${stack.environment.SES_ENDPOINT}/store`)).json();
  const mail = Mails.parse(inbox).emails.find(({ destination }) =>
    destination.to.includes(order.email),
  );
  return mail?.body.html ?? "";
}

async function picturedMail(browser: Browser, html: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 640, height: 800 } });
  await page.setContent(html);
  return webp(await page.screenshot({ fullPage: true }));
}
