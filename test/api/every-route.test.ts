import type * as z from "zod";
import { beforeAll, describe, expect, test } from "vitest";
import { families } from "#functions/families.ts";
import { httpApiRoutes } from "#infra/http-api-routes.ts";
import { type Route, fullPath } from "#shared/http/route.ts";
import { type Client, clientOf } from "#test/support/http/client.ts";
import { everyRoute, pathOf, takesBody } from "#test/support/http/every-route.ts";
import { passesOf } from "#test/support/people/people.ts";
import { type Problem, faultOf } from "#test/support/http/answers.ts";
import { type Visit, visitPublic } from "#test/support/calls/walk.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, world } = await useShop({ effects: ["feeds"], sockets: true });

const client: Client = clientOf(baseUrl);
const passTo = passesOf(world);
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const plainPath = (route: Route) => pathOf(route, () => "nothing");
const bodyOf = (route: Route): { body?: string; headers?: Record<string, string> } =>
  takesBody(route) ? { body: "{}", headers: { "content-type": "application/json" } } : {};

let visits: Visit[];
beforeAll(async () => {
  visits = await visitPublic(client);
});

const routesOf = (path: string): Route[] =>
  everyRoute.flatMap(({ route }) => (fullPath(route) === path ? [route] : []));
/** Paths with one route for every method at API Gateway, which asks for a token whatever the method. */
const sharedPaths = httpApiRoutes(families).flatMap(({ method, path }) =>
  method === "ANY" ? [path] : [],
);
/** Whether the path matches, literally or with a segment as a parameter. */
const fits = (path: string, address: string) =>
  new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(address);
const isTaken = (method: string, address: string) =>
  everyRoute.some(({ route }) => route.method === method && fits(fullPath(route), address));

const paths = [...new Set(everyRoute.map(({ route }) => fullPath(route)))];
/** A public path, one for customers and one for staff. The gateway answers all alike. */
const everyDay = ["/api/v1/products/{slug}", "/api/v1/orders/{id}", "/api/v1/admin/orders/{id}"];

test("each path that is tested every day exists", () => {
  expect(paths).toEqual(expect.arrayContaining(everyDay));
});

describe.each(everyDay)("the path %s", answersAsAPath);
describe.each(paths.filter((path) => !everyDay.includes(path)))(
  "the path %s",
  { tags: "slow" },
  answersAsAPath,
);

function answersAsAPath(path: string): void {
  const address = path.replaceAll(/\{\w+\}/g, "nothing");

  const own = routesOf(path).map(({ method }) => method);
  const undeclared = [...methods, "HEAD"].filter((other) => !isTaken(other, address));
  const guarding = sharedPaths.find((shared) => fits(shared, address));

  test("returns 405 for every undeclared method and lists the allowed ones", async () => {
    const [guarded] = guarding === undefined ? [] : routesOf(guarding);
    const headers = guarded ? await passTo(guarded) : {};
    for (const method of undeclared) {
      const reply = await client.send(method, address, { headers });
      expect([method, reply.status]).toEqual([method, 405]);
      const allowed = reply.headers.get("allow")?.split(", ") ?? [];
      expect(allowed).toEqual(expect.arrayContaining(own));
      if (method !== "HEAD") expect(faultOf(reply)).toBeUndefined();
    }
  });

  test.runIf(sharedPaths.includes(path))(
    "returns 401 for every method without a token",
    async () => {
      for (const method of [...own, ...undeclared]) {
        expect([method, (await client.send(method, address)).status]).toEqual([method, 401]);
      }
    },
  );

  if (!everyDay.includes(path)) return;
  test("allows cross-origin requests, in the preflight and in the response", async () => {
    const preflight = await client.send("OPTIONS", address, {
      headers: { origin: "https://shop.test", "access-control-request-method": "GET" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PATCH");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("x-cart-token");
    const answer = await client.send("GET", address, {
      headers: { origin: "https://shop.test" },
    });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-expose-headers")).toContain("x-request-id");
  });
}

const uncached = everyRoute.filter(({ route }) => route.cache !== "public");
test.each(uncached)("$key is never cached", async ({ route }) => {
  const { headers, ...body } = bodyOf(route);
  const reply = await clientOf(baseUrl).send(route.method, plainPath(route), {
    ...body,
    headers: { ...headers, ...(await passTo(route)) },
  });
  expect(reply.headers.get("cache-control")).toBe("private, no-store");
});

const cached = everyRoute.filter(({ route }) => route.cache === "public");
test.each(cached)(
  "$key is publicly cacheable and returns 304 for a matching ETag",
  async ({ route }) => {
    const path = visits.find((visit) => visit.route === route)?.path ?? "";
    // The feeds are written after the start. A response may also change between two calls, because functions remember
    // public records for two seconds.
    await waitFor("feeds", async () => {
      const { status, headers } = await client.send("GET", path);
      const tag = headers.get("etag") ?? "";
      expect([status, headers.get("cache-control")]).toEqual([
        200,
        "public, max-age=5, stale-while-revalidate=30",
      ]);
      expect(tag).toMatch(/^"[\w-]{20,}"$/);
      const again = await client.send("GET", path, { headers: { "if-none-match": tag } });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", tag]);
    });
  },
);

test("every unknown path returns 404", async () => {
  for (const path of [
    "/",
    "/api",
    "/api/v1",
    "/api/v1/",
    "/api/v2/products",
    "/api/v1/nothing",
    "/api/v1/products/",
  ]) {
    const reply = await client.send("GET", path);
    expect([path, reply.status]).toEqual([path, 404]);
    expect(faultOf(reply)).toBeUndefined();
  }
});

test("every response has a unique request id", async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => client.get("/health")));
  expect(new Set(replies.map(({ headers }) => headers.get("x-request-id"))).size).toBe(20);
});

const searched = everyRoute
  .map(({ route }) => route)
  .filter(({ method, request }) => {
    const { shape = {} } = (request.query ?? {}) as { shape?: Record<string, z.ZodType> };
    const isRequired = shape["q"]?.safeParse(undefined).success === false;
    return method === "GET" && !isRequired && ("q" in shape || "tag" in shape);
  });
test.each(searched.map((route) => [plainPath(route), route] as const))(
  "%s treats blank search words as omitted",
  async (_path, route) => {
    const { shape } = route.request.query as unknown as { shape: object };
    for (const name of ["q", "tag"].filter((each) => each in shape)) {
      for (const empty of ["", "%20"]) {
        const { status } = await client.get(`${route.path}?${name}=${empty}`, await passTo(route));
        expect([name, status]).toEqual([name, 200]);
      }
    }
  },
);

test("an invalid value of a list filter is reported under the filter's name", async () => {
  const { body } = await client.get<Problem>("/sofas?seats=abc&color=Grey!&price_min=-1");
  expect(body.errors).toEqual({
    seats: [expect.any(String)],
    color: [expect.any(String)],
    price_min: ["The price min field must be at least 0."],
  });
});
