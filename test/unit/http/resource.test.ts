import { expect, test } from "vitest";
import { families } from "#functions/families.ts";
import { resourceOf } from "#shared/http/resource.ts";
import { anyone, fullPath, route, routeKey } from "#shared/http/route.ts";
import { type FrameDeps, serve } from "#shared/http/serve.ts";
import { aContext, anEvent } from "#test/support/http/in-process.ts";

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

test("a resource is loaded once for all its requests", async () => {
  const rest = route({
    method: "POST",
    path: "/rests",
    summary: "Take a rest",
    access: anyone,
    request: {},
    response: { status: 204 },
    handle: async (_call, _deps: FrameDeps) => undefined,
  });
  let loads = 0;
  async function load() {
    loads += 1;
    return { routes: [rest] };
  }
  const handler = serve([{ paths: [rest.path], load }], () => ({}));
  for (let call = 0; call < 2; call++) {
    const { statusCode } = await handler(anEvent(routeKey(rest)), aContext());
    expect([statusCode, loads]).toEqual([204, 1]);
  }
});
