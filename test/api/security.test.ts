import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { families } from "#functions/families.ts";
import type { HttpServer } from "#infra/local/gateway/http-server.ts";
import type { Guard } from "#shared/domain/request/identity.ts";
import { type Route, isGuarded, routeKey } from "#shared/http/route.ts";
import { endSession } from "#shared/storage/staff/sessions.ts";
import { badTokens, signedIn } from "#test/support/people/people.ts";
import { type Reply, clientOf } from "#test/support/http/client.ts";
import { everyRoute, guestSends, pathOf, takesBody } from "#test/support/http/every-route.ts";
import { type Problem, faultOf } from "#test/support/http/answers.ts";
import { startToyService, toyRoutes } from "#test/support/stack/toy-service.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, world } = await useShop();

const kinds = Object.entries(badTokens);
let toys: HttpServer;
/** The bad tokens of each guard, by kind. They are shared by all calls, because refusals do not change them. */
const bad = new Map<Guard, [kind: string, authorization: string][]>();
beforeAll(async () => {
  toys = await startToyService(environment);
  for (const guard of ["customer", "staff"] as const) {
    const make = async ([kind, token]: (typeof kinds)[number]) =>
      [kind, await token(world, guard)] satisfies [string, string];
    bad.set(guard, await Promise.all(kinds.map(make)));
  }
});
afterAll(() => toys.stop());

interface Asked {
  route: Route;
  baseUrl(): string;
}
const declared = everyRoute.map(({ key, route }) => ({
  key,
  asked: { route, baseUrl: () => baseUrl },
}));
const toy = toyRoutes.map((route) => ({
  key: routeKey(route),
  asked: { route, baseUrl: () => toys.baseUrl },
}));
const routes: { key: string; asked: Asked }[] = [...declared, ...toy];

/** A call to the route by a new client; its default body is not JSON. */
function send({ route, baseUrl }: Asked, authorization?: string, body = "{"): Promise<Reply> {
  return clientOf(baseUrl()).send(
    route.method,
    pathOf(route, () => "nothing"),
    {
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(takesBody(route) && { "content-type": "application/json" }),
      },
      ...(takesBody(route) && { body }),
    },
  );
}

/** The guard whose tokens the route accepts. */
const guardOf = ({ access }: Route): Guard => (access.guard === "staff" ? "staff" : "customer");

function expectOurRefusal(reply: Reply, kind?: string): void {
  expect([kind, reply.status, (reply.body as { code?: string }).code]).toEqual([
    kind,
    401,
    "unauthenticated",
  ]);
  expect(reply.headers.get("www-authenticate"), kind).toBe("Bearer");
  expect(reply.headers.get("cache-control"), kind).toBe("private, no-store");
  expect(faultOf(reply), kind).toBeUndefined();
}

const closed = routes.filter(({ asked }) => asked.route.access.guard !== "none");
const familyOf = (route: Route) =>
  families.find(({ routes: own }) => own.includes(route))?.name ?? "toy";
/** One route for each kind of access and function, since a function guards all its routes alike. */
const representative = [
  ...Map.groupBy(
    closed,
    ({ asked: { route } }) => `${route.access.guard} ${familyOf(route)}`,
  ).values(),
].flatMap(([first]) => first ?? []);
describe.each(representative)("$key", guards);
describe.each(closed.filter((each) => !representative.includes(each)))(
  "$key",
  { tags: "slow" },
  guards,
);

function guards({ asked }: { asked: Asked }): void {
  test("refuses every kind of invalid token with 401", async () => {
    const tokens = bad.get(guardOf(asked.route)) ?? [];
    const replies = await Promise.all(tokens.map(([, token]) => send(asked, token)));
    for (const [position, [kind]] of tokens.entries()) expectOurRefusal(replies[position]!, kind);
    expect(tokens.map(([kind]) => kind)).toEqual(Object.keys(badTokens));
  });

  test("accepts a valid token until its session ends, even though the gateway caches authorizer results", async () => {
    const { token, claims } = await signedIn(world, guardOf(asked.route));
    expect((await send(asked, `Bearer ${token}`)).status).not.toBe(401);
    await world.table.write(endSession(claims));
    expectOurRefusal(await send(asked, `Bearer ${token}`));
  });
}

const guarded = closed.filter(({ asked }) => isGuarded(asked.route));
test.each(guarded)("$key without a token gets a 401 from the gateway", async ({ asked }) => {
  const reply = await send(asked);
  expect([reply.status, reply.body]).toEqual([401, { message: "Unauthorized" }]);
});

const optional = closed.filter(({ asked }) => asked.route.access.guard === "optional");
const proving = optional.filter(({ asked }) => guestSends(asked.route).length > 0);
test.each(optional.filter((each) => !proving.includes(each)))(
  "$key without a token does not return 401",
  async ({ asked }) => {
    expect((await send(asked)).status).not.toBe(401);
  },
);

test.each(proving)("$key without any proof gets the gateway's message", async ({ asked }) => {
  const reply = await send(asked);
  expectOurRefusal(reply);
  expect((reply.body as Problem).message).toBe("Unauthorized");
});

test.each(proving)("$key with a proof of nothing does not return 401", async ({ asked }) => {
  const { route, baseUrl } = asked;
  for (const name of guestSends(route)) {
    const path = pathOf(route, () => "nothing");
    const reply = await clientOf(baseUrl()).send(route.method, path, { headers: { [name]: "x" } });
    expect([name, reply.status]).not.toEqual([name, 401]);
  }
});

const open = routes.filter(({ asked }) => asked.route.access.guard === "none");
test.each(open)("$key ignores tokens", async ({ asked }) => {
  const answers = [await send(asked), await send(asked, "Bearer garbage")];
  expect(answers[1]?.status).toBe(answers[0]?.status);
});

describe("a request with a valid token", () => {
  test.each([
    ["/toy/customer", "customer"],
    ["/toy/either", "customer"],
    ["/toy/staff", "staff"],
  ] as const)(
    "to %s reaches its handler with the identity of the %s caller",
    async (path, guard) => {
      const { asked } = toy.find(({ asked }) => asked.route.path === path) ?? {};
      const { token, claims } = await signedIn(world, guard);
      const reply = asked && (await send(asked, `Bearer ${token}`, "{}"));
      expect(reply?.body).toEqual({ data: { kind: guard, id: claims.subject } });
    },
  );
});
