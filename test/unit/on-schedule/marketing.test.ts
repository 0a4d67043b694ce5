import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { onScheduleMarketing } from "#functions/on-schedule/schedules.ts";
import { followPrices } from "#shared/application/marketing/follow-prices.ts";
import { stopAlert } from "#shared/application/marketing/request-alert.ts";
import { newId } from "#shared/domain/base/ids.ts";
import type { OutboxEvent } from "#shared/domain/base/outbox-event.ts";
import type { Product } from "#shared/domain/catalog/product.ts";
import { newStock } from "#shared/domain/catalog/stock.ts";
import {
  type AlertKind,
  type ProductAlert,
  anyVariant,
  priceOfVariants,
  requestedAlert,
} from "#shared/domain/marketing/product-alert.ts";
import { endedSubscription, requestedSubscription } from "#shared/domain/marketing/subscription.ts";
import { Products, Stocks } from "#shared/storage/catalog/catalog.ts";
import { blockMail } from "#shared/storage/customer/mail-blocks.ts";
import { listDueTasks, scheduleTask } from "#shared/storage/marketing/marketing-timers.ts";
import { PriceWatches, ProductAlerts, putAlert } from "#shared/storage/marketing/product-alerts.ts";
import { putSubscription } from "#shared/storage/marketing/subscriptions.ts";
import { Outbox, outboxId } from "#shared/storage/outbox.ts";
import { openGroups } from "#shared/storage/settings/settings.ts";
import type { Table } from "#shared/storage/table.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { aProduct, aVariant } from "#test/support/shop/builders.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { aShop, silentLog } from "#test/support/shop/parts.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
let clock = noon;
const logged: string[] = [];
const minutes = (count: number) => new Date(noon.getTime() + count * 60_000);
const day = 24 * 60;

beforeAll(async () => {
  fixture = await startTestTable();
});
beforeEach(async () => {
  clock = noon;
  logged.length = 0;
  await fixture.table.clear("MARKETINGDUE");
});
afterAll(() => fixture.stop());

const deps = () =>
  aShop<Parameters<typeof onScheduleMarketing>[1]>({
    table: fixture.table,
    settings: openGroups(fixture.table, ["store", "checkout"]),
    apiBaseUrl: "https://api.example.com",
    log: { ...silentLog, warn: (message) => void logged.push(message) },
    now: () => clock,
  });

let count = 0;
const variantOf = (product: Product) => product.variants[0]?.id ?? "";

/** A published product with one variant, and its stock. */
async function aWatchedProduct(units: number, price = 10_000): Promise<Product> {
  const sku = `SKU-${++count}`;
  const product = aProduct({
    id: newId("prd", noon),
    status: "published",
    slug: `product-${count}`,
    variants: [aVariant({ id: newId("var", noon), sku, price })],
    updated_at: minutes(-10 * day).toISOString(),
  });
  await fixture.table.write(put(Products, product));
  await setStock(product, units);
  return product;
}

async function setStock({ id, slug, variants }: Product, available: number) {
  const owner = { kind: "product", id, slug } as const;
  const row = newStock(
    variants[0]?.id ?? "",
    owner,
    { policy: "deny", low_stock_threshold: 0 },
    noon,
  );
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
  await followPrices(fixture.table, [product.id]);
  return after;
}

/** Creates confirmed alerts, which were requested a minute apart. Returns their emails, the oldest first. */
async function aWaitingList(product: Product, kind: AlertKind, size: number): Promise<string[]> {
  const emails = Array.from({ length: size }, () => `reader.${++count}@example.com`);
  for (const [position, email] of emails.entries()) {
    const at = minutes(position - 2 * day).toISOString();
    const price = product.variants[0]?.price ?? 0;
    const request = {
      email,
      product_id: product.id,
      kind,
      variant_id: variantOf(product),
      price,
      at,
    };
    const { alert } = requestedAlert(undefined, { ...request, isProven: true }, `token ${email}`);
    await fixture.table.transact(putAlert(alert, undefined));
  }
  return emails;
}

/** A published product with a variant of each price. Returns their ids in the order of the prices. */
async function aProductOf(...prices: number[]): Promise<{ product: Product; ids: string[] }> {
  const number = ++count;
  const variants = prices.map((price, position) =>
    aVariant({ id: newId("var", noon), sku: `SKU-${number}-${position}`, price }),
  );
  const product = aProduct({
    id: newId("prd", noon),
    status: "published",
    slug: `product-${number}`,
    variants,
    updated_at: minutes(-10 * day).toISOString(),
  });
  await fixture.table.write(put(Products, product));
  return { product, ids: variants.map(({ id }) => id) };
}

/** Requests a price alert for a variant as the person who reads the address's mail, at the time `clock`. */
async function askForPrice(product: Product, variant_id: string, email: string, isProven = true) {
  const id = { email, product_id: product.id, kind: "price_drop" } as const;
  const before = await fixture.table.get(ProductAlerts, id);
  const price = priceOfVariants(product, [variant_id]) ?? 0;
  const request = { ...id, variant_id, price, at: clock.toISOString(), isProven };
  const { alert } = requestedAlert(before, request, `token ${email}`);
  await fixture.table.transact(putAlert(alert, before));
}

/** Saves the product with the prices of all variants, as staff would at the time `clock`. */
async function setPrices(product: Product, ...prices: number[]): Promise<Product> {
  const after = {
    ...product,
    variants: product.variants.map((variant, position) => ({
      ...variant,
      price: prices[position] ?? variant.price,
    })),
    version: product.version + 1,
    updated_at: clock.toISOString(),
  };
  await fixture.table.write(put(Products, after));
  await followPrices(fixture.table, [product.id]);
  return after;
}

/** The reference price of an alert about one SKU. */
const seenPrice = (alert: ProductAlert | undefined) =>
  Object.values(alert?.reference_prices ?? {})[0]?.price;

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
  await onScheduleMarketing({}, deps());
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
    await onScheduleMarketing({}, deps());
    expect(await lettersOf(product, "back_in_stock", emails)).toEqual(emails.slice(0, 3));
    await setStock(product, 0);
    clock = minutes(2 * day);
    await onScheduleMarketing({}, deps());
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

  test("are continued after a crash without mailing anybody twice", { tags: "slow" }, async () => {
    const product = await aWatchedProduct(40);
    const emails = await aWaitingList(product, "back_in_stock", 60);
    let transactions = 0;
    const table = {
      ...fixture.table,
      transact: async (writes: Parameters<Table["transact"]>[0]) => {
        if (++transactions > 1) throw new Error("crash");
        await fixture.table.transact(writes);
      },
    };
    clock = noon;
    await fixture.table.write(
      scheduleTask({ task: "back_in_stock", about: product.id, at: noon.toISOString() }),
    );
    await expect(onScheduleMarketing({}, { ...deps(), table })).rejects.toThrow("1 checks");
    expect(await lettersOf(product, "back_in_stock", emails)).toHaveLength(30);
    clock = minutes(1);
    await onScheduleMarketing({}, deps());
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
      { ...asked, variant_id: variantOf(product), at: noon.toISOString(), isProven: true },
      `token ${email}`,
    );
    await fixture.table.transact(putAlert(alert, undefined));
    clock = minutes(1);
    await reprice(product, 9_000);
    clock = minutes(61);
    await onScheduleMarketing({}, deps());
    expect(await lettersOf(product, "price_drop", [email])).toEqual([email]);
  });

  test("is sent once when the price has been lower for an hour, however often the check runs", async () => {
    const product = await aWatchedProduct(1);
    const emails = await aWaitingList(product, "price_drop", 40);
    await reprice(product, 9_000);
    clock = minutes(59);
    await onScheduleMarketing({}, deps());
    expect(await lettersOf(product, "price_drop", emails)).toEqual([]);
    clock = minutes(60);
    await onScheduleMarketing({}, deps());
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
    await followPrices(fixture.table, [product.id]);
    await run(product, "price_drop", minutes(125));
    const again = await fixture.table.get(ProductAlerts, {
      email: emails[0] ?? "",
      product_id: product.id,
      kind: "price_drop",
    });
    expect(again).toEqual(told);
    expect(again).toMatchObject({ letter_at: minutes(60).toISOString() });
    expect(seenPrice(again)).toBe(9_000);
  });

  test("is sent once by concurrent first checks", async () => {
    const product = await aWatchedProduct(1);
    const [email = ""] = await aWaitingList(product, "price_drop", 1);
    await reprice(product, 9_000);
    clock = minutes(61);
    await Promise.all([
      onScheduleMarketing({}, deps()),
      onScheduleMarketing({}, deps()),
      onScheduleMarketing({}, deps()),
    ]);
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
    await onScheduleMarketing({}, deps());
    clock = minutes(70);
    await reprice(again, 10_000);
    for (const at of [90, 130, 200]) {
      clock = minutes(at);
      await onScheduleMarketing({}, deps());
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
    await onScheduleMarketing({}, deps());
    clock = minutes(120);
    await onScheduleMarketing({}, deps());
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
      { ...request, variant_id: variantOf(product), at, isProven: true },
      `token ${email}`,
    );
    await fixture.table.transact(putAlert(alert, undefined));
    clock = minutes(10);
    await reprice(wrong, 10_000);
    clock = minutes(71);
    await onScheduleMarketing({}, deps());
    expect(await lettersOf(product, "price_drop", [email])).toEqual([]);
    const kept = await fixture.table.get(ProductAlerts, alert);
    expect(seenPrice(kept)).toBe(10_000);
  });

  test("is sent only if the price drops by the minimum in the settings, and not within seven days after the last mail", async () => {
    const product = await aWatchedProduct(1);
    const emails = await aWaitingList(product, "price_drop", 1);
    const little = await reprice(product, 9_600);
    clock = minutes(60);
    await onScheduleMarketing({}, deps());
    expect(await lettersOf(product, "price_drop", emails)).toEqual([]);
    const lower = await reprice(little, 9_500);
    clock = minutes(120);
    await onScheduleMarketing({}, deps());
    expect(await lettersOf(product, "price_drop", emails)).toEqual(emails);
    const id = { email: emails[0] ?? "", product_id: product.id, kind: "price_drop" } as const;
    await reprice(lower, 8_000);
    for (const later of [180, 3 * day, 7 * day + 119]) {
      clock = minutes(later);
      await onScheduleMarketing({}, deps());
      expect(seenPrice(await fixture.table.get(ProductAlerts, id))).toBe(9_500);
    }
    clock = minutes(7 * day + 120);
    await onScheduleMarketing({}, deps());
    expect(seenPrice(await fixture.table.get(ProductAlerts, id))).toBe(8_000);
  });
});

describe("a price alert about several SKUs", () => {
  const aReader = () => `reader.${++count}@example.com`;
  const mailedTo = (product: Product, email: string) => lettersOf(product, "price_drop", [email]);

  test("compares each SKU with its own price: a dearer SKU that is requested later causes no mail", async () => {
    const { product, ids } = await aProductOf(10_000, 5_000);
    const email = aReader();
    await askForPrice(product, anyVariant, email);
    await askForPrice(product, ids[0] ?? "", email);
    await run(product, "price_drop", minutes(1));
    expect(await mailedTo(product, email)).toEqual([]);
  });

  test("announces the drop of a SKU that stays dearer than another SKU of the alert", async () => {
    const { product, ids } = await aProductOf(10_000, 5_000);
    const [dear = "", cheap = ""] = ids;
    const email = aReader();
    await askForPrice(product, dear, email);
    await askForPrice(product, cheap, email);
    clock = minutes(1);
    await setPrices(product, 8_000);
    clock = minutes(61);
    await onScheduleMarketing({}, deps());
    expect(await mailedTo(product, email)).toEqual([email]);
  });

  test("does not start to watch an unproven SKU, and does not compare with its price", async () => {
    const { product, ids } = await aProductOf(10_000, 5_000);
    const [dear = "", cheap = ""] = ids;
    const email = aReader();
    await askForPrice(product, cheap, email);
    await askForPrice(product, dear, email, false);
    clock = minutes(1);
    await setPrices(product, 6_000);
    clock = minutes(61);
    await onScheduleMarketing({}, deps());
    expect(await mailedTo(product, email)).toEqual([]);
  });
});

describe("a price alert that was requested while a price was valid for less than an hour", () => {
  test("is mailed when the price drops after that, although the request's price was not a typing error", async () => {
    const product = await aWatchedProduct(1, 9_000);
    await reprice(product, 9_500);
    const email = `reader.${++count}@example.com`;
    clock = minutes(10);
    const seen = await fixture.table.get(Products, { id: product.id });
    if (!seen) throw new Error("There is no product");
    await askForPrice(seen, anyVariant, email);
    clock = minutes(30);
    const raised = await reprice(seen, 9_700);
    await run(product, "price_drop", minutes(95));
    expect(await lettersOf(product, "price_drop", [email])).toEqual([]);
    clock = minutes(400);
    await reprice(raised, 8_000);
    clock = minutes(461);
    await onScheduleMarketing({}, deps());
    expect(await lettersOf(product, "price_drop", [email])).toEqual([email]);
  });
});

test("a request without proof does not continue an alert whose person has unsubscribed", async () => {
  const { product, ids } = await aProductOf(10_000, 5_000);
  const [first = "", second = ""] = ids;
  const email = `reader.${++count}@example.com`;
  await askForPrice(product, first, email);
  const request = { email, name: null, source: "footer", isProven: true };
  const at = minutes(-day).toISOString();
  const { subscription } = requestedSubscription(undefined, { ...request, at }, "a token");
  await fixture.table.transact(
    putSubscription(endedSubscription(subscription, minutes(1)), undefined),
  );
  clock = minutes(2);
  await askForPrice(product, second, email, false);
  await setPrices(product, 5_000);
  clock = minutes(62);
  await onScheduleMarketing({}, deps());
  expect(await lettersOf(product, "price_drop", [email])).toEqual([]);
});

test("while the address of the API is not configured, due checks wait and are run later", async () => {
  const product = await aWatchedProduct(1);
  const emails = await aWaitingList(product, "back_in_stock", 1);
  const timer = { task: "back_in_stock", about: product.id, at: noon.toISOString() } as const;
  await fixture.table.write(scheduleTask(timer));
  await onScheduleMarketing({}, { ...deps(), apiBaseUrl: undefined });
  expect(await isDueAgain(product, noon)).toMatchObject([timer]);
  expect(await lettersOf(product, "back_in_stock", emails)).toEqual([]);
  await onScheduleMarketing({}, deps());
  expect(await lettersOf(product, "back_in_stock", emails)).toEqual(emails);
});

test("a timer that cannot be removed stays due, and the other checks are run", async () => {
  const products = await Promise.all(Array.from({ length: 8 }, () => aWatchedProduct(1)));
  const [failing] = products;
  const emails: string[] = [];
  for (const product of products) {
    emails.push(...(await aWaitingList(product, "back_in_stock", 1)));
    const at = noon.toISOString();
    await fixture.table.write(scheduleTask({ task: "back_in_stock", about: product.id, at }));
  }
  const { table } = fixture;
  const isTimerOf = (writes: Parameters<Table["transact"]>[0]) => {
    const text = JSON.stringify(writes);
    return text.includes("MARKETINGDUE") && text.includes(failing?.id ?? "");
  };
  const unreliable: Table = {
    ...table,
    transact: (writes) =>
      isTimerOf(writes) ? Promise.reject(new Unavailable("away")) : table.transact(writes),
  };
  await onScheduleMarketing({}, { ...deps(), table: unreliable });
  for (const [position, product] of products.entries()) {
    const email = emails[position] ?? "";
    expect(await lettersOf(product, "back_in_stock", [email])).toEqual([email]);
    expect(await isDueAgain(product, noon)).toHaveLength(product === failing ? 1 : 0);
  }
  expect(logged).toHaveLength(1);
});

describe("the alerts of a product", () => {
  const withdrawals = {
    archived: (product: Product) => put(Products, { ...product, status: "archived" as const }),
    deleted: (product: Product) => remove(Products, product),
  };
  test.each(Object.entries(withdrawals))("end when it is %s", async (_how, write) => {
    const product = await aWatchedProduct(1);
    const kinds = ["back_in_stock", "price_drop"] as const;
    const emails = await aWaitingList(product, "back_in_stock", 40);
    const [other = ""] = await aWaitingList(product, "price_drop", 1);
    await followPrices(fixture.table, [product.id]);
    await fixture.table.write(write(product));
    await run(product, "price_drop", noon);
    for (const [email, kind] of [
      [emails[0] ?? "", kinds[0]],
      [emails[39] ?? "", kinds[0]],
      [other, kinds[1]],
    ] as const) {
      const id = { email, product_id: product.id, kind };
      expect(await fixture.table.get(ProductAlerts, id)).toMatchObject({ status: "ended" });
    }
    expect(await fixture.table.get(PriceWatches, { product_id: product.id })).toBeUndefined();
    expect(await lettersOf(product, "back_in_stock", emails)).toEqual([]);
  });

  test("wait while it is a draft", async () => {
    const product = await aWatchedProduct(1);
    const [email = ""] = await aWaitingList(product, "back_in_stock", 1);
    await fixture.table.write(put(Products, { ...product, status: "draft" }));
    await run(product, "back_in_stock", noon);
    const id = { email, product_id: product.id, kind: "back_in_stock" } as const;
    expect(await fixture.table.get(ProductAlerts, id)).toMatchObject({ status: "waiting" });
  });
});
