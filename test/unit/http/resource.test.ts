import { expect, test } from "vitest";
import { families } from "#functions/families.ts";
import { resourceOf } from "#shared/http/resource.ts";
import { fullPath, routeKey } from "#shared/http/route.ts";

const resources = families.flatMap((family) =>
  family.resources.map((resource) => ({ family, resource })),
);

test.each(resources)(
  "the function $family.name resolves each route of $resource.prefixes to the module that declares it",
  async ({ family, resource }) => {
    const { routes } = await resource.load();
    expect(routes.length).toBeGreaterThan(0);
    for (const route of routes) {
      expect([fullPath(route), resourceOf(family.resources, routeKey(route))]).toEqual([
        fullPath(route),
        resource,
      ]);
    }
  },
);

test("a path is resolved by the longest matching prefix of whole segments", () => {
  const [carts, items, all] = [["/cart"], ["/cart/items", "/bag"], [""]].map((prefixes) => ({
    prefixes,
  }));
  const list = [carts, items, all].filter((each) => each !== undefined);
  const found = (path: string) => resourceOf(list, `GET ${path}`);
  expect(found("/api/v1/cart")).toBe(carts);
  expect(found("/api/v1/cart/items/{id}")).toBe(items);
  expect(found("/api/v1/cart/itemsets")).toBe(carts);
  expect(found("/bag")).toBe(items);
  expect(found("/api/v1/carts")).toBe(all);
  expect(resourceOf([{ prefixes: ["/cart"] }], "$default")).toBeUndefined();
});
