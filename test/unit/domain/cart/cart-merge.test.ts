import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type StoredCartLine, fitsStorage, lineKey } from "#shared/domain/cart/cart.ts";
import { cartLimits } from "#shared/domain/cart/cart-limits.ts";
import { type GuestLine, mergeLines, mergedCart } from "#shared/domain/cart/cart-merge.ts";
import { aPricedLine, aQuotedLine, aStoredCart, anId, noon } from "#test/support/shop/commerce.ts";

let made = 0;
function aLine(sku: string, quantity: number): StoredCartLine {
  made += 1;
  return {
    kind: "product",
    id: anId("line", made),
    quantity,
    unit_price: 100,
    product_id: "prd",
    variant_id: `var_${sku}`,
    slug: sku.toLowerCase(),
    sku,
  };
}

const asGuest = (stored: StoredCartLine, sold = true): GuestLine => ({
  stored,
  published: {
    line: aPricedLine({ id: stored.id, quantity: stored.quantity }),
    requirement: sold ? null : { code: "unavailable", message: "Gone.", item_id: stored.id },
  },
});

const units = (lines: readonly StoredCartLine[]) =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0);

const someLines = fc
  .uniqueArray(fc.record({ sku: fc.nat(70), quantity: fc.integer({ min: 1, max: 99 }) }), {
    maxLength: cartLimits.lines,
    selector: ({ sku }) => sku,
  })
  .map((list) => list.map(({ sku, quantity }) => aLine(`SKU-${sku}`, quantity)));

describe("merging a guest's cart into the customer's cart", () => {
  test("keeps or reports every unit, within the cart limits", () => {
    fc.assert(
      fc.property(someLines, someLines, fc.array(fc.boolean()), (own, guest, sold) => {
        const lines = guest.map((line, index) => asGuest(line, sold[index] ?? true));
        const { lines: merged, merge } = mergeLines(own, lines);
        const dropped = merge.dropped.reduce((sum, { quantity }) => sum + quantity, 0);
        expect(units(merged) + dropped).toBe(units(own) + units(guest));
        expect(merged.length).toBe(own.length + merge.added);
        expect(merged.length).toBeLessThanOrEqual(cartLimits.lines);
        expect(Math.max(0, ...merged.map(({ quantity }) => quantity))).toBeLessThanOrEqual(
          cartLimits.quantity,
        );
        expect(new Set(merged.map(lineKey)).size).toBe(merged.length);
      }),
    );
  });

  test("keeps only the later revision of a quote that is in both carts", () => {
    const [own, guest] = [aQuotedLine({ revision: 2 }), aQuotedLine({ revision: 1 })];
    for (const [one, other] of [
      [own, guest],
      [guest, own],
    ] as const) {
      expect(mergeLines([one], [asGuest(other)])).toEqual({
        lines: [own],
        merge: { added: 0, combined: 1, dropped: [] },
      });
    }
  });

  test("keeps all lines of a quote or none, and never lines of two revisions", () => {
    const anOffer = (revision: number, ids: readonly number[]) =>
      ids.map((id) => aQuotedLine({ id: anId("line", 900 + id), revision }));
    const own = anOffer(1, [1, 2]);
    const later = mergeLines(
      own,
      anOffer(2, [1, 3]).map((line) => asGuest(line)),
    );
    expect(later.lines).toEqual(anOffer(2, [1, 3]));
    const earlier = mergeLines(
      anOffer(2, [1]),
      own.map((line) => asGuest(line)),
    );
    expect(earlier.lines).toEqual(anOffer(2, [1]));

    const full = Array.from({ length: cartLimits.lines - 1 }, (_, index) => aLine(`S-${index}`, 1));
    const { lines, merge } = mergeLines(
      full,
      own.map((line) => asGuest(line)),
    );
    expect(lines).toEqual(full);
    expect(merge.dropped.map(({ reason }) => reason)).toEqual(["cart_full", "cart_full"]);
  });

  test("adds the guest's quantity to the customer's line and uses the guest's price, which was shown last", () => {
    const own = aLine("SKU-1", 1);
    const guest = { ...aLine("SKU-1", 2), unit_price: 90 };
    expect(mergeLines([own], [asGuest(guest)]).lines).toEqual([
      { ...own, quantity: 3, unit_price: 90 },
    ]);
  });

  test("drops guest lines that would exceed the size limit of a cart", () => {
    const large = Array.from({ length: 40 }, (_, index) => ({
      ...aLine(`SKU-${index}`, 1),
      slug: "a".repeat(4_900),
    }));
    expect(fitsStorage(large)).toBe(true);
    const guest = [{ ...aLine("SKU-50", 1), slug: "a".repeat(20_000) }, aLine("SKU-51", 1)];
    const { merge } = mergeLines(
      large,
      guest.map((line) => asGuest(line)),
    );
    expect(merge).toMatchObject({ added: 1, dropped: [{ reason: "cart_full", quantity: 1 }] });
  });
});

describe("a merged cart", () => {
  const context = { customer: "cus_1", version: 4, lifetimeDays: 30, now: noon };

  test("keeps the id of the customer's cart, and the guest's coupon if the customer's cart had none", () => {
    const own = aStoredCart({ id: anId("cart", 1), customer_id: "cus_1", version: 4 });
    const guest = aStoredCart({ id: anId("cart", 2), coupon_code: "WELCOME10" });
    expect(mergedCart(own, guest, [], context)).toMatchObject({
      id: own.id,
      coupon_code: "WELCOME10",
      version: 5,
    });
    const loyal = { ...own, coupon_code: "LOYAL" };
    expect(mergedCart(loyal, guest, [], context).coupon_code).toBe("LOYAL");
  });

  test("keeps the id of the guest's cart if the customer had no cart", () => {
    const guest = aStoredCart({ id: anId("cart", 2), version: 9 });
    expect(mergedCart(undefined, guest, [], { ...context, version: 0 })).toMatchObject({
      id: guest.id,
      customer_id: "cus_1",
      version: 1,
    });
  });
});
