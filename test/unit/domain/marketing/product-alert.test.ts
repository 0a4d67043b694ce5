import { describe, expect, test } from "vitest";
import {
  type AlertRequest,
  anySku,
  confirmedAlert,
  priceOfSkus,
  requestedAlert,
  stoppedAlert,
} from "#shared/domain/marketing/product-alert.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";

const hours = (count: number) => new Date(noon.getTime() + count * 3_600_000);

const aRequest = (overrides: Partial<AlertRequest> = {}): AlertRequest => ({
  email: "asha@example.com",
  product_id: anId("prd"),
  kind: "price_drop",
  sku: anySku,
  price: 1_000,
  at: noon.toISOString(),
  isProven: false,
  ...overrides,
});

const pending = () => requestedAlert(undefined, aRequest({ sku: "A" }), "token").alert;

describe("a product alert", () => {
  test("waits for its confirmation, and then for the requested SKUs", () => {
    const requested = pending();
    expect(requested).toMatchObject({ status: "pending", skus: [], requested_skus: ["A"] });
    expect(confirmedAlert(requested, hours(1))).toMatchObject({
      status: "waiting",
      skus: ["A"],
      requested_skus: [],
      told_price: 1_000,
    });
  });

  test("is not changed by a request from somebody who has not proven that the email is theirs", () => {
    const waiting = confirmedAlert(pending(), hours(1));
    const later = { price: 5_000, at: hours(48).toISOString() };
    expect(requestedAlert(waiting, aRequest({ sku: "A", ...later }), "t")).toEqual({
      alert: waiting,
      isLetterDue: false,
    });
    const wider = requestedAlert(waiting, aRequest({ sku: "B", ...later }), "t");
    expect(wider).toMatchObject({
      isLetterDue: true,
      alert: { status: "waiting", skus: ["A"], requested_skus: ["B"], told_price: 1_000 },
    });
  });

  test("starts at once for a proven email, and stores the price that the person sees", () => {
    const { alert, isLetterDue } = requestedAlert(undefined, aRequest({ isProven: true }), "t");
    expect(isLetterDue).toBe(false);
    expect(alert).toMatchObject({ status: "waiting", skus: [anySku], told_price: 1_000 });
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

test("the price of several SKUs is their lowest price; unknown SKUs have no price", () => {
  const variants = [
    { sku: "A", price: 300 },
    { sku: "B", price: 200 },
  ];
  expect(priceOfSkus({ variants }, ["A"])).toBe(300);
  expect(priceOfSkus({ variants }, [anySku])).toBe(200);
  expect(priceOfSkus({ variants }, ["C"])).toBeUndefined();
});
