import { describe, expect, test } from "vitest";
import { newId } from "#shared/domain/base/ids.ts";
import type { Card, Facet } from "#shared/domain/catalog/card.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { put } from "#shared/storage/writes.ts";
import { mark, soonListed } from "#test/support/back-office/catalog.ts";
import { clientOf } from "#test/support/http/client.ts";
import { plantProduct, tableOf } from "#test/support/shop/plant.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment } = await useShop({ effects: ["catalog-index"] });

interface CardList {
  data: Card[];
  meta: { facets?: Facet[]; price_range?: unknown };
}

describe("a product of which one variant is sold out", () => {
  const shopper = clientOf(baseUrl);
  const table = tableOf(environment);

  /** A chair in red for 50,000, sold out, and in blue for 10,000. */
  async function plantChair() {
    const tag = `tag-${mark()}`;
    const values = (["red", "blue"] as const).map((code) => ({
      code,
      label: code,
      swatch: { hex: null, image: null, color_group: code },
    }));
    const { variants } = (await plantProduct(table)).product;
    const variantIn = (color: string, price: number) => ({
      ...variants[0]!,
      id: newId("var", new Date()),
      sku: `${tag}-${color}`.toUpperCase(),
      options: { color },
      price,
      compare_at_price: null,
    });
    const { product } = await plantProduct(table, {
      tags: [tag],
      options: [{ code: "color", label: "Colour", values }],
      variants: [variantIn("red", 50_000), variantIn("blue", 10_000)],
    });
    const [red, blue] = product.variants;
    const setStock = async (id: string, units: number) => {
      const row = (await table.get(Stocks, { id }))!;
      await table.write(put(Stocks, { ...row, on_hand: units, available: units }));
    };
    await setStock(red!.id, 0);
    const shows = (query: string, check: (list: CardList) => void) =>
      soonListed<CardList>("catalog-index", shopper, `/products?tag=${tag}${query}`, ({ body }) =>
        check(body),
      );
    return { red: red!, blue: blue!, setStock, shows };
  }

  test("answers colour, stock and price only where one variant answers them all", async () => {
    const { red, blue, shows } = await plantChair();
    await shows("&color=red", ({ data }) =>
      expect(data).toMatchObject([
        {
          sku: red.sku,
          variant_id: red.id,
          price: 50_000,
          availability: { state: "out_of_stock" },
        },
      ]),
    );
    const lists = (query: string, skus: string[]) =>
      shows(query, ({ data }) => expect(data.map(({ sku }) => sku)).toEqual(skus));
    await lists("&color=red&in_stock=true", []);
    await lists("&color=red&price_max=20000", []);
    await lists("&price_min=20000&in_stock=true", []);
    await lists("&color=blue&in_stock=true&price_max=20000", [blue.sku]);
    await lists("&color=red,blue", [blue.sku]);
    await shows("&in_stock=true&include=facets", ({ meta }) => {
      const colors = meta.facets?.find(({ code }) => code === "color")?.values;
      expect(colors?.map(({ value, count }) => [value, count])).toEqual([["blue", 1]]);
      expect(meta.price_range).toEqual({ min: 10_000, max: 10_000 });
    });
  });

  test("shows the price of a variant that can be bought, and of another one when that is sold out", async () => {
    const { red, blue, setStock, shows } = await plantChair();
    const isShown = ({ sku, price }: { sku: string; price: number }, state: string) =>
      shows("", ({ data }) =>
        expect(data).toMatchObject([{ sku, price, availability: { state } }]),
      );
    await isShown(blue, "in_stock");
    await setStock(red.id, 9);
    await setStock(blue.id, 0);
    await isShown(red, "in_stock");
    await setStock(red.id, 0);
    await isShown(blue, "out_of_stock");
  });
});
