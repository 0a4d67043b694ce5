import { describe, expect, test } from "vitest";
import { asPlaced } from "#shared/domain/order/order.ts";
import { editOrder } from "#shared/domain/order/edit/edit-order.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";

const germanNumber = "DE123456789";

/** A placed order with a billing address in a country. */
function billedIn(country: string, tax_id: string | null) {
  const order = aPlacedOrder();
  const billing = { ...order.addresses.billing, country };
  return { ...order, tax_id, addresses: { ...order.addresses, billing } };
}

describe("the country of an order's billing address", () => {
  const toIndia = { addresses: { billing: { country: "IN", postal_code: "560001" } } };
  const inIndia = { kind: "edited", order: { addresses: { billing: { country: "IN" } } } };

  test("cannot change to one in which the order's tax number is not valid", () => {
    expect(editOrder(billedIn("DE", germanNumber), toIndia, defaultSettings)).toEqual({
      kind: "invalid",
      problems: [
        {
          path: "addresses.billing.country",
          message: "The order's tax number is not valid in this country.",
        },
      ],
    });
  });

  test.each([null, "29AAGCB7383J1Z4"])("changes with the tax number %s", (number) => {
    expect(editOrder(billedIn("DE", number), toIndia, defaultSettings)).toMatchObject(inIndia);
  });

  test("cannot change to a state that is not the one of the order's GSTIN", () => {
    const patch = { addresses: { billing: { postal_code: "400001", state: "Maharashtra" } } };
    expect(editOrder(billedIn("IN", "29AAGCB7383J1Z4"), patch, defaultSettings)).toMatchObject({
      kind: "invalid",
      problems: [{ path: "addresses.billing.state" }],
    });
    expect(editOrder(billedIn("IN", null), patch, defaultSettings)).toMatchObject(inIndia);
  });

  test("is not judged when only other members change", () => {
    const patch = { addresses: { billing: { city: "Mysuru" } } };
    const edit = editOrder(billedIn("IN", germanNumber), patch, defaultSettings);
    expect(edit).toMatchObject(inIndia);
  });
});

test("an address that staff correct leaves the order's confirmation as it was placed", () => {
  const order = aPlacedOrder();
  const patch = { addresses: { shipping: { line1: "9 Church Street" } } };
  const edit = editOrder(order, patch, defaultSettings);
  if (edit.kind !== "edited") throw new Error(edit.kind);
  expect(edit.order.addresses.shipping.line1).toBe("9 Church Street");
  expect(asPlaced(edit.order).addresses).toEqual(order.addresses);
  const noted = editOrder(order, { notes: "Ring twice" }, defaultSettings);
  expect(noted).toMatchObject({ order: { placed: null } });
});
