import { beforeAll, expect, test } from "vitest";
import { exportedParts as parts } from "#shared/domain/export/export.ts";
import type { ExportedOrder } from "#shared/domain/export/exported-records.ts";
import { Activities } from "#shared/storage/staff/activity.ts";
import { type Data, aProductBody } from "#test/support/back-office/catalog.ts";
import {
  type ExportAnswer,
  csvOf,
  exported,
  filesOf,
  jsonOf,
} from "#test/support/back-office/exports.ts";
import { StoredReturns } from "#shared/storage/order/orders.ts";
import { put } from "#shared/storage/writes.ts";
import { aReturn } from "#test/support/shop/order-record.ts";
import { orderDesk } from "#test/support/back-office/orders.ts";
import { aLocationBody, beginQuote } from "#test/support/back-office/sales.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { expectAfter } from "#test/support/stack/clock.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, world, staffAs } = await useShop({
  effects: ["exports", "staff-index"],
});

const somebody = () => staffAs("owner");
let owner: StaffClient;
beforeAll(async () => {
  owner = await somebody();
});

test.each(parts)(
  "exporting %s as JSON states the record count, the file size and a correct checksum",
  async (type) => {
    const { file, records } = await exported(owner, type);
    const json = jsonOf(file);
    expect(json).toMatchObject({ type, version: 1, exported_at: expect.any(String) });
    expect(json.records).toHaveLength(records);
  },
);

test.each(parts)("exporting %s as CSV writes a file with a UTF-8 byte order mark", async (type) => {
  const { file, records } = await exported(owner, type, "csv");
  expect(file.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  expect(csvOf(file).length).toBeGreaterThanOrEqual(records);
});

test("exporting everything (`full`) returns a zip of all other exports with a manifest", async () => {
  const { file, records } = await exported(owner, "full");
  const files = filesOf(file);
  const manifest = JSON.parse(files.get("manifest.json")?.toString() ?? "{}");
  const names = parts.map((type) => `${type}.json`);
  expect([...files.keys()].toSorted()).toEqual([...names, "manifest.json"].toSorted());
  expect(manifest).toMatchObject({ type: "full", format: "json", version: 1 });
  let sum = 0;
  for (const { part, name, bytes, records: held } of manifest.files) {
    expect(files.get(name)?.byteLength).toBe(bytes);
    expect(jsonOf(files.get(name)!)).toMatchObject({ type: part, records: { length: held } });
    sum += held;
  }
  const kinds = jsonOf(files.get("catalog.json")!).records.map(({ record }) => record);
  expect([...new Set(kinds)]).toEqual(["category", "material", "product", "sofa"]);
  expect(records).toBe(sum);
});

test("the download link of an export is valid for 15 minutes and sets the file name", async () => {
  const before = new Date();
  const { body } = await owner.get<Data<ExportAnswer>>("/admin/exports/settings?format=csv");
  const { url, expires_at } = body.data;
  expectAfter(expires_at, before, 15 * 60_000);
  expect(new URL(url).searchParams.get("X-Amz-Expires")).toBe("900");
  expect(new URL(url).searchParams.get("response-content-disposition")).toMatch(
    /^attachment; filename="settings-\d{4}-\d{2}-\d{2}\.csv"$/,
  );
});

test("an unknown export type or format is refused", async () => {
  expect((await owner.get("/admin/exports/secrets")).status).toBe(404);
  const xml = await owner.get<Problem>("/admin/exports/orders?format=xml");
  expect([xml.status, Object.keys(xml.body.errors ?? {})]).toEqual([422, ["format"]]);
});

test("concurrent requests of one caller share one export, which is logged once; another caller's request starts a separate export", async () => {
  const [one, other] = [await somebody(), await somebody()];
  const links = await Promise.all(
    [one, one, one, one, other].map(async (staff) => new URL((await exported(staff, "media")).url)),
  );
  const runs = links.map(({ pathname }) => pathname);
  expect(new Set(runs.slice(0, 4)).size).toBe(1);
  expect(runs[4]).not.toBe(runs[0]);

  const { records } = await world.table.page(Activities, {
    index: "gsi2",
    partition: `ACTIVITY#${one.id}`,
  });
  expect(records).toMatchObject([
    { action: "export.run", target: { kind: "export", label: "media.json" } },
  ]);
});

test("an exported order contains its amounts, lines, payments and history", async () => {
  const desk = orderDesk(baseUrl, environment);
  const order = await desk.placePaid();
  const found = aReturn({ order_id: order.id });
  await desk.table.write(put(StoredReturns, found));
  const { file } = await exported(await somebody(), "orders");
  const row = jsonOf<ExportedOrder>(file).records.find(({ data }) => data.id === order.id)?.data;
  const { order: stored, rows } = await order.read();
  expect(row).toMatchObject({
    number: order.number,
    totals: { grand_total: order.total, paid: order.total, refunded: 0, due: 0 },
    items: [{ id: order.line, line_total: order.lineTotal }],
    transactions: [{ type: "charge", state: "succeeded", amount: order.total }],
    returns: [{ id: found.id, status: "requested" }],
  });
  expect(row?.timeline).toHaveLength(rows.timeline.length);
  expect(row?.status).toBe(stored.status);
});

test("an exported order says by which channel, where and by whom it was sold", async () => {
  const clerk = await staffAs("order_desk");
  const { code: location, ...showroom } = aLocationBody();
  const saved = await owner.post("/admin/locations", { code: location, ...showroom });
  expect(saved.status, saved.text).toBe(201);
  const { product } = await plantProduct(world.table, { units: 5 });
  const items = [{ product: product.slug, quantity: 1 }];
  const quote = await beginQuote(clerk, { items, channel: "showroom", location });
  const path = `/admin/quotes/${quote.id}/place`;
  const placed = await clerk.post<Data<{ order: { id: string } }>>(path, {
    payment: { method: "bank_transfer", tender: "cash" },
  });
  expect(placed.status, placed.text).toBe(201);
  const { id } = placed.body.data.order;
  const sale = { channel: "showroom", location, sold_by: clerk.id };
  const json = await exported(await somebody(), "orders");
  const { records } = jsonOf<ExportedOrder>(json.file);
  expect(records.find(({ data }) => data.id === id)?.data).toMatchObject(sale);
  const lines = csvOf((await exported(await somebody(), "orders", "csv")).file);
  expect(lines.filter(({ order_id }) => order_id === id)).toMatchObject([
    { ...sale, currency: quote.currency },
  ]);
});

test("a CSV cell that a spreadsheet would run as a formula is escaped", async () => {
  const name = '=HYPERLINK("https://bad.example","Free")';
  const body = aProductBody({ name, status: "draft" });
  const { data } = (await owner.post<Data<{ id: string }>>("/admin/products", body)).body;
  // The export reads the staff index, which is updated with a short delay.
  const line = async () => {
    const { file } = await exported(await somebody(), "catalog", "csv");
    return file.toString("utf8").split(data.id)[1]?.slice(0, 2_000) ?? "";
  };
  const harmless = `"'=HYPERLINK(""https://bad.example"",""Free"")"`;
  await waitFor("staff-index", async () => expect(await line()).toContain(harmless), {
    interval: 100,
  });
});
