import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AddressInput,
  addressIn,
  emptyBook,
  listAddresses,
  maxAddresses,
  withAddress,
  withChangedAddress,
  withDefault,
  withoutAddress,
} from "#shared/domain/customer/address-book.ts";
import { anAddress, anId, noon } from "#test/support/shop/commerce.ts";

const anInput = (is_default = false) => ({ ...AddressInput.parse(anAddress()), is_default });

/** Operations on a book; ids are chosen from the existing ones. */
const operations = fc.array(
  fc.record({
    kind: fc.constantFrom("add", "add as default", "make default", "remove"),
    which: fc.nat(maxAddresses),
  }),
  { maxLength: 80 },
);

test("an address book that is not empty always has exactly one default address", () => {
  fc.assert(
    fc.property(operations, (list) => {
      let book = emptyBook;
      for (const [number, { kind, which }] of list.entries()) {
        const chosen = book.addresses[which % Math.max(1, book.addresses.length)]?.id;
        if (kind.startsWith("add")) {
          const id = anId("addr", number + 1);
          book = withAddress(book, anInput(kind !== "add"), id, noon) ?? book;
        } else if (chosen) {
          book = kind === "remove" ? withoutAddress(book, chosen) : withDefault(book, chosen);
        }
        const defaults = listAddresses(book).filter(({ is_default }) => is_default);
        expect(defaults).toHaveLength(book.addresses.length > 0 ? 1 : 0);
        expect(book.addresses.length).toBeLessThanOrEqual(maxAddresses);
      }
    }),
  );
});

describe("a change of an address", () => {
  const book = withAddress(emptyBook, anInput(), anId("addr"), noon) ?? emptyBook;
  const before = addressIn(book, anId("addr"));
  if (!before) throw new Error("The address is missing from the book");

  test("keeps members that a PATCH omits", () => {
    const after = withChangedAddress(book, before, { city: "Mysuru" }, noon);
    expect(after?.addresses).toEqual([{ ...before, city: "Mysuru", version: 2 }]);
  });

  test("clears members that a PUT omits", () => {
    const input = AddressInput.parse({ ...anAddress(), landmark: undefined });
    const marked = { ...before, landmark: "Opposite the park" };
    const after = withChangedAddress(book, marked, input, noon)?.addresses[0];
    expect(after).toMatchObject({ landmark: null, state: "Karnataka" });
  });

  test("validates the postal code of the merged address", () => {
    const patch = { country: "US" };
    expect(withChangedAddress(book, before, patch, noon)).toBeUndefined();
    const both = { country: "US", postal_code: "10001" };
    expect(withChangedAddress(book, before, both, noon)).toBeDefined();
  });
});
