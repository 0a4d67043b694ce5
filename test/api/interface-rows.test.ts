import { beforeAll, describe, expect, test } from "vitest";
import type { RoleCode } from "#shared/domain/staff/role.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { type Reply, clientOf } from "#test/support/http/client.ts";
import { send as sendCall } from "#test/support/calls/every-call.ts";
import { differenceOf } from "#test/support/http/answers.ts";
import { everyRoute } from "#test/support/http/every-route.ts";
import { type CallInput, interfaceCalls } from "#test/support/calls/interface-calls.ts";
import { bearer } from "#test/support/people/members.ts";
import { signedIn } from "#test/support/people/people.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, world } = await useShop({
  effects: ["exports", "mail"],
  sockets: true,
});

/** The endpoints that the specification of the API lists, by who may call them. */
const tables: Record<"anyone" | "customer" | "staff", readonly string[]> = {
  anyone: [
    "GET /health",
    "GET /bootstrap",
    "GET /home",
    "GET /pages/{slug}",
    "GET /faqs",
    "GET /interiors",
    "GET /redirects",
    "POST /leads",
    "POST /quotes",
    "POST /media/fabric",
    "POST /analytics/events",
    "GET /sofas",
    "GET /sofas/{slug}",
    "GET /sofas/materials",
    "GET /products",
    "GET /products/{slug}",
    "GET /products/{slug}/related",
    "GET /cart",
    "POST /cart",
    "PATCH /cart/items",
    "DELETE /cart/items/{id}",
    "POST /checkout",
    "POST /checkout/coupon",
    "POST /checkout/{order}/confirm",
    "GET /shipping/quote",
    "GET /orders/track/{number}",
    "POST /auth/register",
    "POST /auth/login",
    "POST /auth/forgot-password",
    "POST /auth/reset-password",
    "POST /admin/auth/login",
    "POST /admin/auth/forgot-password",
    "POST /admin/auth/reset-password",
  ],
  customer: [
    "POST /auth/logout",
    "GET /auth/me",
    "PUT /account/profile",
    "PUT /account/preferences",
    "GET|POST /addresses",
    "GET|PUT|PATCH|DELETE /addresses/{id}",
    "POST /addresses/{id}/default",
    "GET /orders",
    "GET /orders/{id}",
    "GET|POST /wishlist",
    "DELETE /wishlist/{product}",
  ],
  staff: [
    "POST /admin/auth/logout",
    "GET /admin/auth/me",
    "PATCH /admin/auth/profile",
    "GET /admin/dashboard",
    "GET|PUT /admin/homepage",
    "POST /admin/homepage/publish",
    "GET|PUT /admin/announcement",
    "GET|PUT /admin/menus",
    "GET|POST /admin/pages",
    "GET|POST /admin/sofas",
    "GET|PUT|PATCH|DELETE /admin/sofas/{id}",
    "GET|POST /admin/products",
    "GET|PUT|PATCH|DELETE /admin/products/{id}",
    "GET /admin/inventory",
    "GET|POST /admin/users",
    "GET|PATCH /admin/users/{id}",
    "GET /admin/roles",
    "PUT /admin/roles/{role}",
    "GET|POST /admin/media",
    "PATCH|DELETE /admin/media/{id}",
    "GET /admin/exports/content",
    "GET /admin/exports/catalog",
    "GET /admin/exports/orders",
    "GET /admin/exports/media",
    "GET /admin/exports/settings",
    "GET /admin/exports/full",
  ],
};

/** The endpoints that require one permission, and a role that lacks this permission. */
const outsiders: readonly (readonly [pattern: RegExp, role: RoleCode])[] = [
  [/^\w+ \/admin\/(?:homepage|announcement|menus|pages)/, "order_desk"],
  [/^(?!GET)\w+ \/admin\/(?:sofas|products)/, "analyst"],
  [/^\w+ \/admin\/inventory/, "content_editor"],
];

const rows = Object.entries(tables).flatMap(([caller, lines]) =>
  lines.flatMap((line) => {
    const [methods = "", path = ""] = line.split(" ");
    return methods.split("|").map((method) => ({ row: `${method} ${path}`, caller }));
  }),
);

const { MEDIA_BASE_URL } = environment;
let shop: Awaited<ReturnType<typeof interfaceCalls>>;
beforeAll(async () => {
  shop = await interfaceCalls(baseUrl, environment);
});

/** The route of a row such as `GET /orders`. The rows of exports share one route, which has a parameter. */
function routeOf(row: string) {
  const key = row.replace(/ (.*\/exports\/)\w+$/, " $1{type}").replace(" ", ` ${apiPrefix}`);
  const found = everyRoute.find((each) => each.key === key)?.route;
  if (!found) throw new Error(`${key} is not declared`);
  return found;
}

const send = (row: string, input: CallInput, proof: Record<string, string>): Promise<Reply> =>
  sendCall(clientOf(baseUrl), routeOf(row), input, proof);

/** The reply to a row. An export is requested until its file is ready. */
async function replyTo(row: string, proof: Record<string, string>): Promise<Reply> {
  const input = await shop.inputOf(row);
  if (!row.startsWith("GET /admin/exports/")) return send(row, input, proof);
  return waitFor("exports", async () => {
    const reply = await send(row, input, proof);
    if (reply.status === 202) throw new Error("The export is not ready yet");
    return reply;
  });
}

describe.each(rows)("$row", ({ row, caller }) => {
  test(`returns the documented success response to ${caller}`, async () => {
    const proof = shop.proofs[caller] ?? {};
    const reply = await replyTo(row, proof);
    expect(differenceOf(routeOf(row), reply, MEDIA_BASE_URL)).toBeUndefined();
  });
});

describe.each(rows.filter(({ caller }) => caller !== "anyone"))("$row", ({ row, caller }) => {
  test("returns 401 without a token and with the other guard's token", async () => {
    const other = caller === "staff" ? "customer" : "staff";
    for (const proof of [{}, shop.proofs[other] ?? {}]) {
      expect((await send(row, {}, proof)).status).toBe(401);
    }
  });
});

const gated = rows.flatMap(({ row }) =>
  outsiders.flatMap(([pattern, role]) => (pattern.test(row) ? [{ row, role }] : [])),
);
test.each(gated)(
  "$row returns 403 to the role $role, which lacks the permission",
  async ({ row, role }) => {
    const { token } = await signedIn(world, "staff", { role });
    expect((await send(row, {}, bearer(token))).status).toBe(403);
  },
);

test("a draft page returns 404 to the public", async () => {
  const slug = "about-us-as-a-draft";
  const made = await send(
    "POST /admin/pages",
    { body: { slug, title: "About", blocks: [] } },
    {
      ...shop.proofs["staff"],
    },
  );
  expect(made.status).toBe(201);
  expect((await send("GET /pages/{slug}", { params: { slug } }, {})).status).toBe(404);
});
