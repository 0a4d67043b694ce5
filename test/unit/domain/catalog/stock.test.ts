import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canChange,
  dispatch,
  unitsByStock,
  release,
  reserve,
  type Stock,
  type StockChange,
  stockState,
  countedStock,
  isLow,
} from "#shared/domain/catalog/stock.ts";
import { aStockRow } from "#test/support/shop/commerce.ts";

function changed(row: Stock, change: StockChange): Stock {
  if (!canChange(row, change)) return row;
  return {
    ...row,
    on_hand: row.on_hand + change.add.on_hand,
    reserved: row.reserved + change.add.reserved,
    available: row.available + change.add.available,
  };
}

const quantity = fc.integer({ min: 1, max: 99 });
const changes = fc.array(
  fc.oneof(quantity.map(reserve), quantity.map(release), quantity.map(dispatch)),
  { maxLength: 40 },
);

describe("stock after any sequence of changes", () => {
  test("has available units equal to on_hand minus reserved, which are negative for backorders only", () => {
    fc.assert(
      fc.property(
        changes,
        fc.constantFrom("deny" as const, "backorder" as const),
        (history, policy) => {
          const row = history.reduce(changed, aStockRow({ policy }));
          expect(row.available).toBe(row.on_hand - row.reserved);
          expect(Math.min(row.on_hand, row.reserved)).toBeGreaterThanOrEqual(0);
          if (policy === "deny") expect(row.available).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  test("is unchanged after a reservation and its release", () => {
    expect(changed(changed(aStockRow(), reserve(7)), release(7))).toEqual(aStockRow());
  });
});

describe("a single stock change", () => {
  test("can reserve the last unit but no more", () => {
    expect(canChange(aStockRow(), reserve(50))).toBe(true);
    expect(canChange(aStockRow(), reserve(51))).toBe(false);
    expect(canChange(aStockRow({ policy: "backorder" }), reserve(51))).toBe(true);
  });

  test("can release or dispatch only reserved units, and remove only units on hand", () => {
    const row = aStockRow({ on_hand: 2, reserved: 3, available: -1, policy: "backorder" });
    expect(canChange(row, release(3))).toBe(true);
    expect(canChange(row, release(4))).toBe(false);
    expect(canChange(row, dispatch(2))).toBe(true);
    expect(canChange(row, dispatch(3))).toBe(false);
  });

  test.each([
    [6, "deny", "in_stock"],
    [5, "deny", "low_stock"],
    [0, "deny", "out_of_stock"],
    [0, "backorder", "backorder"],
    [-3, "backorder", "backorder"],
  ] as const)(
    "leaves a stock state that follows from units and policy: %i available with policy %s is %s",
    (available, policy, state) => {
      expect(stockState(aStockRow({ available, policy }))).toBe(state);
    },
  );
});

test("the units of a variant or sample are summed over lines; lines without a SKU need no stock", () => {
  const lines = [
    { sku: "A", variant_id: "var_1", material_code: null, quantity: 2 },
    { sku: null, variant_id: null, material_code: null, quantity: 9 },
    { sku: "B", variant_id: null, material_code: "linen", quantity: 1 },
    { sku: "A-NEW", variant_id: "var_1", material_code: null, quantity: 3 },
  ];
  expect([...unitsByStock(lines)]).toEqual([
    ["var_1", 5],
    ["linen", 1],
  ]);
});

describe("a stock count", () => {
  test.each([
    [{ on_hand: 5, reserved: 3 }, { set: 3 }, 3],
    [{ on_hand: 5, reserved: 3 }, { set: 2 }, null],
    [{ on_hand: 5, reserved: 3 }, { adjust: -2 }, 3],
    [{ on_hand: 5, reserved: 3 }, { adjust: -3 }, null],
    [{ on_hand: 5, reserved: 0 }, { adjust: -6 }, null],
    // With backorders, more units are reserved than are on hand. Units can be added, but not removed.
    [{ on_hand: 0, reserved: 4 }, { adjust: 2 }, 2],
    [{ on_hand: 2, reserved: 4 }, { adjust: -1 }, null],
  ])(
    "with stock %j and request %j results in on_hand %j, where null means that it is refused",
    (row, count, left) => {
      expect(countedStock(row, count)).toBe(left);
    },
  );

  test("changes the stock state to low at the threshold", () => {
    const low = (available: number) => isLow({ available, low_stock_threshold: 2 });
    expect([low(1), low(2), low(3)]).toEqual([true, true, false]);
  });
});
