// @module-tag emulator
// @module-tag slow
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SQSEvent } from "aws-lambda";
import { type Consumer, consumers as everyConsumer } from "#functions/consumers.ts";
import { families } from "#functions/families.ts";
import type { StaffChange } from "#shared/queues/queue-messages.ts";
import { importInto } from "#infra/cli/import.ts";
import { lambdaContext } from "#infra/local/functions/lambda.ts";
import { loadConsumer } from "#infra/local/functions/load-consumer.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import { armed, csvLine, csvLines } from "#shared/domain/base/csv.ts";
import type { ExportFormat } from "#shared/domain/export/export.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { settingsGroupNames } from "#shared/domain/settings/settings.ts";
import { PublishedProducts, Products } from "#shared/storage/catalog/catalog.ts";
import { PublishedPages, Pages } from "#shared/storage/content/content.ts";
import { listDuePublications } from "#shared/storage/content/due-publications.ts";
import { SettingsRows } from "#shared/storage/settings/settings.ts";
import { put } from "#shared/storage/writes.ts";
import { type JsonExport, exported, jsonOf } from "#test/support/back-office/exports.ts";
import { type World, worldOf, type StaffClient, staffClient } from "#test/support/people/people.ts";
import { aMessage } from "#test/support/emulators/queues.ts";
import { consumersOf } from "#test/support/stack/effects.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment } = await useShop({ effects: ["exports"] });

interface Place {
  readonly baseUrl: string;
  readonly world: World;
}
interface Shop extends Place, Stack {
  readonly owner: StaffClient;
}

// Two separate shops: one with part of the demo catalog and all of its content, and an empty one.
const folder = mkdtempSync(join(tmpdir(), "import-"));
let full: Shop;
let empty: Shop;
beforeAll(async () => {
  const demo: Place = { baseUrl: baseUrl, world: worldOf(environment) };
  [full, empty] = await Promise.all([aShop(demo.world), aShop(demo.world)]);
  const [products, words] = [await exportOf(demo, "catalog"), await exportOf(demo, "content")];
  const texts = jsonOf(words);
  for (const { record, data } of texts.records) {
    if (record === "home" || data["status"] === "draft")
      data["publish_at"] = "2099-01-01T00:00:00.000Z";
    if (record === "story") data["unpublish_at"] = "2099-02-01T00:00:00.000Z";
  }
  const catalog = jsonOf(products);
  const seen = new Map<string, number>();
  catalog.records = catalog.records.filter(({ record, data }) => {
    const number = (seen.get(record) ?? 0) + 1;
    seen.set(record, number);
    const isSellable = record === "product" || record === "sofa";
    if (isSellable && number === 1) data["unpublish_at"] = "2099-02-01T00:00:00.000Z";
    return !isSellable || number <= 4 || words.includes(String(data["id"]));
  });
  const file = saved("catalog.json", JSON.stringify(catalog));
  expect((await bringIn(full, "catalog", file, { apply: true })).problems).toEqual([]);
  await listForStaff(full, catalog.records);
  const textsFile = saved("words.json", JSON.stringify(texts));
  const content = await bringIn(full, "content", textsFile, { apply: true });
  expect(content.problems).toEqual([]);
});
afterAll(async () => {
  await Promise.all([full.stop(), empty.stop()]);
  rmSync(folder, { recursive: true });
});

/** @param like the shop whose settings are copied to the new one */
async function aShop(like: World): Promise<Shop> {
  const stack = await startStack({
    families: families.filter(({ name }) => name === "admin-exports" || name === "admin-content"),
    consumers: consumersOf(["exports"]),
  });
  const world = worldOf(stack.environment);
  const rows = settingsGroupNames.map((group) => like.table.get(SettingsRows, { group }));
  for (const row of await Promise.all(rows)) {
    if (row) await world.table.write(put(SettingsRows, row));
  }
  return { ...stack, world, owner: await staffClient(stack.baseUrl, world, "owner") };
}

function consumerNamed(name: string): Consumer {
  const consumer = everyConsumer.find((one) => one.name === name);
  if (!consumer) throw new Error(`There is no consumer ${name}`);
  return consumer;
}

/** Adds the records to a shop's staff index with one message, instead of one message per change. */
async function listForStaff({ environment }: Shop, records: JsonExport["records"]): Promise<void> {
  const changes = records.flatMap(({ record, data }): StaffChange[] =>
    record === "product" || record === "sofa" || record === "material"
      ? [{ kind: record, id: String(data["id"]) }]
      : [],
  );
  if (changes.length === 0) return;
  const view = await loadConsumer<SQSEvent>(consumerNamed("on-change-staff-index"), environment);
  await view.handler({ Records: [aMessage({ changes })] }, lambdaContext(view, "import"));
}

type Type = "catalog" | "content";

/** Writes an export to its own file. */
async function fileOf(shop: Shop, type: Type, format: ExportFormat = "json"): Promise<string> {
  return saved(`${randomUUID()}.${format}`, await exportOf(shop, type, format));
}

/** Uses a new caller, because a caller who repeats a request soon gets the same file again. */
async function exportOf({ baseUrl, world }: Place, type: Type, format: ExportFormat = "json") {
  const owner = await staffClient(baseUrl, world, "owner");
  return (await exported(owner, type, format)).file;
}

function saved(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const bringIn = (shop: Shop, type: Type, file: string, options: object = {}) =>
  importInto(shop.world.table, type, file, {
    apply: false,
    overwrite: false,
    now: new Date(),
    ...options,
  });

describe.each(["catalog", "content"] as const)("an export of the %s", (type) => {
  test.each(["json", "csv"] as const)(
    "as %s changes nothing if it is imported into the same shop",
    async (format) => {
      const { outcomes, problems } = await bringIn(full, type, await fileOf(full, type, format), {
        apply: true,
      });
      expect(problems).toEqual([]);
      expect(outcomes).toMatchObject({ created: 0, updated: 0, unchanged: expect.any(Number) });
      expect(outcomes.unchanged).toBeGreaterThan(5);
    },
  );

  test("is reproduced exactly after it is imported into an empty shop", async () => {
    const file = await fileOf(full, type);
    const rehearsed = await bringIn(empty, type, file);
    expect(rehearsed.problems).toEqual([]);
    const applied = await bringIn(empty, type, file, { apply: true });
    expect(applied).toEqual(rehearsed);
    await listForStaff(empty, jsonOf(readFileSync(file)).records);

    const [before, after] = await Promise.all(
      [full, empty].map(async (shop) => jsonOf(await exportOf(shop, type)).records),
    );
    expect(after).toEqual(before);
    const { outcomes } = await bringIn(empty, type, file);
    expect(outcomes).toMatchObject({ created: 0, updated: 0 });
  });
});

type Change = (data: Record<string, unknown>) => void;

/** An export with changed records. */
async function changedFile(name: string, type: Type, change: Record<string, Change>) {
  const document = jsonOf(await exportOf(full, type));
  for (const { record, data } of document.records) change[record]?.(data);
  return saved(name, JSON.stringify(document, null, 2));
}

/** A change that affects only the first record that it is called with. */
function once(change: Change): Change {
  let done = false;
  return (data) => {
    if (!done) change(data);
    done = true;
  };
}

test("an import schedules the publication times of its records", async () => {
  const kindsOf = async ({ world }: Shop) =>
    (await listDuePublications(world.table, new Date("2100-01-01"), 100))
      .map(({ kind, action, set_by }) => `${action} ${kind} by ${set_by}`)
      .toSorted();
  expect(new Set(await kindsOf(full))).toEqual(
    new Set([
      "publish homepage by import",
      "publish page by import",
      "unpublish product by import",
      "unpublish sofa by import",
      "unpublish story by import",
    ]),
  );
});

describe("an edited import file", () => {
  test("changes each edited record once, like a save by staff", async () => {
    let id = "";
    const file = await changedFile("renamed.json", "catalog", {
      product: once((data) => {
        id = String(data["id"]);
        data["name"] = "Renamed in a file";
        data["description_html"] = "<p>Fine.</p><script>alert(1)</script>";
      }),
    });
    const before = await full.world.table.get(Products, { id });
    expect((await bringIn(full, "catalog", file)).outcomes).toMatchObject({ updated: 1 });
    expect(await full.world.table.get(Products, { id })).toEqual(before);

    await bringIn(full, "catalog", file, { apply: true });
    const after = await full.world.table.get(Products, { id });
    expect(after).toMatchObject({
      name: "Renamed in a file",
      description_html: "<p>Fine.</p>",
      version: (before?.version ?? 0) + 1,
    });
    const published = await full.world.table.get(PublishedProducts, { slug: after?.slug ?? "" });
    expect(published?.name).toBe("Renamed in a file");
  });

  test("reports the errors of each row", async () => {
    const file = await changedFile("wrong.json", "catalog", {
      category: once((data) => (data["parent_id"] = data["id"])),
      product: once((data) => Object.assign(data, { category_slug: "nowhere", price: 5 })),
      sofa: once((data) => (data["base_price"] = -1)),
    });
    const { problems } = await bringIn(full, "catalog", file, { apply: true });
    expect(problems.map(({ record, path }) => [record, path])).toEqual([
      ["category", "parent_id"],
      ["product", "price"],
      ["sofa", "base_price"],
    ]);
    expect(problems[1]).toMatchObject({
      line: expect.any(Number),
      id: expect.stringMatching(/^prd_/),
      sentence: expect.stringMatching(/^The .+\.$/),
    });
  });

  test("reports a page's rail of a product that the shop does not have", async () => {
    const rail = {
      id: newId("sec", new Date()),
      type: "product_rail",
      data: { title: null, link: null, items: [{ kind: "product", id: newId("prd", new Date()) }] },
    };
    const file = await changedFile("rail.json", "content", {
      page: once((data) => (data["blocks"] = [rail])),
    });
    const { problems } = await bringIn(full, "content", file, { apply: true });
    expect(problems).toMatchObject([{ record: "page", path: "blocks.0.data.items.0.id" }]);
  });

  test("leaves what has no column as it is, but only with `--partial`, and needs the versions", async () => {
    const [head = [], ...rows] = Array.from(
      csvLines(readFileSync(await fileOf(full, "catalog", "csv"), "utf8")),
      ({ cells }) => cells,
    );
    function fileWith(name: string, ...columns: string[]): string {
      const kept = columns.map((column) => head.indexOf(column));
      const lines = [head, ...rows].map((cells) =>
        csvLine(kept.map((at) => armed(cells[at] ?? ""))),
      );
      return saved(name, lines.join("").replaceAll("Renamed in", "Named in"));
    }
    const columns = ["record", "id", "currency", "name", "badges"];
    const file = fileWith("few-columns.csv", "version", ...columns);
    await expect(bringIn(full, "catalog", file)).rejects.toThrow('lacks columns: "kind"');
    const { outcomes, problems } = await bringIn(full, "catalog", file, { partial: true });
    expect([problems, outcomes]).toMatchObject([[], { created: 0, updated: 1 }]);

    const unversioned = fileWith("no-versions.csv", ...columns);
    const refused = await bringIn(full, "catalog", unversioned, { partial: true });
    expect(refused.problems.map(({ path }) => path)).toEqual(rows.map(() => "version"));
    const options = { partial: true, overwrite: true };
    expect(await bringIn(full, "catalog", unversioned, options)).toEqual({ outcomes, problems });
  });

  test("does not replace later changes of any record of the catalog, whether it has the versions or not", async () => {
    const kinds = ["category", "material", "product", "sofa"];
    const old = jsonOf(await exportOf(full, "catalog"));
    const renaming = kinds.map((kind) => [kind, once((data) => (data["name"] = "Later name"))]);
    const later = await changedFile("later.json", "catalog", Object.fromEntries(renaming));
    const applied = await bringIn(full, "catalog", later, { apply: true });
    expect([applied.problems, applied.outcomes.updated]).toEqual([[], kinds.length]);

    const outdated = saved("outdated.json", JSON.stringify(old, null, 2));
    const refused = await bringIn(full, "catalog", outdated, { apply: true });
    expect(refused.problems.map(({ record, path }) => [record, path])).toEqual(
      kinds.map((kind) => [kind, "version"]),
    );
    for (const { data } of old.records) delete data["version"];
    const unversioned = saved("unversioned.json", JSON.stringify(old, null, 2));
    for (const partial of [false, true]) {
      const options = { apply: true, partial };
      const { problems } = await bringIn(full, "catalog", unversioned, options);
      expect(problems.map(({ path }) => path)).toEqual(old.records.map(() => "version"));
    }
    const options = { apply: true, overwrite: true };
    const { problems, outcomes } = await bringIn(full, "catalog", unversioned, options);
    expect([problems, outcomes.updated]).toEqual([[], kinds.length]);
  });

  test("of content needs the version of each record, unless it overwrites", async () => {
    const document = jsonOf(await exportOf(full, "content"));
    for (const { data } of document.records) delete data["version"];
    const file = saved("unversioned-content.json", JSON.stringify(document, null, 2));
    const refused = await bringIn(full, "content", file);
    expect(refused.problems.map(({ record, path }) => [record, path])).toEqual(
      document.records.map(({ record }) => [record, "version"]),
    );
    const { problems, outcomes } = await bringIn(full, "content", file, { overwrite: true });
    expect([problems, outcomes.unchanged]).toEqual([[], document.records.length]);
  });

  test.each(["catalog", "content"] as const)(
    "of the %s with one record twice is refused, naming both lines",
    async (type) => {
      const document = jsonOf(await exportOf(full, type));
      const { records } = document;
      const lines = new Map(records.map(({ record }, index) => [record, index + 1]));
      const count = records.length;
      for (const line of lines.values()) {
        const { record, data } = records[line - 1]!;
        records.push({ record, data: { ...data, name: "Another name" } });
      }
      const file = saved("twice.json", JSON.stringify(document, null, 2));
      const { problems } = await bringIn(full, type, file, { apply: true, overwrite: true });
      expect(problems.map(({ line, record, sentence }) => [line, record, sentence])).toEqual(
        [...lines].map(([record, line], index) => [
          count + index + 1,
          record,
          `Lines ${line} and ${count + index + 1} have the same record. Remove one of them.`,
        ]),
      );
      const again = await bringIn(full, type, await fileOf(full, type));
      expect(again.outcomes).toMatchObject({ created: 0, updated: 0 });
    },
  );

  test("does not replace later changes by staff without `--overwrite`", async () => {
    const old = await fileOf(full, "content");
    const { body } = await full.owner.get<{ data: { version: number } }>("/admin/menus");
    const menus = { header: [], footer: [], mobile: [], legal: [] };
    await full.owner.put("/admin/menus", menus, { "if-match": `"v${body.data.version}"` });

    const refused = await bringIn(full, "content", old, { apply: true });
    expect(refused.problems).toMatchObject([{ record: "menus", path: "version" }]);
    const won = await bringIn(full, "content", old, { apply: true, overwrite: true });
    expect(won.outcomes).toMatchObject({ created: 0, updated: 1 });
  });

  test("imports both published copy and draft", async () => {
    const { body } = await full.owner.get<{ data: { id: string; published: object | null }[] }>(
      "/admin/pages",
    );
    const page = body.data.find(({ published }) => published !== null);
    await full.owner.patch(`/admin/pages/${page?.id}`, { title: "Not yet to be seen" });
    const file = await fileOf(full, "content");
    expect((await bringIn(full, "content", file)).outcomes).toMatchObject({ updated: 0 });

    const result = await bringIn(empty, "content", file, { apply: true });
    expect(result.problems).toEqual([]);
    const [there, here] = await Promise.all(
      [full, empty].map(({ world }) => world.table.get(Pages, { id: page?.id ?? "" })),
    );
    expect(here).toMatchObject({ title: "Not yet to be seen", slug: there?.slug });
    const published = await empty.world.table.get(PublishedPages, {
      slug: there?.published?.slug ?? "",
    });
    expect(published?.title).not.toBe("Not yet to be seen");
  });
});
