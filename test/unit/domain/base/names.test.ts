import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Id, newId } from "#shared/domain/base/ids.ts";
import { OrderNumber, orderNumber, parseOrderNumber } from "#shared/domain/order/order-number.ts";
import { noon } from "#test/support/shop/commerce.ts";

describe("record ids", () => {
  test("begin with their kind and sort by time", () => {
    const later = new Date(noon.getTime() + 1);
    const [first, second] = [newId("ord", noon), newId("ord", later)];
    expect(Id("ord").safeParse(first).success).toBe(true);
    expect(Id("cart").safeParse(first).success).toBe(false);
    expect(first < second).toBe(true);
  });

  test("are deterministic for a given time and random value", () => {
    expect(newId("prd", noon, () => 0.5)).toBe(newId("prd", noon, () => 0.5));
  });
});

describe("order numbers", () => {
  const bytes = fc.uint8Array({ minLength: 12, maxLength: 12 });

  test("contain 60 random bits, five of each random byte", () => {
    expect(orderNumber(new Uint8Array(12))).toBe("FS-2222-2222-2222");
    expect(orderNumber(new Uint8Array(12).fill(31))).toBe("FS-ZZZZ-ZZZZ-ZZZZ");
    const signs = Array.from({ length: 32 }, (_, byte) =>
      orderNumber(new Uint8Array(12).fill(byte)),
    );
    expect(new Set(signs).size).toBe(32);
    expect(() => orderNumber(new Uint8Array(11))).toThrow(RangeError);
  });

  test("are recognised in any case, with any separators and with look-alike characters", () => {
    fc.assert(
      fc.property(bytes, (random) => {
        const number = orderNumber(random);
        expect(OrderNumber.safeParse(number).success).toBe(true);
        for (const typed of [
          number,
          number.toLowerCase(),
          number.replaceAll("-", " "),
          number.slice(3),
          number.replaceAll("-", ""),
        ]) {
          expect(parseOrderNumber(` ${typed} `)).toBe(number);
        }
      }),
    );
  });

  test.each(["", "FS-0000-0000-0000", "FS-7K3M-92QX", "FS-7K3M-92QX-4HT8-2222", "fs"])(
    "are not recognised in %j",
    (typed) => {
      expect(parseOrderNumber(typed)).toBeNull();
    },
  );
});
