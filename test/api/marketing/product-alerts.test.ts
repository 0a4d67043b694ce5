import type { AdminProduct } from "#shared/domain/catalog/product.ts";
import { describe, expect, test } from "vitest";
import type { AlertKind, ProductAlert } from "#shared/domain/marketing/product-alert.ts";
import { scheduleTask } from "#shared/storage/marketing/marketing-timers.ts";
import { PriceWatches, ProductAlerts } from "#shared/storage/marketing/product-alerts.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { aProductBody } from "#test/support/back-office/catalog.ts";
import type { StoredMail } from "#test/support/emulators/inbox.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import {
  aPassword,
  type Member,
  aVerifiedMember,
  deleteAccount,
} from "#test/support/people/members.ts";
import { type Data, aPerson } from "#test/support/shop/shopping.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, world, inbox, staffAs } = await useShop({
  effects: ["mail", "marketing", "marketing-timers"],
});

const { table } = world;
const confirmLink = /\/notify\/confirm\?token=([\w-]{43})/;
const endLink = /\/unsubscribe\?token=([\w-]{43})/;
const manager = await staffAs("manager");

type Answer = Data<{ message: string }> & Problem;
interface Product {
  id: string;
  slug: string;
  name: string;
  sku: string;
  /** The id of the first variant. */
  variant: string;
}

async function aProduct(more = {}): Promise<Product> {
  const body = aProductBody({ status: "published", ...more });
  const made = await manager.post<Data<AdminProduct>>("/admin/products", body);
  if (made.status !== 201) throw new Error(made.text);
  const { sku = "", id = "" } = made.body.data.variants[0] ?? {};
  return { ...made.body.data, sku, variant: id };
}

const ask = (product: Product, email: string, kind: AlertKind, more = {}, headers = {}) =>
  clientOf(baseUrl).post<Answer>(
    `/products/${product.slug}/notify`,
    { email, kind, ...more },
    headers,
  );
const stored = ({ id: product_id }: Product, email: string, kind: AlertKind) =>
  table.get(ProductAlerts, { email, product_id, kind });
const becomes = (
  effect: "marketing" | "marketing-timers",
  product: Product,
  { email, kind }: { email: string; kind: AlertKind },
  expected: Partial<ProductAlert>,
) =>
  waitFor(effect, async () => expect(await stored(product, email, kind)).toMatchObject(expected));

async function confirm(email: string): Promise<void> {
  const mail = await inbox.waitFor(email, ({ body }) => confirmLink.test(body.text));
  const token = confirmLink.exec(mail.body.text)?.[1];
  const { status, text } = await clientOf(baseUrl).post("/notify/confirm", { token });
  if (status !== 200) throw new Error(text);
}
const count = (sku: string, units: number) =>
  manager.patch(`/admin/inventory/${sku}`, { set: units, reason: "Delivery" });
const mailsAbout = async (email: string, words: string) =>
  (await inbox.mailsTo(email)).filter(({ subject }) => subject.includes(words));
const isNews = (mail: StoredMail) => endLink.test(mail.body.text);

/** The unsubscribe token of a marketing mail, which the mail must have in its header and in its text. */
function endToken(mail: StoredMail): string {
  const headers = new Map(mail.headers.map(({ name, value }) => [name, value]));
  const token = endLink.exec(mail.body.text)?.[1] ?? "";
  expect(headers.get("List-Unsubscribe")).toBe(
    `<${environment.API_BASE_URL}/api/v1/unsubscribe/${token}>`,
  );
  expect(headers.get("List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
  return token;
}
const post = (token: string) =>
  clientOf(baseUrl).send("POST", `/api/v1/unsubscribe/${token}`, {
    body: "List-Unsubscribe=One-Click",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

/** Makes the product's current prices an hour old, and schedules the price check for now. */
async function passAnHour({ id: product_id }: Product): Promise<void> {
  const watch = await table.get(PriceWatches, { product_id });
  if (!watch) throw new Error("The prices are not watched");
  const since = new Date(Date.now() - 61 * 60_000).toISOString();
  await table.write(put(PriceWatches, { ...watch, since }));
  const at = new Date().toISOString();
  await table.write(scheduleTask({ task: "price_drop", about: product_id, at }));
}

describe("a request for a product alert", () => {
  test("gets the same response whether or not the address has an alert, and causes one confirmation mail a day", async () => {
    const product = await aProduct();
    const { email } = aPerson();
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => ask(product, email, "back_in_stock")),
    );
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(202);
    await confirm(email);
    await ask(product, email, "back_in_stock");
    expect(await mailsAbout(email, "Please confirm")).toHaveLength(1);
    expect(await stored(product, email, "back_in_stock")).toMatchObject({ status: "waiting" });
  });

  test("is refused for an unknown product or SKU", async () => {
    const product = await aProduct();
    const { email } = aPerson();
    expect((await ask({ ...product, slug: "nothing" }, email, "price_drop")).status).toBe(404);
    const unknown = await ask(product, email, "price_drop", { sku: "NO-SUCH-SKU" });
    expect(unknown.body.errors).toHaveProperty("sku");
  });

  test("causes at most three confirmation mails a day to an address, whatever the products", async () => {
    const { email } = aPerson();
    for (let number = 0; number < 4; number++) await ask(await aProduct(), email, "price_drop");
    const product = await aProduct();
    expect((await ask(product, email, "price_drop")).status).toBe(202);
    expect(await stored(product, email, "price_drop")).toBeUndefined();
    await waitFor("mail", async () =>
      expect(await mailsAbout(email, "Please confirm")).toHaveLength(3),
    );
  });

  test("starts the alert at once for a signed-in customer's own verified email", async () => {
    const product = await aProduct();
    const member = await aVerifiedMember({ baseUrl, inbox });
    await ask(product, member.email, "price_drop", { sku: product.sku }, member.headers);
    expect(await stored(product, member.email, "price_drop")).toMatchObject({
      status: "waiting",
      variant_ids: [product.variant],
      reference_prices: { [product.variant]: { price: 1_250_000 } },
    });
  });

  test("for another SKU on the day of the confirmation is mailed a link of its own", async () => {
    const product = await aProduct();
    const { email } = aPerson();
    await ask(product, email, "price_drop", { sku: product.sku });
    await confirm(email);
    await ask(product, email, "price_drop");
    const tokens = async () =>
      (await inbox.mailsTo(email)).flatMap(({ body }) => confirmLink.exec(body.text)?.[1] ?? []);
    await waitFor("mail", async () => expect(await tokens()).toHaveLength(2));
    const statuses = new Set<number>();
    for (const token of await tokens()) {
      statuses.add((await clientOf(baseUrl).post("/notify/confirm", { token })).status);
    }
    expect(statuses).toEqual(new Set([200, 422]));
    const variant_ids = [product.variant, "*"];
    expect(await stored(product, email, "price_drop")).toMatchObject({
      status: "waiting",
      variant_ids,
    });
  });
});

describe("a back-in-stock alert", () => {
  test("is mailed once when units arrive, with one-click unsubscribing", async () => {
    const product = await aProduct();
    const { email } = aPerson();
    await ask(product, email, "back_in_stock", { sku: product.sku });
    await confirm(email);
    await count(product.sku, 1);
    const mail = await inbox.waitFor(email, isNews);
    expect(mail.subject).toBe(`${product.name} is back in stock`);
    endToken(mail);
    await becomes(
      "marketing-timers",
      product,
      { email, kind: "back_in_stock" },
      { status: "ended" },
    );
    await count(product.sku, 0);
    await count(product.sku, 5);
    const other = aPerson().email;
    await ask(product, other, "back_in_stock");
    await confirm(other);
    expect(await mailsAbout(email, "back in stock")).toHaveLength(1);
  });

  test("names the variant that has arrived, among those that the person asked about", async () => {
    const mark = aPerson().email.replaceAll(/\W/g, "").toUpperCase().slice(0, 20);
    const variants = ["oat", "sage"].map((color) => ({
      sku: `${mark}-${color.toUpperCase()}`,
      options: { color },
      price: 1_250_000,
    }));
    const values = [
      { code: "oat", label: "Oat", swatch: null },
      { code: "sage", label: "Sage green", swatch: null },
    ];
    const product = await aProduct({
      options: [{ code: "color", label: "Colour", values }],
      variants,
    });
    const { email } = aPerson();
    await ask(product, email, "back_in_stock");
    await confirm(email);
    await count(`${mark}-SAGE`, 1);
    const mail = await inbox.waitFor(email, isNews);
    expect(mail.subject).toBe(`${product.name}, Sage green is back in stock`);
    expect(mail.body.text).toContain(`?sku=${mark}-SAGE`);
  });

  test("follows a variant whose SKU was changed since the request", async () => {
    const product = await aProduct();
    const { email } = aPerson();
    await ask(product, email, "back_in_stock", { sku: product.sku });
    await confirm(email);
    const sku = `${product.sku}-NEW`;
    const variants = [{ id: product.variant, sku, price: 1_250_000 }];
    expect((await manager.patch(`/admin/products/${product.id}`, { variants })).status).toBe(200);
    await count(sku, 1);
    const mail = await inbox.waitFor(email, isNews);
    expect(mail.subject).toBe(`${product.name} is back in stock`);
  });

  test("that starts while there are units is mailed at once", async () => {
    const product = await aProduct();
    await count(product.sku, 3);
    const { email } = aPerson();
    await ask(product, email, "back_in_stock");
    await confirm(email);
    expect((await inbox.waitFor(email, isNews)).subject).toContain("back in stock");
  });
});

describe("a price alert", () => {
  test("is mailed once the price has been lower for an hour, and ends when its unsubscribe link is used", async () => {
    const product = await aProduct();
    const { email } = aPerson();
    await ask(product, email, "price_drop");
    await confirm(email);
    const variants = [{ sku: product.sku, price: 1_000_000 }];
    const { body } = await manager.get<Data<{ variants: object[] }>>(
      `/admin/products/${product.id}`,
    );
    const repriced = body.data.variants.map((variant) => ({ ...variant, ...variants[0] }));
    const saved = await manager.patch(`/admin/products/${product.id}`, { variants: repriced });
    expect(saved.status).toBe(200);
    await waitFor("marketing", async () =>
      expect(await table.get(PriceWatches, { product_id: product.id })).toMatchObject({
        prices: { [product.variant]: 1_000_000 },
      }),
    );
    await passAnHour(product);
    const mail = await inbox.waitFor(email, isNews);
    expect(mail.body.text).toContain("₹10,000.00");
    const token = endToken(mail);
    const ends = await clientOf(baseUrl).get<Data<object>>(`/unsubscribe/${token}`);
    expect(ends.body.data).toEqual({ ends: "price_drop" });
    expect(await stored(product, email, "price_drop")).toMatchObject({ status: "waiting" });
    expect((await post(token)).status).toBe(200);
    expect((await post(token)).status).toBe(200);
    expect(await stored(product, email, "price_drop")).toMatchObject({ status: "ended" });
    expect(await mailsAbout(email, "costs less")).toHaveLength(1);
  });

  test("starts to watch the current prices when it is checked, if no consumer has stored them yet", async () => {
    const product = await aProduct();
    const watched = () => table.get(PriceWatches, { product_id: product.id });
    await waitFor("marketing", async () => expect(await watched()).toBeDefined());
    await table.write(remove(PriceWatches, { product_id: product.id }));
    const at = new Date().toISOString();
    await table.write(scheduleTask({ task: "price_drop", about: product.id, at }));
    await waitFor("marketing-timers", async () =>
      expect(await watched()).toMatchObject({ prices: { [product.variant]: 1_250_000 } }),
    );
  });
});

test("unsubscribing from the newsletter ends the product alerts of the address", async () => {
  const product = await aProduct();
  const member = await aVerifiedMember({ baseUrl, inbox });
  await ask(product, member.email, "price_drop", {}, member.headers);
  const body = { email: member.email, consent: true };
  await clientOf(baseUrl).post("/newsletter", body, member.headers);
  const { body: exported } = await manager.get<Data<{ email: string; unsubscribe_url: string }[]>>(
    "/admin/newsletter/export?per_page=100",
  );
  const own = exported.data.find(({ email }) => email === member.email);
  await post(own?.unsubscribe_url.split("/").at(-1) ?? "");
  expect(await stored(product, member.email, "price_drop")).toMatchObject({ status: "ended" });
});

describe("withdrawing the consent", () => {
  const prefer = (member: Member, newsletter: boolean) =>
    member.client.put(
      "/account/preferences",
      { locale: "en-IN", currency: "INR", newsletter, whatsapp_updates: false },
      member.headers,
    );

  test("in the preferences of an account ends the product alerts of its email", async () => {
    const product = await aProduct();
    const member = await aVerifiedMember({ baseUrl, inbox });
    await prefer(member, true);
    await ask(product, member.email, "price_drop", {}, member.headers);
    await prefer(member, false);
    await becomes(
      "marketing",
      product,
      { email: member.email, kind: "price_drop" },
      { status: "ended" },
    );
  });

  test("by changing the email of an account ends the product alerts of the old email", async () => {
    const product = await aProduct();
    const member = await aVerifiedMember({ baseUrl, inbox });
    await ask(product, member.email, "back_in_stock", {}, member.headers);
    const body = { name: "Ravi Iyer", phone: null, email: aPerson().email };
    const changed = await member.client.put(
      "/account/profile",
      { ...body, current_password: aPassword },
      member.headers,
    );
    expect(changed.status).toBe(200);
    await becomes(
      "marketing",
      product,
      { email: member.email, kind: "back_in_stock" },
      { status: "ended" },
    );
  });
});

test("archiving a product ends its alerts and deletes its watched prices", async () => {
  const product = await aProduct();
  const member = await aVerifiedMember({ baseUrl, inbox });
  for (const kind of ["price_drop", "back_in_stock"] as const) {
    await ask(product, member.email, kind, {}, member.headers);
  }
  const saved = await manager.patch(`/admin/products/${product.id}`, { status: "archived" });
  expect(saved.status).toBe(200);
  for (const kind of ["price_drop", "back_in_stock"] as const) {
    await becomes("marketing-timers", product, { email: member.email, kind }, { status: "ended" });
  }
  await waitFor("marketing-timers", async () => {
    const watch = await table.get(PriceWatches, { product_id: product.id });
    expect(watch).toBeUndefined();
  });
});

test("deleting an account with a verified email deletes its product alerts", async () => {
  const product = await aProduct();
  const member = await aVerifiedMember({ baseUrl, inbox });
  await ask(product, member.email, "price_drop", {}, member.headers);
  expect(await deleteAccount(member, aPassword)).toBe(204);
  expect(await stored(product, member.email, "price_drop")).toBeUndefined();
});
