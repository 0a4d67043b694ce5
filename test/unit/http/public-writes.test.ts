import { expect, test } from "vitest";
import { limits } from "#shared/domain/request/rate-limits.ts";
import { everyRoute } from "#test/support/http/every-route.ts";

/** Public routes without a rate limit, each with the reason. */
const unlimited: Readonly<Record<string, string>> = {
  "POST /api/v1/sofas/{slug}/price": "stores nothing: it computes a price from what is published",
  "POST /api/v1/unsubscribe/{token}":
    "takes only the secret token of a mail, and a mail program may send it for many buyers",
  "POST /webhooks/payments/stripe": "stores nothing unless the gateway has signed it",
  "POST /webhooks/messaging/whatsapp": "stores nothing unless the messaging service has signed it",
};

const publicWrites = everyRoute.filter(
  ({ route: { access, method } }) =>
    (access.guard === "none" || access.guard === "optional") && method !== "GET",
);

test("every public route that writes has a rate limit or a declared reason to have none", () => {
  expect(publicWrites.length).toBeGreaterThan(20);
  const without = publicWrites.filter(({ route }) => route.limit === undefined);
  expect(without.map(({ key }) => key).toSorted()).toEqual(Object.keys(unlimited).toSorted());
});

test.each([
  ["POST /api/v1/cart", 60],
  ["PATCH /api/v1/cart/items", 60],
  ["DELETE /api/v1/cart/items/{id}", 60],
  ["POST /api/v1/checkout", 20],
  ["POST /api/v1/checkout/{order}/confirm", 20],
  ["POST /api/v1/checkout/{order}/payment", 20],
  ["POST /api/v1/orders/{id}/cancel", 20],
  ["POST /api/v1/checkout/coupon", 10],
  ["GET /api/v1/orders/track/{number}", 10],
  ["GET /api/v1/shipping/slots", 120],
  ["GET /api/v1/orders/{id}/slots", 120],
  ["PUT /api/v1/cart/slot", 60],
  ["PUT /api/v1/orders/{id}/slot", 20],
  ["POST /api/v1/products/{slug}/fit", 120],
  ["POST /api/v1/sofas/{slug}/fit", 120],
  ["GET /api/v1/orders/{id}/documents", 30],
])("%s permits %i requests a minute from one IP address", (key, calls) => {
  const limit = everyRoute.find((each) => each.key === key)?.route.limit;
  expect(limit && limits[limit]).toMatchObject({ calls, seconds: 60 });
});
