import { expect, test } from "vitest";
import * as z from "zod";
import { headersOf } from "#shared/http/openapi-headers.ts";
import { everyRoute } from "#test/support/http/every-route.ts";

/** Routes whose record may have no version: a visitor without a cart gets an empty cart, which is not stored. */
const withoutRecord = new Set(["GET /api/v1/cart"]);

const records = everyRoute.filter(
  ({ key, route: { method, response, previewed } }) =>
    method === "GET" &&
    // A route that can also show a draft through a preview link returns the draft without an ETag.
    !previewed &&
    response.data instanceof z.ZodObject &&
    "version" in response.data.shape &&
    !withoutRecord.has(key),
);

// The tests in test/api compare the headers of each response with this declaration.
test.each(records)("$key declares that its response always has an ETag", ({ route }) => {
  expect(headersOf(route, route.response.status)["ETag"]).toBe("always");
});

test("the quote of a mailed link is among the records with an ETag", () => {
  expect(records.map(({ key }) => key)).toContain("GET /api/v1/quotes/{id}");
  expect(records.length).toBeGreaterThan(15);
});
