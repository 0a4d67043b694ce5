import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoredCartLine } from "#shared/domain/cart/cart.ts";
import { newFabricUpload } from "#shared/domain/upload/fabric-upload.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { FabricUploads } from "#shared/storage/upload/fabric-uploads.ts";
import {
  holdUpload,
  holdUploadUntil,
  keepUpload,
  renewPictures,
  staysUntil,
} from "#shared/storage/enquiry/upload-holds.ts";
import { Refused, type Write, put } from "#shared/storage/writes.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
beforeAll(async () => {
  fixture = await startTestTable();
});
afterAll(() => fixture.stop());

const now = new Date("2026-05-01T12:00:00.000Z");
const later = (ms: number) => new Date(now.getTime() + ms).toISOString();
const until = later(60 * 86_400_000);

async function anUpload(expires_at: string | null, status: "ready" | "pending" = "ready") {
  const asked = { filename: "sofa.jpg", content_type: "image/jpeg", size: 10 } as const;
  const upload = { ...newFabricUpload(asked, { id: newId("upl", now), now }), status, expires_at };
  await fixture.table.write(put(FabricUploads, upload));
  return upload.id;
}

async function failureOf(write: Write): Promise<Record<string, unknown> | undefined | null> {
  try {
    await fixture.table.write(write);
    return null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.failures[0]?.conflictingItem;
  }
}

const aSofaLine = (overrides: { upload_ids: string[] }): StoredCartLine => ({
  kind: "sofa",
  id: newId("line", now),
  quantity: 1,
  unit_price: 100,
  sofa_id: newId("sofa", now),
  slug: "kochi-sofa",
  configuration: {},
  configuration_id: "cfg",
  material_codes: [],
  note: null,
  ...overrides,
});

const expiryOf = async (id: string) => (await fixture.table.get(FabricUploads, { id }))?.expires_at;

describe("an upload in a cart", () => {
  test("expires exactly when the hold of the cart ends", async () => {
    const id = await anUpload(later(1));
    expect(await failureOf(holdUploadUntil(id, until, now))).toBeNull();
    expect(await expiryOf(id)).toBe(until);
    const found = await failureOf(holdUploadUntil(id, later(1), now));
    expect(found?.["ttl"]).toBe(Date.parse(until) / 1000);
  });

  test.each([
    ["expires at this moment", later(0), "ready" as const],
    ["is not processed yet", later(1_000), "pending" as const],
  ])("cannot be held if it %s", async (_, expires_at, status) => {
    const id = await anUpload(expires_at, status);
    const found = await failureOf(holdUploadUntil(id, until, now));
    expect(staysUntil(found ?? undefined, until)).toBe(false);
    expect(await expiryOf(id)).toBe(expires_at);
  });

  test("cannot be held if it does not exist", async () => {
    const found = await failureOf(holdUploadUntil(newId("upl", now), until, now));
    expect(found).toBeUndefined();
    expect(staysUntil(undefined, until)).toBe(false);
  });

  test.each([
    ["permanently", null],
    ["longer", later(90 * 86_400_000)],
    ["as long", until],
  ])("keeps its expiry if another hold keeps it %s", async (_, expires_at) => {
    const id = await anUpload(expires_at);
    const found = await failureOf(holdUploadUntil(id, until, now));
    expect(staysUntil(found ?? undefined, until)).toBe(true);
    expect(await expiryOf(id)).toBe(expires_at);
  });

  test("never expires once a quote or an order holds it", async () => {
    const [quoted, ordered] = [await anUpload(until), await anUpload(until)];
    await fixture.table.write(holdUpload(quoted, now));
    await fixture.table.write(keepUpload(ordered));
    expect([await expiryOf(quoted), await expiryOf(ordered)]).toEqual([null, null]);
    expect(await failureOf(holdUploadUntil(ordered, until, now))).not.toHaveProperty("ttl");
  });
});

describe("saving a cart again", () => {
  const lifetimeDays = 60;
  const context = { lifetimeDays, now };
  const cartOf = (updated_at: string, ...upload_ids: string[]) => ({
    updated_at,
    lines: [aSofaLine({ upload_ids })],
  });
  const renewed = new Date(now.getTime() + 2 * lifetimeDays * 86_400_000).toISOString();

  test("holds its pictures for twice the cart's lifetime from then on", async () => {
    const id = await anUpload(until);
    await renewPictures(fixture.table, cartOf(later(-86_400_000), id), context);
    expect(await expiryOf(id)).toBe(renewed);
  });

  test("does not extend the hold of its pictures if the last write was on the same day, or if this write holds them anyway", async () => {
    const id = await anUpload(until);
    await renewPictures(fixture.table, cartOf(later(-1_000), id), context);
    const held = new Set([id]);
    await renewPictures(fixture.table, cartOf(later(-86_400_000), id), { ...context, held });
    expect(await expiryOf(id)).toBe(until);
  });

  test("does not change pictures that another record holds longer, or that have expired", async () => {
    const [kept, gone] = [await anUpload(null), newId("upl", now)];
    await renewPictures(fixture.table, cartOf(later(-86_400_000), kept, gone), context);
    expect([await expiryOf(kept), await expiryOf(gone)]).toEqual([null, undefined]);
  });
});
