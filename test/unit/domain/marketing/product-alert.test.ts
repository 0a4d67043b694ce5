import { describe, expect, test } from "vitest";
import {
  type AlertRequest,
  anyVariant,
  confirmedAlert,
  isDiscontinued,
  priceOfVariants,
  requestedAlert,
  stoppedAlert,
} from "#shared/domain/marketing/product-alert.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";

const hours = (count: number) => new Date(noon.getTime() + count * 3_600_000);

const aRequest = (overrides: Partial<AlertRequest> = {}): AlertRequest => ({
  email: "asha@example.com",
  product_id: anId("prd"),
  kind: "price_drop",
  variant_id: anyVariant,
  price: 1_000,
  at: noon.toISOString(),
  isProven: false,
  ...overrides,
});

const pending = () => requestedAlert(undefined, aRequest({ variant_id: "A" }), "token").alert;

describe("a product alert", () => {
  test("waits for its confirmation, and then for the requested variants", () => {
    const requested = pending();
    expect(requested).toMatchObject({
      status: "pending",
      variant_ids: [],
      requested_variant_ids: ["A"],
    });
    expect(confirmedAlert(requested, hours(1))).toMatchObject({
      status: "waiting",
      variant_ids: ["A"],
      requested_variant_ids: [],
      reference_prices: { A: { price: 1_000, at: noon.toISOString() } },
    });
  });

  test("is not changed by a request from somebody who has not proven that the email is theirs", () => {
    const waiting = confirmedAlert(pending(), hours(1));
    const later = { price: 5_000, at: hours(48).toISOString() };
    expect(requestedAlert(waiting, aRequest({ variant_id: "A", ...later }), "t")).toEqual({
      alert: waiting,
      isLetterDue: false,
    });
    const wider = requestedAlert(waiting, aRequest({ variant_id: "B", ...later }), "t");
    expect(wider).toMatchObject({
      isLetterDue: true,
      alert: {
        status: "waiting",
        variant_ids: ["A"],
        requested_variant_ids: ["B"],
        requested_at: waiting?.requested_at,
        reference_prices: {
          A: { price: 1_000, at: noon.toISOString() },
          B: { price: 5_000, at: later.at },
        },
      },
    });
  });

  test("starts at once for a proven email, and stores the price that the person sees", () => {
    const { alert, isLetterDue } = requestedAlert(undefined, aRequest({ isProven: true }), "t");
    expect(isLetterDue).toBe(false);
    expect(alert).toMatchObject({
      status: "waiting",
      variant_ids: [anyVariant],
      reference_prices: { [anyVariant]: { price: 1_000, at: noon.toISOString() } },
    });
  });

  test("compares each confirmed variant with the price that the person saw of it", () => {
    const waiting = confirmedAlert(pending(), hours(1));
    const at = hours(2).toISOString();
    const wider = requestedAlert(waiting, aRequest({ variant_id: "B", price: 500, at }), "t").alert;
    expect(confirmedAlert(wider, hours(3))?.reference_prices).toEqual({
      A: { price: 1_000, at: noon.toISOString() },
      B: { price: 500, at },
    });
  });

  test("keeps the reference prices of its variants only", () => {
    const at = hours(2).toISOString();
    const unproven = requestedAlert(undefined, aRequest({ variant_id: "A" }), "t").alert;
    const proven = requestedAlert(
      unproven,
      aRequest({ variant_id: "B", at, isProven: true }),
      "t",
    ).alert;
    expect(proven).toMatchObject({ variant_ids: ["B"], requested_variant_ids: [] });
    expect(Object.keys(proven.reference_prices)).toEqual(["B"]);
    expect(stoppedAlert(proven, hours(3)).reference_prices).toEqual({});
    const stock = requestedAlert(undefined, aRequest({ kind: "back_in_stock" }), "t").alert;
    expect(stock.reference_prices).toEqual({});
  });

  test("can be requested for another variant on the day of its confirmation, and mails another link", () => {
    const first = requestedAlert(undefined, aRequest({ variant_id: "A" }), "t");
    const again = requestedAlert(
      first.alert,
      aRequest({ variant_id: "B", at: hours(1).toISOString() }),
      "t",
    );
    expect([first.isLetterDue, again.isLetterDue]).toEqual([true, false]);
    const at = hours(3).toISOString();
    const waiting = confirmedAlert(again.alert, hours(2));
    const other = requestedAlert(waiting, aRequest({ variant_id: "C", at }), "t");
    expect(other.isLetterDue).toBe(true);
  });

  test("cannot be confirmed with a link that was mailed before the person ended it", () => {
    expect(confirmedAlert(stoppedAlert(pending(), hours(1)), hours(2))).toBeUndefined();
  });

  test("keeps the time of its last mail if it is ended and requested again", () => {
    const told = { ...pending(), letter_at: noon.toISOString() };
    const ended = stoppedAlert(told, hours(1));
    const again = requestedAlert(ended, aRequest({ at: hours(2).toISOString() }), "t").alert;
    expect(again.letter_at).toBe(told.letter_at);
  });
});

test("the price of several variants is their lowest price; unknown variants have no price", () => {
  const variants = [
    { id: "A", price: 300 },
    { id: "B", price: 200 },
  ];
  expect(priceOfVariants({ variants }, ["A"])).toBe(300);
  expect(priceOfVariants({ variants }, [anyVariant])).toBe(200);
  expect(priceOfVariants({ variants }, ["C"])).toBeUndefined();
});

test("a product is discontinued if it is archived or deleted", () => {
  expect([undefined, { status: "archived" } as const].map(isDiscontinued)).toEqual([true, true]);
  const others = [{ status: "draft" }, { status: "published" }] as const;
  expect(others.map(isDiscontinued)).toEqual([false, false]);
});
