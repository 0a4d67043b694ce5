// @module-tag slow
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { messageTo } from "#functions/on-change/stream/effects.ts";
import { importInto } from "#infra/cli/import.ts";
import { exportedAt } from "#infra/cli/import/read-rows.ts";
import { demoShop } from "#infra/local/demo/demo-shop.ts";
import { fileAt, readExport } from "#infra/local/demo/exported.ts";
import { plantDemoData } from "#infra/local/demo/plant.ts";
import { exportedRecords } from "#shared/domain/export/exported-records.ts";
import { distinctUses } from "#shared/domain/upload/media-item.ts";
import { settingsGroupNames } from "#shared/domain/settings/settings.ts";
import { openPublishedCatalog } from "#shared/storage/catalog/catalog.ts";
import {
  HomeVersions,
  PageVersions,
  StoryVersions,
} from "#shared/storage/content/content-edits.ts";
import { openPublishedContent } from "#shared/storage/content/content.ts";
import { everyOrder } from "#shared/storage/order/order-lists.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

const now = new Date("2026-11-21T09:00:00.000Z");

test("seeding fills an empty table once, keeps drafts hidden, and is refused the second time", async () => {
  const { table, stop, proxy } = await startTestTable();
  onTestFinished(stop);
  const media = new Map<string, string>();
  const ground = {
    table,
    now,
    async putMedia(key: string, bytes: Uint8Array, contentType: string) {
      media.set(key, `${contentType} ${bytes.length}`);
    },
  };
  const { calls } = await proxy.record(() => plantDemoData(ground));
  // More concurrent calls would overload DynamoDB Local on a busy machine.
  const writes = calls.filter(({ operation }) => operation === "TransactWriteItems");
  expect(Math.max(...writes.map(({ partitions }) => partitions.length))).toBeLessThanOrEqual(100);
  for (const { arrivedAt } of writes) {
    const underWay = writes.filter(
      (other) => other.arrivedAt <= arrivedAt && other.answeredAt > arrivedAt,
    );
    expect(underWay.length).toBeLessThanOrEqual(2);
  }

  const shop = await demoShop(now);
  const catalog = openPublishedCatalog(table);
  const content = openPublishedContent(table);
  const found = await catalog.findProductWithStock("hampi-dining-table", []);
  expect(found?.product.category_path.map(({ slug }) => slug)).toEqual(["dining-tables", "tables"]);
  expect(found?.stock).toHaveLength(6);
  const sofa = await catalog.findSofa("saanjh-sofa");
  expect(sofa?.name).toBe("Saanjh Sofa");
  expect(await content.home()).toEqual(shop.home);
  expect(await content.findPage("shipping")).toBeDefined();
  expect(await content.findPage("about")).toBeUndefined();
  const { records: orders } = await everyOrder(table, { limit: 100, after: undefined });
  expect(new Set(orders.map(({ status }) => status))).toEqual(
    new Set([
      "confirmed",
      "pending_payment",
      "cancelled",
      "in_production",
      "ready_to_dispatch",
      "shipped",
      "delivered",
      "completed",
    ]),
  );
  const parts = orders.filter(({ deposit }) => deposit !== null);
  expect(parts.map(({ paid, deposit }) => paid === deposit?.amount)).toEqual([true, true]);
  expect(parts.filter(({ deposit }) => deposit?.due_at != null)).toHaveLength(1);
  const slots = orders.flatMap(({ slot, status }) =>
    slot ? `${slot.date} ${slot.window}: ${status}` : [],
  );
  expect(slots.toSorted()).toEqual([
    "2026-11-17 morning: delivered",
    "2026-11-27 morning: ready_to_dispatch",
    "2026-11-28 afternoon: confirmed",
    "2026-11-28 morning: confirmed",
  ]);
  const sofas = orders.flatMap(({ items }) => items.filter(({ kind }) => kind === "sofa"));
  expect(sofas.length).toBeGreaterThan(0);
  for (const { choices } of sofas)
    expect(choices[0]).toMatchObject({ option: "size", label: "Size" });
  expect(await readSettings(table, settingsGroupNames)).toEqual(shop.settings);
  expect(media).toEqual(
    new Map(
      shop.media
        .flatMap((item) => [item, ...item.variants])
        .map(({ url, content_type, bytes }) => [
          (url ?? "").replace("media://", ""),
          `${content_type} ${bytes}`,
        ]),
    ),
  );

  await expect(plantDemoData(ground)).rejects.toThrow("holds a shop already");
});

let planted: TestTable;
beforeAll(async () => {
  planted = await startTestTable();
  await plantDemoData({ table: planted.table, now, putMedia: async () => undefined });
});
afterAll(() => planted.stop());

/** Every text and number of an item. */
const valuesOf = (value: unknown): unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(valuesOf) : [value];

/** The time that a stored value means, in ms: a timestamp, or seconds since 1970; undefined for other values. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value))
    return Date.parse(value);
  const inSeconds = typeof value === "number" && value > 1.5e9 && value < 3e9;
  return inSeconds ? value * 1000 : undefined;
}

test("nothing that is planted ends or is due within two days, because the shop is copied for one", async () => {
  const ahead = (await planted.items()).flatMap((item) =>
    valuesOf(item)
      .map((value) => (timeOf(value) ?? 0) - now.getTime())
      .filter((ms) => ms > 0)
      .map((ms) => ({ pk: item["pk"], hours: ms / 3_600_000 })),
  );
  expect(ahead.length).toBeGreaterThan(10);
  expect(ahead.filter(({ hours }) => hours <= 48)).toEqual([]);
});

test("the export of the media library names exactly the planted records that show each file", async () => {
  const uses = (await planted.items()).flatMap((item) => {
    const change = { pk: String(item["pk"]), before: undefined, after: item };
    const shown = messageTo("mediaUses", change);
    return shown && "media" in shown ? shown.media.map((id) => ({ id, use: shown.shown_by })) : [];
  });
  const byId = Map.groupBy(uses, ({ id }) => id);
  const { records } = await readExport("media", exportedRecords.media);
  expect(records.media.length).toBeGreaterThan(300);
  for (const { id, filename, used_in } of records.media) {
    expect(used_in, filename).toEqual(distinctUses(byId.get(id)?.map(({ use }) => use) ?? []));
  }
});

test(
  "importing the demo shop's own export into the planted shop changes nothing",
  { tags: "slow" },
  async () => {
    const options = { apply: true, overwrite: false, now };
    for (const part of ["catalog", "content"] as const) {
      const file = fileAt(`${part}.json`);
      // The announcement's times are content, so only a shop that was planted at the time of the export has the same.
      expect(await exportedAt(file)).toEqual(now);
      const { outcomes, problems } = await importInto(planted.table, part, file, options);
      expect(problems).toEqual([]);
      expect(outcomes).toMatchObject({ created: 0, updated: 0 });
      expect(outcomes.unchanged).toBeGreaterThan(15);
    }
  },
);

test("the demo homepage, a published demo page and a demo story each have a stored version", async () => {
  const { table } = planted;
  const shop = await demoShop(now);
  const page = shop.pages.find(({ status }) => status === "published")!;
  const story = shop.stories[0]!;
  const editor = { published_by: expect.stringMatching(/^stf_/) as string };
  expect(await table.get(HomeVersions, shop.home)).toMatchObject({
    ...editor,
    content: { sections: shop.home.sections },
  });
  const { title } = page;
  expect(await table.get(PageVersions, page)).toMatchObject({ ...editor, content: { title } });
  expect(await table.get(StoryVersions, story)).toMatchObject(editor);
});
