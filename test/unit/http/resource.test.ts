import { expect, test } from "vitest";
import { families } from "#functions/families.ts";
import { resourceOf } from "#shared/http/resource.ts";
import { fullPath, routeKey } from "#shared/http/route.ts";

const resources = families.flatMap((family) =>
  family.resources.map((resource) => ({ family, resource })),
);

test.each(resources)(
  "the function $family.name resolves each route of $resource.paths to the module that declares it",
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

test("a key without a path, or of no path of a function, has no resource", () => {
  const [family] = families;
  expect(resourceOf(family!.resources, "$default")).toBeUndefined();
  expect(resourceOf(family!.resources, "GET /api/v1/health/disks")).toBeUndefined();
  expect(resourceOf(family!.resources, "GET /api/v1/health")).toBeDefined();
});
