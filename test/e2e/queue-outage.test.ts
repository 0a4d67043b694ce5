// @module-tag emulator
// @module-tag slow
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoCatalog } from "#infra/local/demo/catalog.ts";
import { startStack } from "#infra/local/stack.ts";
import type { AdminMediaItem } from "#shared/domain/upload/media-item.ts";
import type { OutboxEvent } from "#shared/domain/base/outbox-event.ts";
import type { UploadForm } from "#shared/domain/upload/upload.ts";
import { listObjects } from "#shared/files/list-objects.ts";
import { putCategories } from "#shared/storage/catalog/catalog-edits.ts";
import { AnyItem, MediaItems } from "#shared/storage/upload/media.ts";
import { PriceWatches } from "#shared/storage/marketing/product-alerts.ts";
import { readMetrics } from "#shared/storage/metrics/metrics.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { orderDesk } from "#test/support/back-office/orders.ts";
import { aftermathOf } from "#test/support/hostile/storm-checks.ts";
import { type Data, aProductBody, mark } from "#test/support/back-office/catalog.ts";
import { clientOf } from "#test/support/http/client.ts";
import { inboxOf } from "#test/support/emulators/inbox.ts";
import { plantProduct, plantSettings, tableOf } from "#test/support/shop/plant.ts";
import { type QueueProxy, startQueueProxy } from "#test/support/emulators/queues.ts";
import { aShopper } from "#test/support/shop/shopping.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { aPhotograph, judged, sendForm } from "#test/support/shop/uploads.ts";
import { type WhatsAppDesk, openWhatsAppDesk } from "#test/support/back-office/whatsapp.ts";
import { type Effect, awaits, consumersOf } from "#test/support/stack/effects.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";

/** A stack whose queues can fail, with helpers that cause changes. */
async function openShop(options: Parameters<typeof openWhatsAppDesk>[0] = {}) {
  let sqs: string | undefined;
  const queues = await startQueueProxy(() => sqs);
  const desk = await openWhatsAppDesk({
    ...options,
    environment: { SQS_ENDPOINT: queues.endpoint },
  });
  sqs = desk.stack.environment.S3_ENDPOINT;
  const { categories } = await demoCatalog(new Date());
  await desk.table.transact(
    putCategories(
      categories.map((category) => ({ ...category, image: null })),
      0,
    ),
  );
  const owner = await desk.staff("owner");
  return { desk, queues, owner };
}

interface Shop {
  desk: WhatsAppDesk;
  queues: QueueProxy;
  owner: StaffClient;
}

async function closeShop({ desk, queues }: Shop): Promise<void> {
  await desk.stack.stop();
  await queues.stop();
}

const patience = { interval: 100 };

async function aPicture({ desk, owner }: Shop): Promise<AdminMediaItem> {
  const client = clientOf(desk.stack.baseUrl);
  const headers = { authorization: `Bearer ${owner.token}` };
  const file = await aPhotograph("jpeg", { width: 60, height: 40 });
  const said = { filename: "oslo.jpg", content_type: "image/jpeg", size: file.byteLength };
  const made = await owner.post<Data<{ id: string; upload: UploadForm }>>("/admin/media", said);
  await sendForm(made.body.data.upload, file);
  await judged(client, `/admin/media/${made.body.data.id}`, headers);
  return (await owner.get<Data<AdminMediaItem>>(`/admin/media/${made.body.data.id}`)).body.data;
}

async function pageViews({ desk }: Shop): Promise<number> {
  awaits("metrics");
  const always = { from: "2020-01-01", to: "2100-01-01" };
  const rows = await readMetrics(desk.table, { topic: "events", ...always });
  return [...rows.values()].reduce((sum, { page_view = 0 }) => sum + page_view, 0);
}

const anEvent = (own: string, number: number) => ({
  event_id: `${own}-${number}`,
  session_id: own,
  name: "page_view",
  occurred_at: new Date().toISOString(),
  page: { path: `/${own}` },
});

/** The effects of the changes during the outage. */
const everythingAwaited: readonly Effect[] = [
  "catalog-index",
  "documents",
  "mail",
  "marketing",
  "media",
  "media-uses",
  "metrics",
  "order-names",
  "staff-index",
  "whatsapp",
];

describe("an outage of every queue", () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ effects: everythingAwaited });
  });
  afterAll(() => closeShop(shop));

  test("loses no change: each takes effect once after the queues recover", async () => {
    const { desk, queues, owner } = shop;
    const { stack, table } = desk;
    const client = clientOf(stack.baseUrl);
    const own = mark();
    const [shown, deleted] = [await aPicture(shop), await aPicture(shop)];
    const conversation = await desk.written();
    const { sku } = await plantProduct(table, { units: 10 });
    await stack.settled();

    // Two successive calls to a queue make fewer than seven attempts, so both fail.
    queues.breakQueues(7);
    const events = Array.from({ length: 5 }, (_, number) => anEvent(own, number));
    expect((await client.post("/analytics/events", { events })).status).toBe(202);
    const shopper = await aShopper(stack.baseUrl, [{ sku, quantity: 1 }]);
    const email = `buyer.${own}@example.com`;
    const name = `Zubeda ${own.replaceAll(/[^a-f]/g, "")}quist`;
    const order = await shopper.checkOut({ email, name, payment_method: "cod" });
    expect([order.status, order.text]).toEqual([201, order.text]);
    const { id: orderId, items } = order.body.data.order;
    const line = items[0]?.id ?? "";
    await orderDesk(stack.baseUrl, stack.environment).send({ id: orderId, line }, 1);
    const picture = { url: shown.url, alt: "A chair", width: 40, height: 60 };
    const product = await owner.post<Data<{ id: string; slug: string }>>(
      "/admin/products",
      aProductBody({
        status: "published",
        media: [{ ...picture, id: shown.id, type: "image", role: "main" }],
      }),
    );
    expect([product.status, product.text]).toEqual([201, product.text]);
    const messages = `/admin/inbox/conversations/${conversation.id}/messages`;
    for (const line of ["First", "Second"]) await owner.post(messages, { text: line });
    // Removes the row, as DynamoDB does when the row's time to live ends.
    await table.write(remove(MediaItems, { id: deleted.id }));

    const { slug, id } = product.body.data;
    const inbox = inboxOf(stack.environment.SES_ENDPOINT);
    const until = (effect: Effect, claim: () => Promise<void>) => waitFor(effect, claim, patience);
    await until("metrics", async () => expect(await pageViews(shop)).toBe(5));
    // When the order was placed, and when it was sent, with its invoice.
    await until("mail", async () => expect(await inbox.mailsTo(email)).toHaveLength(2));
    await until("documents", async () => {
      const path = `/admin/orders/${orderId}/documents`;
      const { body } = await owner.get<Data<{ type: string }[]>>(path);
      expect(body.data.map(({ type }) => type)).toEqual(["order_confirmation", "invoice"]);
    });
    await until("order-names", async () => {
      const found = await owner.get<Data<{ id: string }[]>>(
        `/admin/orders?q=${encodeURIComponent(name)}`,
      );
      expect(found.body.data.map((each) => each.id)).toEqual([orderId]);
    });
    await until("catalog-index", async () => {
      const listed = await client.get<Data<{ slug: string }[]>>("/products?sort=newest");
      expect(listed.body.data.map((each) => each.slug)).toContain(slug);
    });
    await until("staff-index", async () => {
      const drafts = await owner.get<Data<{ id: string }[]>>("/admin/products");
      expect(drafts.body.data.map((each) => each.id)).toContain(id);
    });
    await until("marketing", async () =>
      expect(await table.get(PriceWatches, { product_id: id })).toBeDefined(),
    );
    await until("media-uses", async () => {
      const { used_in } = (await owner.get<Data<AdminMediaItem>>(`/admin/media/${shown.id}`)).body
        .data;
      expect(used_in).toEqual([{ kind: "product", id }]);
    });
    await until("media", async () => expect((await fetch(deleted.url ?? "")).status).toBe(404));
    await until("whatsapp", async () => {
      const sent = await desk.sentTo(conversation.phone);
      expect(sent.map((message) => message.text?.body)).toEqual(["First", "Second"]);
    });

    expect(queues.refused()).toEqual([
      "catalog-index.fifo",
      "documents",
      "marketing",
      "media",
      "media-uses.fifo",
      "metrics",
      "order-names",
      "outbox",
      "staff-index.fifo",
      "whatsapp.fifo",
    ]);

    // Once the stack is idle, a duplicate would have taken effect.
    await stack.settled();
    expect(await pageViews(shop)).toBe(5);
    expect(await inbox.mailsTo(email)).toHaveLength(2);
    expect(await desk.sentTo(conversation.phone)).toHaveLength(2);
    queues.mendQueues();
    const aftermath = aftermathOf(stack.environment);
    expect(await aftermath.deadLetters()).toEqual({});
    aftermath.close();
  });
});

describe("a failed batch of table changes that Lambda stored", () => {
  let shop: Shop;
  beforeAll(async () => {
    // With a maximum age of 0 hours, a failed batch is never retried, but stored at once.
    const impatient = consumersOf(["mail", "metrics"]).map((consumer) =>
      consumer.source.kind === "stream"
        ? { ...consumer, source: { ...consumer.source, maxAgeHours: 0 } }
        : consumer,
    );
    shop = await openShop({ consumers: impatient });
  });
  afterAll(() => closeShop(shop));

  /** Runs `npm run replay` in a separate process. */
  async function replayed(): Promise<{ code: number; output: string }> {
    const file = fileURLToPath(new URL("../../infra/cli/replay.ts", import.meta.url));
    const child = spawn(process.execPath, [file], {
      env: { ...process.env, ...shop.desk.stack.environment },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [output, [code]] = await Promise.all([
      text(child.stdout),
      once(child, "exit") as Promise<[number]>,
    ]);
    return { code, output: output.trim() };
  }

  const stored = () => {
    const { FAILED_CHANGES_BUCKET: bucket, S3_ENDPOINT: endpoint } = shop.desk.stack.environment;
    return listObjects({ bucket, endpoint });
  };

  test("takes effect once when it is replayed, even if the replay is repeated", async () => {
    const { desk, queues } = shop;
    const { stack } = desk;
    const own = mark();
    const client = clientOf(stack.baseUrl);
    await stack.settled();
    queues.breakQueues();
    const events = Array.from({ length: 3 }, (_, number) => anEvent(own, number));
    await client.post("/analytics/events", { events });
    const email = `lead.${own}@example.com`;
    const lead = { type: "contact", name: "Asha Rao", email, message: "Hello", consent: true };
    expect((await client.post("/leads", lead)).status).toBe(201);
    await waitFor("mail", () => expect(queues.refused()).toContain("outbox"), patience);
    await stack.settled();
    expect((await stored()).length).toBeGreaterThan(0);

    const inVain = await replayed();
    expect(inVain.code).toBe(1);
    expect(inVain.output).toMatch(/^0 replayed, 0 still unreadable, [1-9]\d* failed\.$/);

    queues.mendQueues();
    const first = await replayed();
    expect(first.output).toMatch(/^[1-9]\d* replayed, 0 still unreadable, 0 failed\.$/);
    expect(await stored()).toEqual([]);
    expect(await replayed()).toEqual({
      code: 0,
      output: "0 replayed, 0 still unreadable, 0 failed.",
    });
    const inbox = inboxOf(stack.environment.SES_ENDPOINT);
    await stack.settled();
    expect(await pageViews(shop)).toBe(3);
    expect(await inbox.mailsTo(email)).toHaveLength(1);
  });

  test("does not delay other changes if it contains an unreadable one, which is stored separately", async () => {
    const { desk } = shop;
    const { stack, table } = desk;
    const own = mark();
    const pk = `CONVERSATION#conv_${own}`;
    // A stored message that lacks its members, such as the conversation, is unreadable.
    await table.write(put(AnyItem, { pk, sk: "MESSAGE#x", entity: "message", state: "queued" }));
    const email = `lead.${own}@example.com`;
    const lead = { type: "contact", name: "Asha Rao", email, message: "Hello", consent: true };
    expect((await clientOf(stack.baseUrl).post("/leads", lead)).status).toBe(201);
    await stack.settled();
    expect(await inboxOf(stack.environment.SES_ENDPOINT).mailsTo(email)).toHaveLength(1);
    expect(await stored()).toEqual([expect.stringMatching(/^unreadable\/.+\.json$/)]);
    const { code, output } = await replayed();
    expect([code, output]).toEqual([1, "0 replayed, 1 still unreadable, 0 failed."]);
    expect(await stored()).toHaveLength(1);
  });
});

test("the outbox sweep sends the mail of an outbox event once if its queue message was lost", async () => {
  const stack = await startStack({
    consumers: consumersOf(["mail", "outbox-sweep"]).filter(
      ({ source }) => source.kind !== "stream",
    ),
    seed: (environment) => plantSettings(tableOf(environment)),
  });
  try {
    const event: OutboxEvent = {
      type: "reset_password",
      to: "sweep@example.com",
      name: "Asha Rao",
      token: "token-of-the-sweep",
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    };
    await tableOf(stack.environment).write(publishEvent(event, new Date(Date.now() - 16 * 60_000)));
    const inbox = inboxOf(stack.environment.SES_ENDPOINT);
    await inbox.waitFor(event.to);
    await stack.settled();
    expect(await inbox.mailsTo(event.to)).toHaveLength(1);
  } finally {
    await stack.stop();
  }
});
