import { expect, test } from "vitest";
import type { TrackedOrder } from "#shared/domain/order/order.ts";
import { PublishedMaterials, Stocks } from "#shared/storage/catalog/catalog.ts";
import { put } from "#shared/storage/writes.ts";
import { clientOf } from "#test/support/http/client.ts";
import { aStockRow } from "#test/support/shop/commerce.ts";
import { plantSofa, tableOf } from "#test/support/shop/plant.ts";
import { aShopper, type Data } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment } = await useShop();

const table = tableOf(environment);

test("cart, order and tracking contain the picture and link of a swatch", async () => {
  const { material } = await plantSofa(table);
  const sku = `SWT-${material.code.toUpperCase()}`;
  const swatch = { ...material.swatch, sku, price: 9_900 };
  const owner = { kind: "swatch", id: material.id, slug: material.code, variant_id: null } as const;
  await table.transact([
    put(PublishedMaterials, { ...material, swatch }),
    put(Stocks, aStockRow({ sku, owner })),
  ]);
  const shown = {
    kind: "swatch",
    slug: null,
    material_code: material.code,
    choices: [],
    name: `${material.name}, sample`,
    image: {
      url: swatch.url.replace("media://", `${environment.MEDIA_BASE_URL}/`),
      alt: material.name,
      width: expect.any(Number),
      height: expect.any(Number),
    },
  };
  const { cart, checkOut } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  expect(cart.items).toMatchObject([shown]);
  const { order } = (await checkOut()).body.data;
  expect(order.items).toMatchObject([shown]);
  const tracked = await clientOf(baseUrl).get<Data<TrackedOrder>>(`/orders/track/${order.number}`);
  expect(tracked.body.data.items).toEqual([{ ...shown, quantity: 1 }]);
});
