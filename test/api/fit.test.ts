import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Fit } from "#shared/domain/delivery/fit.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { PublishedProducts } from "#shared/storage/catalog/catalog.ts";
import { remove } from "#shared/storage/writes.ts";
import { aGroup, aProduct, aValue, aVariant } from "#test/support/shop/builders.ts";
import { clientOf } from "#test/support/http/client.ts";
import { plantProduct, plantSofa } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, soonListed } from "#test/support/back-office/catalog.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table } = await useShop({ effects: ["catalog-index"] });

const client = clientOf(baseUrl);
const fitOf = (kind: "products" | "sofas", slug: string, body: object) =>
  client.post<Data<Fit> & Problem>(`/${kind}/${slug}/fit`, body);

const carton = (label: string, side: number) => ({
  label,
  width_mm: side,
  depth_mm: side,
  height_mm: side,
  weight_g: 9_000,
});
const door = { kind: "door", width_mm: 800, height_mm: 2_000 };

describe("the check whether a product fits", () => {
  test("uses the packages of the product, or those of the variant if the variant has its own", async () => {
    const small = aVariant({
      id: newId("var", new Date()),
      sku: `FIT-${Date.now()}-S`,
      media_ids: [],
    });
    const large = aVariant({
      id: newId("var", new Date()),
      sku: `FIT-${Date.now()}-L`,
      options: { color: "moss" },
      media_ids: [],
      packages: [carton("Top", 790), carton("Base", 900)],
    });
    const { product } = await plantProduct(table, {
      packages: [carton("Carton", 600)],
      options: [
        {
          code: "color",
          label: "Colour",
          values: ["oat", "moss"].map((code) => ({ code, label: code, swatch: null })),
        },
      ],
      variants: [small, large],
    });
    const whole = await fitOf("products", product.slug, { openings: [door] });
    expect([whole.status, whole.body.data]).toEqual([
      200,
      {
        verdict: "fits",
        packages: [
          {
            label: "Carton",
            verdict: "fits",
            worst: { opening: 0, clearance_mm: 200, turned: false },
          },
        ],
        room: null,
        missing: [],
        advice: expect.arrayContaining([expect.stringContaining("Tilting")]),
      },
    ]);
    const same = await fitOf("products", product.slug, { openings: [door], variant_id: small.id });
    expect(same.body.data).toEqual(whole.body.data);
    const other = await fitOf("products", product.slug, { openings: [door], variant_id: large.id });
    expect(other.body.data.packages.map(({ label, verdict }) => [label, verdict])).toEqual([
      ["Top", "tight"],
      ["Base", "does_not_fit"],
    ]);
    expect(other.body.data.verdict).toBe("does_not_fit");
  });

  test("has the verdict `unknown` for a room while the shop has not measured the product", async () => {
    const { product } = await plantProduct(table, { packages: [carton("Carton", 600)] });
    const room = { width_mm: 3_000, depth_mm: 3_000 };
    const { body } = await fitOf("products", product.slug, { openings: [], room });
    expect(body.data).toMatchObject({ verdict: "unknown", room: null, missing: ["dimensions"] });
  });

  test("returns 404 for a product that is not published", async () => {
    const { product } = await plantProduct(table);
    await table.write(remove(PublishedProducts, { slug: product.slug }));
    expect((await fitOf("products", product.slug, { openings: [] })).status).toBe(404);
    expect((await fitOf("sofas", product.slug, { openings: [] })).status).toBe(404);
  });

  test.each<[string, object, string]>([
    [
      "another product's variant",
      { openings: [], variant_id: newId("var", new Date()) },
      "variant_id",
    ],
    ["a lift without its depth", { openings: [{ ...door, kind: "lift" }] }, "openings.0.depth_mm"],
    ["more than 20 openings", { openings: Array.from({ length: 21 }, () => door) }, "openings"],
    ["no openings", {}, "openings"],
    ["a room without area", { openings: [], room: { width_mm: 0, depth_mm: 1 } }, "room.width_mm"],
  ])("is refused for %s", async (_name, body, member) => {
    const { product } = await plantProduct(table);
    const refused = await fitOf("products", product.slug, body);
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, [member]]);
  });
});

test("lists of products and sofas can be limited to items that are at most so wide, deep and high", async () => {
  const name = `Wombat${randomUUID().replaceAll(/[^a-f]/g, "")}`;
  const measured = (width_mm: number | null, depth_mm: number, height_mm: number) => ({
    name,
    dimensions: { ...aProduct().dimensions, width_mm, depth_mm, height_mm },
  });
  const narrow = (await plantProduct(table, measured(900, 600, 1_800))).product.slug;
  const wide = (await plantProduct(table, measured(1_600, 450, 700))).product.slug;
  await plantProduct(table, measured(null, 450, 700));
  const { slug: sofa } = (await plantSofa(table, { ...measured(1_500, 900, 800), rules: [] })).sofa;
  const lists = (path: string, filter: string, slugs: readonly string[]) =>
    soonListed<Data<{ slug: string }[]>>(
      "catalog-index",
      client,
      `${path}?q=${name}&${filter}`,
      ({ body }) => expect(body.data.map(({ slug }) => slug).toSorted()).toEqual(slugs.toSorted()),
    );
  await lists("/products", "width_max_mm=1600", [narrow, wide]);
  await lists("/products", "width_max_mm=1599", [narrow]);
  await lists("/products", "depth_max_mm=450&width_max_mm=9000", [wide]);
  await lists("/products", "height_max_mm=700&width_max_mm=9000", [wide]);
  await lists("/products", "height_max_mm=699", []);
  await lists("/sofas", "depth_max_mm=900&height_max_mm=800", [sofa]);
  await lists("/sofas", "depth_max_mm=899", []);
  await lists("/sofas", "height_max_mm=799", []);
  const refused = await client.get<Problem>("/products?depth_max_mm=0");
  expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ["depth_max_mm"]]);
});

describe("the check whether a sofa fits", () => {
  const sizes = aGroup("size", [
    aValue("two-seater", { packages: [carton("Seat", 700)] }),
    aValue("corner", { packages: [carton("Left", 780), carton("Right", 900)] }),
  ]);
  const plant = () =>
    plantSofa(table, {
      packages: [carton("Whole", 1_500)],
      option_groups: [{ ...sizes, required: true, default: "two-seater" }],
      rules: [],
    });

  test("uses the packages of the chosen values, and of the default values of omitted options", async () => {
    const { sofa } = await plant();
    const judge = async (configuration?: object) => {
      const { body } = await fitOf("sofas", sofa.slug, {
        openings: [door],
        ...(configuration && { configuration }),
      });
      return [body.data.verdict, body.data.packages.map(({ label }) => label)];
    };
    expect(await judge()).toEqual(["fits", ["Seat"]]);
    expect(await judge({ size: "corner" })).toEqual(["does_not_fit", ["Left", "Right"]]);
  });

  test("uses the sofa's own packages if no chosen value has packages", async () => {
    const { sofa } = await plantSofa(table, {
      packages: [carton("Whole", 790)],
      option_groups: [aGroup("size", ["two-seater"])],
      rules: [],
    });
    const { body } = await fitOf("sofas", sofa.slug, { openings: [door] });
    expect(body.data.packages).toMatchObject([{ label: "Whole", verdict: "tight" }]);
  });

  test("is refused for a configuration that the sofa does not offer", async () => {
    const { sofa } = await plant();
    const refused = await fitOf("sofas", sofa.slug, {
      openings: [],
      configuration: { size: "palace" },
    });
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([
      422,
      ["configuration.size"],
    ]);
  });
});
