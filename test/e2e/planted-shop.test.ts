// @module-tag emulator
// @module-tag slow
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { sourceFunctions } from "#infra/local/functions/load-function.ts";
import { plantedShop, plantedTable } from "#infra/local/planting/planted-shop.ts";
import { seedIfEmpty } from "#infra/local/planting/seed-if-empty.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import { openSecrets } from "#shared/storage/settings/secrets.ts";
import { openTable } from "#shared/storage/table.ts";
import { openKeys } from "#shared/runtime/key-rings.ts";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import { clientOf } from "#test/support/http/client.ts";
import { bearer } from "#test/support/people/members.ts";
import { signedIn, worldOf } from "#test/support/people/people.ts";

/** Everything but what runs by a schedule, which writes to a copy as it does to any shop. */
const onChange = consumers.filter(({ source }) => source.kind !== "schedule");
/** The names of the consumers that the copy has invoked. */
const invoked: string[] = [];
const functions = {
  ...sourceFunctions,
  async consumer(...[consumer, environment]: Parameters<typeof sourceFunctions.consumer>) {
    const loaded = await sourceFunctions.consumer(consumer, environment);
    return {
      ...loaded,
      async handler(...call: Parameters<typeof loaded.handler>) {
        invoked.push(consumer.name);
        return loaded.handler(...call);
      },
    };
  },
};

let copy: Stack;
let planted: Stack;
beforeAll(async () => {
  copy = await startStack({ shop: "planted", consumers: onChange, functions });
  planted = await startStack({ seed: seedIfEmpty, consumers: onChange });
  await planted.settled();
});
afterAll(async () => {
  await copy.stop();
  await planted.stop();
});

/** A response's body, without what differs from start to start: the address, and times relative to it. */
async function answer({ baseUrl, environment }: Stack, path: string, headers = {}) {
  const { status, body } = await clientOf(baseUrl).get<unknown>(path, headers);
  const text = JSON.stringify(body)
    .replaceAll(environment.MEDIA_BASE_URL, "media:/")
    .replaceAll(baseUrl, "")
    .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"a time"');
  return { status, body: JSON.parse(text) as { data: unknown[] } };
}

describe("a stack that starts from a copy of the planted shop", () => {
  test("has nothing left to do: no consumer is invoked, so no index is written", async () => {
    await copy.settled();
    expect(invoked).toEqual([]);
  });

  test.each([
    "/products?per_page=100&include=facets",
    "/sofas?include=facets",
    "/sofas/materials",
    "/search?q=oat+chair",
    "/search?q=veranda",
    "/search/suggest?q=sof",
    "/products/kaveri-lounge-chair",
    "/products/kaveri-lounge-chair/related",
    "/home",
    "/interiors",
  ])("answers GET %s as the shop that was planted for one stack does", async (path) => {
    const expected = await answer(planted, path);
    expect(expected.status).toBe(200);
    expect(await answer(copy, path)).toEqual(expected);
  });

  test.each([
    "/admin/products?per_page=100",
    "/admin/sofas",
    "/admin/materials",
    "/admin/inventory",
    "/admin/orders",
    "/admin/leads",
    "/admin/media",
  ])("answers staff's GET %s as the shop that was planted for one stack does", async (path) => {
    const from = async (stack: Stack) => {
      const { token } = await signedIn(worldOf(stack.environment), "staff");
      return answer(stack, path, bearer(token));
    };
    const expected = await from(planted);
    expect(expected.body.data.length).toBeGreaterThan(0);
    expect(await from(copy)).toEqual(expected);
  });

  test("shows cards whose pictures it serves", async () => {
    const { body } = await clientOf(copy.baseUrl).get<{ data: { image: { url: string } }[] }>(
      "/products?per_page=3",
    );
    for (const { image } of body.data) {
      expect(image.url.startsWith(`${copy.environment.MEDIA_BASE_URL}/`)).toBe(true);
      const picture = await fetch(image.url);
      expect(picture.status).toBe(200);
      expect(await picture.text()).toContain("<svg");
    }
  });

  test("can read the secrets of the emulators", async () => {
    const { TABLE_NAME: name, DYNAMODB_ENDPOINT: endpoint, SETTINGS_KEYS: keys } = copy.environment;
    const table = openTable({ name, endpoint });
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const secrets = openSecrets({ table, keys: openKeys({ keys, secret: undefined }), log });
    expect(await secrets.reveal("payments", "gateway.secret_key")).toBe(emulatorKeys.secretKey);
  });

  test("has signing keys of its own", () => {
    expect(copy.environment.STAFF_TOKEN_KEYS).not.toBe(planted.environment.STAFF_TOKEN_KEYS);
  });
});

describe("a DATA_DIR", () => {
  test("that is empty receives a copy, and keeps what is written to it", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "data-dir-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const options = { dataDir, tableName: plantedTable, shop: "planted", consumers: [] } as const;
    const first = await startStack(options);
    const { token } = await signedIn(worldOf(first.environment), "staff");
    const page = {
      title: "Kept",
      slug: "kept",
      blocks: [{ type: "rich_text", data: { html: "<p>Kept</p>" } }],
    };
    const made = await clientOf(first.baseUrl).post<{ data: { id: string } }>(
      "/admin/pages",
      page,
      bearer(token),
    );
    expect(made.status).toBe(201);
    await first.stop();

    const second = await startStack(options);
    onTestFinished(second.stop);
    const path = `/admin/pages/${made.body.data.id}`;
    const { status } = await clientOf(second.baseUrl).get(path, bearer(token));
    expect(status).toBe(200);
  });
});

test("the planted shop is complete when it exists, and each stack deletes its own copy", async () => {
  const shop = await plantedShop();
  expect(readdirSync(shop).toSorted()).toEqual([
    "dynamodb.sqlite",
    "items.jsonl",
    "objects",
    "on-change-stream.checkpoint.json",
    "settings-keys.json",
  ]);
  expect(await Promise.all([plantedShop(), plantedShop()])).toEqual([shop, shop]);
  expect(existsSync(join(shop, "token-keys.json"))).toBe(false);
});
