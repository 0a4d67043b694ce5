import { expect, test } from "vitest";
import * as z from "zod";
import type { PublishedMaterial, Material } from "#shared/domain/catalog/material.ts";
import { type InventoryRow, AdminMaterialRow } from "#shared/domain/listing/admin-rows.ts";
import { type Data, aMaterialBody, soonListed } from "#test/support/back-office/catalog.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, staffAs } = await useShop({ effects: ["catalog-index", "staff-index"] });

const shopper = clientOf(baseUrl);
const staff = await staffAs("catalog_editor");

async function created(overrides: Record<string, unknown> = {}): Promise<Material> {
  const reply = await staff.post<Data<Material>>("/admin/materials", aMaterialBody(overrides));
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return reply.body.data;
}
const pathOf = ({ id }: { id: string }) => `/admin/materials/${id}`;
const publicCodes = ({ body }: { body: { data: PublishedMaterial[] } }) =>
  body.data.map(({ code }) => code);

test("a material is visible to staff as a draft, and to the public only while it is published", async () => {
  const material = await created();
  const list = "/sofas/materials?per_page=100";
  await soonListed<{ data: AdminMaterialRow[] }>(
    "staff-index",
    staff,
    `/admin/materials?status=draft&type=fabric&q=${material.code}`,
    ({ body }) => expect(body.data[0]).toMatchObject({ id: material.id, code: material.code }),
  );
  expect(publicCodes(await shopper.get(list))).not.toContain(material.code);
  const listed = await staff.get<{ data: unknown[] }>("/admin/materials");
  // The schema declares the media key of the swatch's picture, but the response contains the picture's URL.
  const Row = z.strictObject({ ...AdminMaterialRow.shape, swatch: z.unknown() });
  for (const row of listed.body.data) expect(Row.parse(row)).toEqual(row);

  await staff.patch(pathOf(material), { status: "published" });
  await soonListed<{ data: PublishedMaterial[] }>("catalog-index", shopper, list, ({ body }) =>
    expect(body.data.find(({ code }) => code === material.code)).toMatchObject({
      usage_band: "heavy_domestic",
    }),
  );
  await staff.patch(pathOf(material), { status: "draft" });
  await soonListed<{ data: PublishedMaterial[] }>("catalog-index", shopper, list, (reply) =>
    expect(publicCodes(reply)).not.toContain(material.code),
  );
  // A material that was ever published is archived instead of deleted.
  await staff.delete(pathOf(material));
  expect((await staff.get<Data<Material>>(pathOf(material))).body.data.status).toBe("archived");
});

test("a material's code is unique and cannot change", async () => {
  const material = await created();
  const twin = await staff.post<Problem>(
    "/admin/materials",
    aMaterialBody({ code: material.code }),
  );
  expect([twin.status, twin.body.code]).toEqual([409, "already_exists"]);
  const renamed = await staff.patch<Problem>(pathOf(material), { code: `new-${material.code}` });
  expect([renamed.status, Object.keys(renamed.body.errors ?? {})]).toEqual([422, ["code"]]);
});

test("the swatch of a material has its own SKU in the inventory", async () => {
  const material = await created();
  const sku = material.swatch.sku ?? "";
  await soonListed<{ data: InventoryRow[] }>(
    "staff-index",
    staff,
    `/admin/inventory?q=${sku}`,
    ({ body }) =>
      expect(body.data[0]).toMatchObject({
        sku,
        product: { kind: "material", id: material.id },
        variant: null,
        on_hand: 0,
      }),
  );
  expect((await staff.delete(pathOf(material))).status).toBe(204);
  expect((await staff.get(pathOf(material))).status).toBe(404);
  await created({ swatch: material.swatch });
});
