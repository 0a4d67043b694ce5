import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { consume } from "#functions/on-schedule/marketing/consume.ts";
import type { Deps } from "#functions/on-schedule/marketing/deps.ts";
import { followPrices } from "#shared/application/marketing/follow-prices.ts";
import { stopAlert } from "#shared/application/marketing/product-alerts.ts";
import { newId } from "#shared/domain/base/ids.ts";
import type { OutboxEvent } from "#shared/domain/base/outbox-event.ts";
import type { Product } from "#shared/domain/catalog/product.ts";
import { newStock } from "#shared/domain/catalog/stock.ts";
import { type AlertKind, requestedAlert } from "#shared/domain/marketing/product-alert.ts";
import { requestedSubscription, endedSubscription } from "#shared/domain/marketing/subscription.ts";
import { Products, Stocks } from "#shared/storage/catalog/catalog.ts";
import { blockMail } from "#shared/storage/customer/mail-blocks.ts";
import { listDueTasks, scheduleTask } from "#shared/storage/marketing/marketing-timers.ts";
import { ProductAlerts, putAlert } from "#shared/storage/marketing/product-alerts.ts";
import { putSubscription } from "#shared/storage/marketing/subscriptions.ts";
import { Outbox, outboxId } from "#shared/storage/outbox.ts";
import { openGroups } from "#shared/storage/settings/settings.ts";
import { put } from "#shared/storage/writes.ts";
import { aProduct, aVariant } from "#test/support/shop/builders.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { type TestTable, startTestTable } from "#test/support/stack/test-table.ts";

let fixture: TestTable;
let clock = noon;
const minutes = (count: number) => new Date(noon.getTime() + count * 60_000);
const day = 24 * 60;

beforeAll(async () => {
  fixture = await startTestTable();
});
beforeEach(async () => {
  clock = noon;
  await fixture.table.clear("MARKETINGDUE");
});
afterAll(() => fixture.stop());

const deps = (): Deps => ({
  table: fixture.table,
  settings: openGroups(fixture.table, ["store", "checkout"]),
  log: { warn: () => undefined, error: () => undefined },
  now: () => clock,
});

let count = 0;
const skuOf = (product: Product) => product.variants[0]?.sku ?? "";

/** A published product with one variant, and its stock. */
async function aWatchedProduct(units: number, price = 10_000): Promise<Product> {
  const sku = `SKU-${++count}`;
  const product = aProduct({
    id: newId("prd", noon),
    status: "published",
    slug: `product-${count}`,
    variants: [aVariant({ sku, price })],
    updated_at: minutes(-10 * day).toISOString(),
  });
  await fixture.table.write(put(Products, product));
  await setStock(product, units);
  return product;
}

async function setStock({ id, slug, variants }: Product, available: number) {
  const sku = variants[0]?.sku ?? "";
  const owner = { kind: "product", id, slug, variant_id: null } as const;
  const row = newStock(sku, owner, { policy: "deny", low_stock_threshold: 0 }, noon);
  await fixture.table.write(put(Stocks, { ...row, on_hand: Math.max(0, available), available }));
}

/** Saves the product with another price, as staff would at the time `clock`. */
async function reprice(product: Product, price: number): Promise<Product> {
  const after = {
    ...product,
    variants: product.variants.map((variant) => ({ ...variant, price })),
    version: product.version + 1,
    updated_at: clock.toISOString(),
  };
  await fixture.table.write(put(Products, after));
  await followPrices(fixture.table, product.id);
  return after;
}

/** Creates confirmed alerts, which were requested a minute apart. Returns their emails, the oldest first. */
async function aWaitingList(product: Product, kind: AlertKind, size: number): Promise<string[]> {
  const emails = Array.from({ length: size }, () => `reader.${++count}@example.com`);
  for (const [position, email] of emails.entries()) {
    const at = minutes(position - 2 * day).toISOString();
    const price = product.variants[0]?.price ?? 0;
    const request = { email, product_id: product.id, kind, sku: skuOf(product), price, at };
    const { alert } = requestedAlert(undefined, { ...request, isProven: true }, `token ${email}`);
    await fixture.table.transact(putAlert(alert, undefined));
  }
  return emails;
}

/** The people to whom a mail about a product was enqueued. */
async function lettersOf({ id: product_id }: Product, kind: AlertKind, emails: readonly string[]) {
  const letters: string[] = [];
  for (const email of emails) {
    const alert = await fixture.table.get(ProductAlerts, { email, product_id, kind });
    if (!alert?.letter_at) continue;
    const event: OutboxEvent = {
      type: kind,
      to: email,
      about: product_id,
      at: alert.letter_at,
      expires_at: alert.letter_at,
    };
    const row = await fixture.table.get(Outbox, { id: outboxId(event) });
    expect(row?.state).toBe("waiting");
    letters.push(email);
  }
  return letters;
}

async function run(product: Product, kind: AlertKind, at: Date) {
  clock = at;
  const task = { task: kind, about: product.id, at: at.toISOString() } as const;
  await fixture.table.write(scheduleTask(task));
  await consume({}, deps());
}
const isDueAgain = async (product: Product, at: Date) =>
  (await listDueTasks(fixture.table, at, 100)).filter(({ about }) => about === product.id);

describe("mails about a product that is back in stock", () => {
  test("go to as many people as there are units, the oldest requests first, and to the next after a day", async () => {
    const product = await aWatchedProduct(2);
    const emails = await aWaitingList(product, "back_in_stock", 5);
    await run(product, "back_in_stock", noon);
    expect(await lettersOf(product, "back_in_stock", emails)).toEqual(emails.slice(0, 2));
    await run(product, "back_in_stock", minutes(day - 1));
    expect(await lettersOf(product, "back_in_stock", emails)).toEqual(emails.slice(0, 2));
    await setStock(product, 1);
    clock = minutes(day);
    await consume({}, deps());
    expect(await lettersOf(product, "back_in_stock", emails)).toEqual(emails.slice(0, 3));
    await setStock(product, 0);
    clock = minutes(2 * day);
    await consume({}, deps());
    expect(await lettersOf(product, "back_in_stock", emails)).toEqual(emails.slice(0, 3));
    expect(await isDueAgain(product, minutes(30 * day))).toEqual([]);
  });

  test("are sent once by concurrent and repeated runs, even to long waiting lists", async () => {
    const product = await aWatchedProduct(70);
    const emails = await aWaitingList(product, "back_in_stock", 90);
    await Promise.all([
      run(product, "back_in_stock", noon),
      run(product, "back_in_stock", noon),
      run(product, "back_in_stock", noon),
    ]);
    await run(product, "back_in_stock", minutes(2));
    await run(product, "back_in_stock", minutes(4));
    expect(await lettersOf(product, "back_in_stock", emails)).toEqual(emails.slice(0, 70));
  });

  test("are continued after a crash without mailing anybody twice", async () => {
    const product = await aWatchedProduct(40);
    const emails = await aWaitingList(product, "back_in_stock", 60);
    let transactions = 0;
    const table = {
      ...fixture.table,
      transact: async (writes: Parameters<Deps["table"]["transact"]>[0]) => {
        if (++transactions > 1) throw new Error("crash");
        await fixture.table.transact(writes);
      },
    };
    clock = noon;
    await fixture.table.write(
      scheduleTask({ task: "back_in_stock", about: product.id, at: noon.toISOString() }),
    );
    await expect(consume({}, { ...deps(), table })).rejects.toThrow("crash");
    expect(await lettersOf(product, "back_in_stock", emails)).toHaveLength(30);
    clock = minutes(1);
    await consume({}, deps());
    expect(await lettersOf(product, "back_in_stock", emails)).toEqual(emails.slice(0, 40));
  });

  test("skip people who ended the alert, unsubscribed, or whose address is blocked", async () => {
    const product = await aWatchedProduct(4);
    const emails = await aWaitingList(product, "back_in_stock", 4);
    const [ended = "", left = "", blocked = "", reached = ""] = emails;
    const id = { product_id: product.id, kind: "back_in_stock" } as const;
    await stopAlert(fixture.table, { ...id, email: ended }, noon);
    const request = { email: left, name: null, source: "footer", isProven: true };
    const { subscription } = requestedSubscription(
      undefined,
      { ...request, at: minutes(-3 * day).toISOString() },
      "a token",
    );
    await fixture.table.transact(putSubscription(endedSubscription(subscription, noon), undefined));
    const at = noon.toISOString();
    await fixture.table.write(blockMail({ email: blocked, reason: "bounced", at }));
    await run(product, "back_in_stock", noon);
    expect(await lettersOf(product, "back_in_stock", emails)).toEqual([reached]);
  });
});

describe("a mail about a price drop", () => {
  test("is sent to people who asked just before the price dropped", async () => {
    const product = await aWatchedProduct(1);
    const email = `reader.${++count}@example.com`;
    const asked = { email, product_id: product.id, kind: "price_drop", price: 10_000 } as const;
    const { alert } = requestedAlert(
      undefined,
      { ...asked, sku: skuOf(product), at: noon.toISOString(), isProven: true },
      `token ${email}`,
    );
    await fixture.table.transact(putAlert(alert, undefined));
    clock = minutes(1);
    await reprice(product, 9_000);
    clock = minutes(61);
    await consume({}, deps());
    expect(await lettersOf(product, "price_drop", [email])).toEqual([email]);
  });

  test("is sent once when the price has been lower for an hour, however often the check runs", async () => {
    const product = await aWatchedProduct(1);
    const emails = await aWaitingList(product, "price_drop", 40);
    await reprice(product, 9_000);
    clock = minutes(59);
    await consume({}, deps());
    expect(await lettersOf(product, "price_drop", emails)).toEqual([]);
    clock = minutes(60);
    await consume({}, deps());
    expect(await lettersOf(product, "price_drop", emails)).toEqual(emails);
    const told = await fixture.table.get(ProductAlerts, {
      email: emails[0] ?? "",
      product_id: product.id,
      kind: "price_drop",
    });
    await Promise.all([
      run(product, "price_drop", minutes(61)),
      run(product, "price_drop", minutes(61)),
    ]);
    await followPrices(fixture.table, product.id);
    await run(product, "price_drop", minutes(125));
    const again = await fixture.table.get(ProductAlerts, {
      email: emails[0] ?? "",
      product_id: product.id,
      kind: "price_drop",
    });
    expect(again).toEqual(told);
    expect(again).toMatchObject({ told_price: 9_000, letter_at: minutes(60).toISOString() });
  });

  test("is sent once by concurrent first checks", async () => {
    const product = await aWatchedProduct(1);
    const [email = ""] = await aWaitingList(product, "price_drop", 1);
    await reprice(product, 9_000);
    clock = minutes(61);
    await Promise.all([consume({}, deps()), consume({}, deps()), consume({}, deps())]);
    const id = { email, product_id: product.id, kind: "price_drop" } as const;
    expect(await fixture.table.get(ProductAlerts, id)).toMatchObject({ version: 2 });
  });

  test("is not sent for a mistyped price that is corrected within the hour, even if it is mistyped again", async () => {
    const product = await aWatchedProduct(1);
    const emails = await aWaitingList(product, "price_drop", 2);
    const wrong = await reprice(product, 100);
    clock = minutes(50);
    const corrected = await reprice(wrong, 10_000);
    clock = minutes(58);
    const again = await reprice(corrected, 100);
    clock = minutes(60);
    await consume({}, deps());
    clock = minutes(70);
    await reprice(again, 10_000);
    for (const at of [90, 130, 200]) {
      clock = minutes(at);
      await consume({}, deps());
    }
    expect(await lettersOf(product, "price_drop", emails)).toEqual([]);
  });

  test("is not sent for a mistyped price whose correction no consumer has processed yet", async () => {
    const product = await aWatchedProduct(1);
    const emails = await aWaitingList(product, "price_drop", 1);
    const wrong = await reprice(product, 100);
    clock = minutes(30);
    await fixture.table.write(
      put(Products, { ...product, version: wrong.version + 1, updated_at: clock.toISOString() }),
    );
    clock = minutes(60);
    await consume({}, deps());
    clock = minutes(120);
    await consume({}, deps());
    expect(await lettersOf(product, "price_drop", emails)).toEqual([]);
  });

  test("is not sent to people who asked while a price was mistyped too high", async () => {
    const product = await aWatchedProduct(1);
    const wrong = await reprice(product, 90_000);
    const email = `reader.${++count}@example.com`;
    const request = { email, product_id: product.id, kind: "price_drop", price: 90_000 } as const;
    const at = minutes(5).toISOString();
    const { alert } = requestedAlert(
      undefined,
      { ...request, sku: skuOf(product), at, isProven: true },
      `token ${email}`,
    );
    await fixture.table.transact(putAlert(alert, undefined));
    clock = minutes(10);
    await reprice(wrong, 10_000);
    clock = minutes(71);
    await consume({}, deps());
    expect(await lettersOf(product, "price_drop", [email])).toEqual([]);
    const kept = await fixture.table.get(ProductAlerts, alert);
    expect(kept?.told_price).toBe(10_000);
  });

  test("is sent only if the price drops by the minimum in the settings, and not within seven days after the last mail", async () => {
    const product = await aWatchedProduct(1);
    const emails = await aWaitingList(product, "price_drop", 1);
    const little = await reprice(product, 9_600);
    clock = minutes(60);
    await consume({}, deps());
    expect(await lettersOf(product, "price_drop", emails)).toEqual([]);
    const lower = await reprice(little, 9_500);
    clock = minutes(120);
    await consume({}, deps());
    expect(await lettersOf(product, "price_drop", emails)).toEqual(emails);
    const id = { email: emails[0] ?? "", product_id: product.id, kind: "price_drop" } as const;
    await reprice(lower, 8_000);
    for (const later of [180, 3 * day, 7 * day + 119]) {
      clock = minutes(later);
      await consume({}, deps());
      expect(await fixture.table.get(ProductAlerts, id)).toMatchObject({ told_price: 9_500 });
    }
    clock = minutes(7 * day + 120);
    await consume({}, deps());
    expect(await fixture.table.get(ProductAlerts, id)).toMatchObject({ told_price: 8_000 });
  });
});
