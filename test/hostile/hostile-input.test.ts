// @module-tag emulator
// @module-tag slow
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fullPath, type Route } from "#shared/http/route.ts";
import { type Reply, clientOf } from "#test/support/http/client.ts";
import { everyRoute, paramsOf, pathOf, takesBody } from "#test/support/http/every-route.ts";
import {
  type PlantedProduct,
  aCheckout,
  plantProduct,
  tableOf,
  plantSofa,
} from "#test/support/shop/plant.ts";
import { consumersOf, everyEffect } from "#test/support/stack/effects.ts";
import { passesOf, worldOf } from "#test/support/people/people.ts";
import { faultOf } from "#test/support/http/answers.ts";
import { type MemberPath, membersOf, typeOf, withMember } from "#test/support/http/schemas.ts";
import { localBundles } from "#infra/local/functions/local-bundles.ts";
import { startStack } from "#infra/local/stack.ts";

// A separate shop, because this test writes examples into every document. It calls every route in many ways, so the shop
// runs the bundles, which are tested at the same time.
const stack = await startStack({
  shop: "planted",
  consumers: consumersOf(everyEffect),
  bundles: await localBundles(),
});
const { baseUrl, environment } = stack;
afterAll(() => stack.stop());

const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const tenThousandLevels = deep(10_000);

/** Hostile JSON values. Some are valid for some members. */
const hostileValues: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  2 ** 53,
  "",
  "NaN",
  "nul\u0000byte",
  "bell\u0007",
  "half a pair \ud800",
  "a".repeat(20_000),
  "<script>alert(1)</script>",
  "__proto__",
  [],
  [null],
  {},
  { constructor: { prototype: 1 } },
  Array.from({ length: 500 }, () => 1),
];

/** Routes that succeed even if the name in their path is unknown. All others must refuse it. */
const alwaysServed = new Set(["DELETE /api/v1/wishlist/{product}"]);

const hostileTexts: readonly string[] = [
  "",
  " ",
  ",",
  "NaN",
  "-1",
  "1.5",
  "1e308",
  "9007199254740993",
  "0x1F",
  "\u0000",
  "\ud83e",
  "🛋️",
  "a".repeat(4_500),
  "a,".repeat(500),
  "[]",
  "{}",
  "' OR 1=1 --",
  "../../etc/passwd",
  "__proto__",
];

/** Each call uses its own IP address, because other tests cover the rate limits. */
const passTo = passesOf(worldOf(environment));
const send = async (
  route: Route,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) =>
  clientOf(baseUrl).send(route.method, path, {
    ...(body !== undefined && { body }),
    headers: {
      ...(await passTo(route)),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
  });

/** Sends exactly this path, which fetch would normalize. */
function sendRaw(method: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    httpRequest({ hostname, port, method, path }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}

let planted: PlantedProduct;
let sofaSlug: string;
let cartToken: string;
beforeAll(async () => {
  const table = tableOf(environment);
  planted = await plantProduct(table, { units: 1_000_000 });
  sofaSlug = (await plantSofa(table)).sofa.slug;
  cartToken = await aCart();
});

async function aCart(): Promise<string> {
  const items = [{ sku: planted.sku, quantity: 1 }];
  const made = await clientOf(baseUrl).post("/cart", { items });
  return made.headers.get("x-cart-token") ?? "";
}

/** A checkout needs its own cart: a second checkout of a cart only returns the first one's order. */
async function cartFor(key: string): Promise<Record<string, string>> {
  const token = key === "POST /api/v1/checkout" ? await aCart() : cartToken;
  return { "x-cart-token": token };
}

/** A valid body of the route, if the test knows one. Hostile values replace its members. */
function goodBody(key: string, route: Route): unknown {
  const line = { sku: planted.sku, quantity: 1 };
  const bodies: Record<string, unknown> = {
    "POST /api/v1/cart": { items: [line] },
    "PATCH /api/v1/cart/items": { items: [line] },
    "POST /api/v1/checkout": aCheckout(),
    "POST /api/v1/checkout/coupon": { code: null },
    "POST /api/v1/sofas/{slug}/price": { configuration: {} },
  };
  return bodies[key] ?? route.request.body?.meta()?.["example"] ?? {};
}

const plainPath = (route: Route) =>
  pathOf(route, (name) => {
    if (name !== "slug") return "nothing";
    return route.path.startsWith("/sofas/") ? sofaSlug : planted.product.slug;
  });

interface Attempt {
  readonly name: string;
  readonly answer: () => Promise<Reply>;
  readonly mustRefuse?: boolean;
}

/**
 * Every fourth attempt. Routes start at different attempts, so that together they cover every attempt on the
 * shared framework code.
 */
function shareOf(key: string, attempts: readonly Attempt[]): Attempt[] {
  const turn = everyRoute.findIndex((each) => each.key === key);
  return attempts.filter((_attempt, position) => position % 4 === turn % 4);
}

/** All attempts that the schema accepts, and about one in nine of the others. */
const sentOf = <Tried extends { taken: boolean }>(attempts: readonly Tried[]): Tried[] =>
  attempts.filter(({ taken }, position) => taken || position % 9 === 0);

/** All problems of the responses to a list of attempts. */
async function faults(attempts: readonly Attempt[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name, answer, mustRefuse } of attempts) {
    const reply = await answer();
    const fault =
      faultOf(reply) ??
      (mustRefuse && reply.status < 400 ? `${reply.status}: accepted` : undefined);
    if (fault !== undefined) found.push(`${name}: ${fault}`);
  }
  return found;
}

const withBody = everyRoute.flatMap(({ key, route }) =>
  route.request.body ? [{ key, route, schema: route.request.body }] : [],
);
describe.each(withBody)("$key", ({ key, route, schema }) => {
  test("refuses invalid JSON, undeclared content types and bodies that are not objects", async () => {
    const path = plainPath(route);
    const good = JSON.stringify(goodBody(key, route));
    const bodies = [
      "",
      "{",
      "{]",
      "nonsense",
      "\u0000",
      '{"a":1,}',
      "NaN",
      "null",
      "[]",
      "5",
      '"x"',
      "true",
    ];
    const types = [
      "",
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "image/png",
    ];
    const wrongBytes = new Uint8Array([0xff, 0xfe, 0x7b, 0x7d]);
    expect(
      await faults(
        shareOf(key, [
          ...bodies.map((body) => ({
            name: body,
            mustRefuse: true,
            answer: () => send(route, path, body),
          })),
          ...types.map((type) => ({
            name: `as ${type}`,
            mustRefuse: true,
            answer: () => send(route, path, good, { "content-type": type }),
          })),
          { name: "no body at all", mustRefuse: true, answer: () => send(route, path) },
          {
            name: "bytes that are no text",
            mustRefuse: true,
            answer: () => send(route, path, wrongBytes),
          },
          {
            name: "10,000 levels",
            mustRefuse: true,
            answer: () => send(route, path, tenThousandLevels),
          },
          {
            name: "10,000 levels in a member",
            mustRefuse: true,
            answer: () => send(route, path, `{"x":${tenThousandLevels}}`),
          },
          {
            name: "__proto__",
            mustRefuse: true,
            answer: () => send(route, path, `{"__proto__":{"polluted":true},${good.slice(1)}`),
          },
        ]),
      ),
    ).toEqual([]);
    expect({}).not.toHaveProperty("polluted");
  });

  test("returns 413 for a body above 256 KB and 415 for an undeclared content type", async () => {
    const path = plainPath(route);
    expect((await send(route, path, JSON.stringify({ x: "a".repeat(262_144) }))).status).toBe(413);
    expect((await send(route, path, "{}", { "content-type": "text/plain" })).status).toBe(415);
  });

  test("refuses unknown members at every depth", async () => {
    const path = plainPath(route);
    const objects = new Map(
      membersOf(schema)
        .map(({ path: member }) => member.slice(0, -1))
        .filter((parent) => typeof parent.at(-1) !== "number" || parent.length > 0)
        .map((parent) => [parent.join("."), parent]),
    );
    const isMap = (parent: MemberPath) =>
      membersOf(schema).some(({ path: member }) => member.join(".") === [...parent, "x"].join("."));
    const isList = (parent: MemberPath) =>
      membersOf(schema).some(({ path: member }) => member.join(".") === [...parent, 0].join("."));
    const strict = [...objects.values()].filter((parent) => !isMap(parent) && !isList(parent));
    expect(
      await faults(
        strict.map((parent) => ({
          name: [...parent, "surprise"].join("."),
          mustRefuse: true,
          answer: async () =>
            send(
              route,
              path,
              JSON.stringify(withMember(goodBody(key, route), [...parent, "surprise"], 1)),
              await cartFor(key),
            ),
        })),
      ),
    ).toEqual([]);
  });

  test("refuses members of a wrong type", async () => {
    const path = plainPath(route);
    const attempts = membersOf(schema).flatMap(({ path: member, types }) =>
      hostileValues.map((value) => {
        const body = JSON.stringify(withMember(goodBody(key, route), member, value));
        return {
          name: `${member.join(".")} = ${JSON.stringify(value).slice(0, 40)}`,
          mustRefuse: types.size > 0 && !types.has(typeOf(value)),
          taken: schema.safeParse(JSON.parse(body)).success,
          answer: async () => send(route, path, body, await cartFor(key)),
        };
      }),
    );
    expect(attempts.filter(({ taken, mustRefuse }) => taken && mustRefuse)).toEqual([]);
    expect(await faults(sentOf(attempts))).toEqual([]);
  });
});

const bodyOf = (key: string, route: Route) =>
  takesBody(route) ? JSON.stringify(goodBody(key, route)) : undefined;

describe.each(everyRoute)("$key", ({ key, route }) => {
  test("refuses unknown query parameters", async () => {
    const body = bodyOf(key, route);
    const unknown = [
      "debug=1",
      "__proto__=1",
      "constructor=x",
      "page[]=1",
      "%24where=1",
      "=",
      "&&=&a",
    ];
    expect(
      await faults(
        shareOf(
          key,
          unknown.map((query) => ({
            name: query,
            mustRefuse: true,
            answer: () => send(route, `${plainPath(route)}?${query}`, body),
          })),
        ),
      ),
    ).toEqual([]);
  });
});

const withQuery = everyRoute.flatMap(({ key, route }) =>
  route.request.query ? [{ key, route, query: route.request.query }] : [],
);
describe.each(withQuery)("$key", ({ key, route, query }) => {
  test("returns no 5xx error for any text in a query parameter", async () => {
    const body = bodyOf(key, route);
    const attempts = membersOf(query)
      .filter(({ path: member }) => member.length === 1)
      .flatMap(({ path: [name] }) =>
        hostileTexts.map((text) => {
          const asked = new URLSearchParams({ [String(name)]: text }).toString();
          // API Gateway joins repeated parameters with a comma.
          const twice = `${text},${text}`.toWellFormed();
          const taken = query.safeParse({ [String(name)]: twice }).success;
          return {
            name: asked.slice(0, 60),
            taken,
            mustRefuse: !taken,
            answer: () => send(route, `${plainPath(route)}?${asked}&${asked}`, body),
          };
        }),
      );
    expect(await faults(sentOf(attempts))).toEqual([]);
  });
});

describe.each(everyRoute.filter(({ route }) => paramsOf(route).length > 0))(
  "$key",
  ({ key, route }) => {
    test("returns no 5xx error for any text in its path", async () => {
      const { method } = route;
      const body = bodyOf(key, route);
      const attempts = hostileTexts
        .filter((text) => text !== "")
        .map((text) => ({
          name: text.slice(0, 60),
          mustRefuse: !alwaysServed.has(key),
          answer: () =>
            send(
              route,
              pathOf(route, () => encodeURIComponent(text.toWellFormed())),
              body,
            ),
        }));
      expect(await faults(shareOf(key, attempts))).toEqual([]);
      for (const raw of ["..", "%2e%2e", "%00", "a%2fb", "%zz", "%", "%ff"]) {
        const status = await sendRaw(
          method,
          pathOf(route, () => raw),
        );
        expect([raw, status >= 400 && status < 500]).toEqual([raw, true]);
      }
    });
  },
);

const withHeaders = everyRoute.flatMap(({ key, route }) =>
  route.request.headers ? [{ key, route, headers: route.request.headers }] : [],
);
describe.each(withHeaders)("$key", ({ key, route, headers }) => {
  test("returns no 5xx error for any text in its headers", async () => {
    const body = bodyOf(key, route);
    const texts = ["", "x", "a".repeat(4_000), "\u00ff\u00fe", "__proto__", "null", "../.."];
    const attempts = membersOf(headers).flatMap(({ path: [name] }) =>
      texts.map((text) => ({
        name: `${String(name)}: ${text.slice(0, 20)}`,
        answer: () => send(route, plainPath(route), body, { [String(name)]: text }),
      })),
    );
    expect(await faults(shareOf(key, attempts))).toEqual([]);
  });
});

test("the valid requests from which hostile ones are made succeed, so that no earlier check refuses the hostile ones", async () => {
  for (const key of ["POST /api/v1/sofas/{slug}/price", "POST /api/v1/checkout"]) {
    const route = everyRoute.find((each) => each.key === key)?.route;
    if (!route) throw new Error(`${key} is not declared`);
    const body = JSON.stringify(goodBody(key, route));
    for (let attempt = 0; attempt < 2; attempt++) {
      const reply = await send(route, plainPath(route), body, await cartFor(key));
      expect([key, reply.status]).toEqual([key, route.response.status]);
      expect(reply.headers.has("idempotent-replayed")).toBe(false);
    }
  }
});

test("every path parameter has a validation schema", () => {
  const unvalidated = everyRoute.filter(({ route }) => {
    const declared = Object.keys(
      (route.request.params as { shape?: object } | undefined)?.shape ?? {},
    );
    return paramsOf(route).some((name) => !declared.includes(name));
  });
  expect(unvalidated.map(({ route }) => fullPath(route))).toEqual([]);
});
