import { chromium } from "playwright-core";
import sharp from "sharp";
import * as z from "zod";
import { demoBuyer } from "../local/demo/data/buyer.ts";
import { startStack } from "../local/stack.ts";
import { readMedia } from "../local/demo/exported.ts";
import type { Contents } from "./generated-files.ts";

const shown = [
  "sofas-saanjh-sofa-1",
  "stories-a-living-room-in-indiranagar-1",
  "products-kaveri-lounge-chair-1",
  "products-hampi-dining-table-1",
  "products-vembanad-cane-bed-1",
  "sofas-aangan-corner-sofa-1",
  "products-alleppey-cane-dining-chair-1",
  "stories-deco-on-marine-drive-1",
  "products-mattancherry-cane-sideboard-1",
  "products-moradabad-dome-pendant-1",
  "products-rann-medallion-rug-1",
  "sofas-gymkhana-leather-sofa-1",
  "products-bidar-two-door-wardrobe-1",
  "products-coonoor-wing-chair-1",
  "products-jodhpur-nesting-tables-1",
  "stories-the-veranda-in-fort-kochi-1",
];
const columns = 4;
const tile = { width: 300, height: 225 };
const gap = 8;
/** The members of the local inbox's JSON that are used here. */
const Mails = z.object({
  emails: z.array(
    z.object({
      destination: z.object({ to: z.array(z.string()) }),
      body: z.object({ html: z.string() }),
    }),
  ),
});

/** Draws two pictures of the documentation: a sheet of the demo shop's drawings, and the mail of an order. */
export async function readmePictures(): Promise<Contents> {
  return {
    ".github/pictures/demo-shop.webp": await sheet(),
    ".github/pictures/order-mail.webp": await picturedMail(await orderMail()),
  };
}

async function sheet(): Promise<Buffer> {
  const tiles = shown.map(async (name, index) => ({
    input: await sharp(await readMedia({ filename: `${name}.svg` }))
      .resize({ ...tile, fit: "cover" })
      .toBuffer(),
    left: (index % columns) * (tile.width + gap),
    top: Math.floor(index / columns) * (tile.height + gap),
  }));
  return sharp({
    create: {
      width: columns * (tile.width + gap) - gap,
      height: Math.ceil(shown.length / columns) * (tile.height + gap) - gap,
      channels: 3,
      background: "#ffffff",
    },
  })
    .composite(await Promise.all(tiles))
    .webp({ quality: 80 })
    .toBuffer();
}

/** Places an order in the demo shop and returns the HTML that its buyer gets. */
async function orderMail(): Promise<string> {
  const stack = await startStack({ shop: "planted" });
  try {
    await stack.settled();
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
  } finally {
    await stack.stop();
  }
}

async function picturedMail(html: string): Promise<Buffer> {
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 640, height: 800 } });
    await page.setContent(html);
    return await sharp(await page.screenshot({ fullPage: true }))
      .webp({ quality: 80 })
      .toBuffer();
  } finally {
    await browser.close();
  }
}
