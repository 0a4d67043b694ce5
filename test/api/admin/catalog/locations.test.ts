import { aLocationBody } from "#test/support/back-office/sales.ts";
import { describe, expect, test } from "vitest";
import { type Location, mostLocations } from "#shared/domain/location/location.ts";
import type { Problem } from "#test/support/http/answers.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { staffAs } = await useShop({ effects: [] });

const path = "/admin/locations";

const editor = await staffAs("catalog_editor");

const add = (body: object) => editor.post<Data<Location> & Problem>(path, body);
const listed = async () => (await editor.get<Data<Location[]>>(`${path}?per_page=100`)).body.data;

describe("a location", () => {
  test("is created, listed, changed and deleted, which frees its code", async () => {
    const body = aLocationBody();
    const { status, body: created } = await add(body);
    expect([status, created.data]).toEqual([
      201,
      expect.objectContaining({
        code: body.code,
        sells: true,
        priority: 0,
        used: false,
        zones: [],
      }),
    ]);
    const { id } = created.data;
    expect((await listed()).map((each) => each.id)).toContain(id);
    const changed = await editor.patch<Data<Location>>(`${path}/${id}`, {
      code: `${body.code}-2`,
      address: { line1: "14, 100 Feet Road" },
    });
    expect(changed.body.data).toMatchObject({
      code: `${body.code}-2`,
      address: { line1: "14, 100 Feet Road", city: "Bengaluru" },
    });
    const next = await add(body);
    expect(next.status).toBe(201);
    for (const each of [id, next.body.data.id]) {
      expect((await editor.delete(`${path}/${each}`)).status).toBe(204);
    }
    expect((await add(body)).status).toBe(201);
  });

  test("has a code of its own, also after a change", async () => {
    const body = aLocationBody();
    expect((await add(body)).status).toBe(201);
    const other = await add(aLocationBody());
    const taken = await editor.patch<Problem>(`${path}/${other.body.data.id}`, { code: body.code });
    expect([taken.status, taken.body.code]).toEqual([409, "already_exists"]);
  });

  test("serves zones that the shop delivers to", async () => {
    expect((await add(aLocationBody({ zones: ["bengaluru"] }))).status).toBe(201);
    const { status, body } = await add(aLocationBody({ zones: ["bengaluru", "atlantis"] }));
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["zones.1"]]);
  });

  test("is one of thirty at most", async () => {
    let last = await add(aLocationBody());
    for (let count = 0; last.status === 201 && count < mostLocations; count++) {
      last = await add(aLocationBody());
    }
    expect([last.status, Object.keys(last.body.errors ?? {})]).toEqual([422, ["code"]]);
    expect(await listed()).toHaveLength(mostLocations);
  });
});
