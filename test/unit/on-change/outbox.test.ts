import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { onChangeOutbox } from "#functions/on-change/outbox.ts";
import { messageTo } from "#functions/on-change/stream/effects.ts";
import type { OutboxEvent } from "#shared/domain/base/outbox-event.ts";
import { MailBlocks } from "#shared/storage/customer/mail-blocks.ts";
import { openMailer } from "#shared/mail/mailer.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import type { StoredDocument } from "#shared/domain/document/document.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import { Documents } from "#shared/storage/document/documents.ts";
import { OrderShipments, Orders } from "#shared/storage/order/orders.ts";
import type { Table } from "#shared/storage/table.ts";
import { put } from "#shared/storage/writes.ts";
import { Outbox, openOutbox, outboxId, publishEvent } from "#shared/storage/outbox.ts";
import { SettingsRows, openGroups } from "#shared/storage/settings/settings.ts";
import { testKeys } from "#test/support/http/identity.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";
import { startFailingMailServer } from "#test/support/emulators/failing-servers.ts";
import { aShipment } from "#test/support/shop/order-record.ts";
import { aShop } from "#test/support/shop/parts.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { plantSettings } from "#test/support/shop/plant.ts";
import { aMessage } from "#test/support/emulators/queues.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  fixture = await startTestTable();
  await plantSettings(fixture.table);
});
afterAll(() => fixture.stop());
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

let number = 0;

async function anEvent() {
  const event: OutboxEvent = {
    type: "reset_password",
    to: "asha@example.com",
    name: "Asha Rao",
    token: `token-${++number}`,
    expires_at: new Date(noon.getTime() + 3_600_000).toISOString(),
  };
  await fixture.table.write(publishEvent(event, noon));
  const id = outboxId(event);
  return { id, event, row: () => fixture.table.get(Outbox, { id }) };
}

/** The consumer with a mail server that returns one error. */
async function before(status: number, error: string) {
  const server = await startFailingMailServer(status, error);
  stops.push(server.stop);
  const lines: string[] = [];
  const pauses: number[] = [];
  const counted: string[] = [];
  const note = (message: string, facts?: object) =>
    void lines.push(`${message} ${JSON.stringify(facts)}`);
  const deps = aShop<Parameters<typeof onChangeOutbox>[1]>({
    table: fixture.table,
    linkKeys: async () => testKeys.customer,
    apiBaseUrl: undefined,
    mediaBaseUrl: "https://media.example.com",
    settings: openGroups(fixture.table, ["store", "payments", "shipping", "tax", "email", "seo"]),
    documentFiles: { get: async (key) => new TextEncoder().encode(`the file ${key}`) },
    mailer: openMailer({ from: "no-reply@example.com", endpoint: server.endpoint }),
    rates: {
      async increment({ caller }) {
        // The caller of this limit is an address and a day.
        counted.push(caller.split("#")[0] ?? "");
        return 1;
      },
    },
    outboxQueue: { postpone: async (_receipt, seconds) => void pauses.push(seconds) },
    log: { info: note, warn: note, error: note },
    now: () => noon,
  });
  return { deps, lines, pauses, counted, server };
}

async function anUnpaidOrder() {
  const order = { ...aPlacedOrder(), id: newId("ord", new Date()) };
  const event = { type: "order_placed", order_id: order.id } as const;
  await fixture.table.transact([put(Orders, order), publishEvent(event, noon)]);
  return { order, event };
}

describe("a mail that the mail service refuses permanently", () => {
  test("is not sent again, and the refusal is logged", async () => {
    const { id, row } = await anEvent();
    const { deps, lines, server } = await before(400, "BadRequestException");
    const message = aMessage({ id });
    expect(await onChangeOutbox({ Records: [message] }, deps)).toEqual({ batchItemFailures: [] });
    expect(await row()).toMatchObject({ state: "given_up", event: { token: "" } });
    expect(lines).toEqual([expect.stringContaining(id)]);
    await onChangeOutbox({ Records: [message] }, deps);
    expect(server.requests()).toBe(1);
  });
});

describe("a mail that the mail service refuses temporarily", () => {
  test("is retried without the other mails of its batch, keeps its link and releases its claim", async () => {
    const [one, settled] = [await anEvent(), await anEvent()];
    const { deps } = await before(500, "InternalServiceErrorException");
    const outbox = openOutbox(fixture.table);
    const done = await outbox.claim(settled.id, noon);
    if (done.kind === "claimed") await outbox.settle(done.record, "sent", noon);

    const messages = [aMessage({ id: one.id }), aMessage({ id: settled.id })];
    expect(await onChangeOutbox({ Records: messages }, deps)).toEqual({
      batchItemFailures: [{ itemIdentifier: messages[0]?.messageId }],
    });
    expect(await one.row()).toMatchObject({
      state: "waiting",
      claimed_until: null,
      attempts: 1,
      event: one.event,
    });
  });

  test("is counted once among the letters that its address gets in a day", async () => {
    const { order, event } = await anUnpaidOrder();
    const { deps, counted } = await before(500, "InternalServiceErrorException");
    for (const attempt of [1, 2, 3]) {
      await onChangeOutbox({ Records: [aMessage({ id: outboxId(event) }, attempt)] }, deps);
    }
    expect(await fixture.table.get(Outbox, { id: outboxId(event) })).toMatchObject({ attempts: 3 });
    expect(counted).toEqual([order.customer.email]);
  });

  test("is counted by the first attempt that reaches the limit", async () => {
    const { order, event } = await anUnpaidOrder();
    const { deps, counted } = await before(500, "InternalServiceErrorException");
    const getMany: Table["getMany"] = async (groups) => {
      const reads = Object.values(groups).flat();
      if (reads.some(({ entity }) => entity === MailBlocks.name)) throw new Error("Gone");
      return fixture.table.getMany(groups);
    };
    const broken = { ...deps, table: { ...fixture.table, getMany } };
    await onChangeOutbox({ Records: [aMessage({ id: outboxId(event) })] }, broken);
    expect(counted).toEqual([]);
    for (const attempt of [2, 3]) {
      await onChangeOutbox({ Records: [aMessage({ id: outboxId(event) }, attempt)] }, deps);
    }
    expect(counted).toEqual([order.customer.email]);
  });

  test("is postponed longer after each attempt, up to 15 minutes", async () => {
    const { id } = await anEvent();
    const { deps, pauses } = await before(400, "MessageRejected");
    for (const attempt of [1, 2, 3, 8, 50]) {
      await onChangeOutbox({ Records: [aMessage({ id }, attempt)] }, deps);
    }
    const bounds = [10, 20, 40, 900, 900];
    expect(pauses).toHaveLength(bounds.length);
    for (const [position, bound] of bounds.entries()) {
      expect(pauses[position]).toBeLessThanOrEqual(bound);
      expect(pauses[position]).toBeGreaterThanOrEqual(bound / 2);
    }
  });
});

test("a withheld mail whose row could not be settled is withheld by the next attempt too", async () => {
  const { event } = await anUnpaidOrder();
  const { deps, server } = await before(400, "MessageRejected");
  const rates = { ...deps.rates, increment: async () => Infinity };
  const withholding = { ...deps, rates };
  // A withheld mail's row is settled in a transaction with the entry of its order.
  const transact = () => Promise.reject(new Error("Gone"));
  const table = { ...fixture.table, transact };
  await onChangeOutbox({ Records: [aMessage({ id: outboxId(event) })] }, { ...withholding, table });
  const now = () => new Date(noon.getTime() + 61_000);
  await onChangeOutbox(
    { Records: [aMessage({ id: outboxId(event) }, 2)] },
    { ...withholding, now },
  );
  expect(server.requests()).toBe(0);
  const row = await fixture.table.get(Outbox, { id: outboxId(event) });
  expect(row).toMatchObject({ state: "given_up", reason: "withheld", attempts: 2 });
});

/** The row of an order's invoice, whose file was made. */
const anInvoice = ({ id }: StoredOrder): StoredDocument => ({
  owner_id: id,
  type: "invoice",
  ...invoice,
  key: `${id}.pdf`,
  bytes: 20_000,
  made_at: noon.toISOString(),
  removed_at: null,
});
const invoice = { number: "FS/26-27/000123", issued_on: "2026-11-21" };

describe("a mail with a PDF", () => {
  test("waits for the PDF until two minutes are over, and carries it as soon as it is made", async () => {
    const order = { ...aPlacedOrder(), id: newId("ord", new Date()), invoice };
    const shipment_id = anId("shp");
    const shipment = aShipment({ id: shipment_id, dispatched_at: noon.toISOString() });
    const event = { type: "order_shipped", order_id: order.id, shipment_id } as const;
    await fixture.table.transact([
      put(Orders, order),
      put(OrderShipments, { ...shipment, order_id: order.id }),
      publishEvent(event, noon),
    ]);
    const { deps, pauses, server } = await before(400, "MessageRejected");
    for (const waited of [0, 60, 119.5]) {
      const now = () => new Date(noon.getTime() + waited * 1000);
      const early = aMessage({ id: outboxId(event) });
      const answer = await onChangeOutbox({ Records: [early] }, { ...deps, now });
      expect(answer.batchItemFailures).toHaveLength(1);
    }
    expect([pauses, server.requests()]).toEqual([[120, 60, 1], 0]);
    const row = await fixture.table.get(Outbox, { id: outboxId(event) });
    expect(row).toMatchObject({ state: "waiting", claimed_until: null });

    await fixture.table.write(put(Documents, anInvoice(order)));
    await onChangeOutbox({ Records: [aMessage({ id: outboxId(event) }, 7)] }, deps);
    const { Content } = JSON.parse(server.bodies[0] ?? "{}");
    expect(Content.Simple.Attachments).toMatchObject([
      {
        FileName: "invoice-FS-26-27-000123.pdf",
        RawContent: Buffer.from(`the file ${order.id}.pdf`).toString("base64"),
      },
    ]);
  });
});

describe("a copy of an order's mail for the shop", () => {
  const copyTo = "books@example.com";
  beforeAll(async () => {
    const value = { ...defaultSettings.email, order_copy_to: copyTo };
    await fixture.table.write(put(SettingsRows, { group: "email", value, version: 1 }));
  });

  test("is an event of its own, published before the buyer's mail is sent, and only once", async () => {
    const order = { ...aPlacedOrder(), id: newId("ord", new Date()) };
    const event = { type: "order_placed", order_id: order.id } as const;
    await fixture.table.transact([put(Orders, order), publishEvent(event, noon)]);
    const copy = { id: `order_copy#${order.id}` };
    const { deps, server } = await before(400, "MessageRejected");
    const sendPlaced = () =>
      onChangeOutbox({ Records: [aMessage({ id: outboxId(event) }, 2)] }, deps);

    await sendPlaced();
    expect(await fixture.table.get(Outbox, copy)).toMatchObject({ state: "waiting", attempts: 0 });
    const outbox = openOutbox(fixture.table);
    const claim = await outbox.claim(copy.id, noon);
    if (claim.kind === "claimed") await outbox.settle(claim.record, "sent", noon);
    await sendPlaced();
    expect(await fixture.table.get(Outbox, copy)).toMatchObject({ state: "sent" });
    expect(server.bodies).toHaveLength(2);
    for (const body of server.bodies) expect(body).not.toContain(copyTo);
  });

  test("is not sent once the order has ended", async () => {
    const order = { ...aPlacedOrder(), id: newId("ord", new Date()), status: "expired" as const };
    const event = { type: "order_copy", order_id: order.id } as const;
    await fixture.table.transact([put(Orders, order), publishEvent(event, noon)]);
    const { deps, server } = await before(400, "MessageRejected");
    await onChangeOutbox({ Records: [aMessage({ id: outboxId(event) })] }, deps);
    expect(server.requests()).toBe(0);
    const row = await fixture.table.get(Outbox, { id: outboxId(event) });
    expect(row).toMatchObject({ state: "given_up", reason: "stale" });
  });
});

test("logs of the outbox consumer contain no personal data and no token", async () => {
  const { id } = await anEvent();
  const temporary = await before(429, "TooManyRequestsException");
  await onChangeOutbox({ Records: [aMessage({ id })] }, temporary.deps);
  const final = await before(400, "BadRequestException");
  await onChangeOutbox({ Records: [aMessage({ id })] }, final.deps);
  const lines = [...temporary.lines, ...final.lines];
  expect(lines).toHaveLength(2);
  expect(lines.join()).not.toMatch(/asha|token-/i);
});

describe("the outbox's stream reader", () => {
  const row = { entity: "outbox", id: "verify_email#x", event: { token: "secret" } };
  const pk = "OUTBOX#verify_email#x";

  test("enqueues the id of a new event without its contents", () => {
    expect(messageTo("outbox", { pk, before: undefined, after: row })).toEqual({ id: row.id });
  });

  test("ignores later changes of the event, and other items", () => {
    expect(messageTo("outbox", { pk, before: row, after: row })).toBeUndefined();
    expect(messageTo("outbox", { pk, before: row, after: undefined })).toBeUndefined();
    const stock = { entity: "stock", id: "x" };
    expect(messageTo("outbox", { pk: "STOCK#x", before: undefined, after: stock })).toBeUndefined();
  });
});
