import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CartInput, CartItemsInput } from "#shared/domain/cart/cart-input.ts";
import { cartExpiry, combineLines, type StoredCartLine } from "#shared/domain/cart/cart.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";

function aProductLine(number: number, sku = "CHR-OSLO-OAK", quantity = 1): StoredCartLine {
  return {
    kind: "product",
    id: anId("line", number),
    quantity,
    unit_price: number,
    product_id: anId("prd"),
    variant_id: `var_${sku}`,
    slug: "oslo-oak-chair",
    sku,
  };
}

function aSofaLine(
  number: number,
  overrides: Partial<Extract<StoredCartLine, { kind: "sofa" }>> = {},
): StoredCartLine {
  return {
    kind: "sofa",
    id: anId("line", number),
    quantity: 1,
    unit_price: number,
    sofa_id: anId("sofa"),
    slug: "fjord",
    configuration: { size: "three-seater" },
    configuration_id: "a1",
    material_codes: [],
    upload_ids: [],
    note: null,
    ...overrides,
  };
}

describe("combining cart lines", () => {
  test("merges lines of one SKU into one with the first id, the summed quantity and the later price", () => {
    expect(
      combineLines([aProductLine(1), aProductLine(2, "TBL"), aProductLine(3, "CHR-OSLO-OAK", 2)]),
    ).toEqual({
      ok: true,
      lines: [
        { ...aProductLine(3, "CHR-OSLO-OAK", 3), id: anId("line", 1) },
        aProductLine(2, "TBL"),
      ],
    });
  });

  test.each([
    ["configuration", { configuration_id: "b2" }],
    ["uploads", { upload_ids: [anId("upl")] }],
    ["note", { note: "Piping in blue" }],
    ["sofa", { sofa_id: anId("sofa", 2) }],
  ])("keeps sofa lines separate that differ in %s", (_, overrides) => {
    expect(combineLines([aSofaLine(1), aSofaLine(2, overrides)])).toHaveProperty("lines.length", 2);
  });

  test("ignores the order of uploaded pictures", () => {
    const [a, b] = [anId("upl", 1), anId("upl", 2)];
    const lines = [aSofaLine(1, { upload_ids: [a, b] }), aSofaLine(2, { upload_ids: [b, a] })];
    expect(combineLines(lines)).toHaveProperty("lines.length", 1);
  });

  test("refuses more than 99 units of one SKU and names the line that exceeds the limit", () => {
    expect(combineLines([aProductLine(1, "A-1", 60), aProductLine(2, "A-1", 40)])).toMatchObject({
      ok: false,
      problems: [{ line_id: anId("line", 2) }],
    });
  });

  test("accepts 50 different lines and refuses 51", () => {
    const lines = Array.from({ length: 51 }, (_, index) => aProductLine(index, `SKU-${index}`));
    expect(combineLines(lines.slice(0, 50)).ok).toBe(true);
    expect(combineLines(lines)).toMatchObject({ ok: false, problems: [{ line_id: null }] });
  });

  test("keeps every unit and is idempotent", () => {
    const some = fc.array(fc.constantFrom("A", "B", "C"), { maxLength: 30 });
    fc.assert(
      fc.property(some, (skus) => {
        const combined = combineLines(skus.map((sku, index) => aProductLine(index, sku)));
        if (!combined.ok) throw new Error("30 units fit");
        expect(combined.lines.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(skus.length);
        expect(combineLines(combined.lines)).toEqual(combined);
      }),
    );
  });
});

describe("a requested cart line", () => {
  const paths = (result: { error?: { issues: { path: PropertyKey[] }[] } | undefined }) =>
    result.error?.issues.map(({ path }) => path.join("."));

  test("is recognised as a SKU, as a sofa or as a change of a line", () => {
    const { items } = CartItemsInput.parse({
      items: [
        { sku: "CHR-OSLO-OAK", quantity: 2 },
        { sofa: "fjord", configuration: { size: "two-seater" }, quantity: 1 },
        { id: anId("line"), quantity: 0 },
      ],
    });
    expect(items).toEqual([
      { kind: "sku", sku: "CHR-OSLO-OAK", quantity: 2 },
      {
        kind: "sofa",
        sofa: "fjord",
        configuration: { size: "two-seater" },
        quantity: 1,
        upload_ids: [],
        note: null,
      },
      { kind: "change", id: anId("line"), quantity: 0, configuration: null },
    ]);
  });

  test.each([
    ["neither SKU nor sofa", { quantity: 1 }, "items.0.sku"],
    ["both SKU and sofa", { sku: "CHR", sofa: "fjord", quantity: 1 }, "items.0.sku"],
    [
      "a configuration without a sofa",
      { sku: "CHR", configuration: {}, quantity: 1 },
      "items.0.sku",
    ],
    ["a new line with quantity 0", { sku: "CHR", quantity: 0 }, "items.0.quantity"],
    ["a quantity above 99", { sku: "CHR", quantity: 100 }, "items.0.quantity"],
    ["a fractional quantity", { sku: "CHR", quantity: 1.5 }, "items.0.quantity"],
    [
      "a configuration over 4 KB",
      {
        sofa: "fjord",
        configuration: Object.fromEntries(
          Array.from({ length: 80 }, (_, n) => [`o${n}`, "x".repeat(60)]),
        ),
        quantity: 1,
      },
      "items.0.configuration",
    ],
  ])("is refused at its path if it has %s", (_, item, path) => {
    expect(paths(CartItemsInput.safeParse({ items: [item] }))).toEqual([path]);
  });

  test("is refused if it contains a price", () => {
    const sent = { items: [{ sku: "CHR", quantity: 1, unit_price: 1 }] };
    expect(CartInput.safeParse(sent).success).toBe(false);
  });

  test("cannot change an existing line into another SKU or sofa", () => {
    const sent = { items: [{ id: anId("line"), sku: "CHR", quantity: 1 }] };
    expect(paths(CartItemsInput.safeParse(sent))).toEqual(["items.0.sku"]);
  });
});

test("a cart expires a configured number of days after its last write", () => {
  expect(cartExpiry(noon, 30)).toBe("2026-12-21T06:30:00.000Z");
});
