import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stack, startStack } from "#infra/local/stack.ts";
import { type Grant, Permission } from "#shared/domain/staff/permission.ts";
import { seededRoles } from "#shared/domain/staff/role.ts";
import { Roles, ensureRoles } from "#shared/storage/staff/roles.ts";
import type { Method } from "#shared/http/route.ts";
import { put } from "#shared/storage/writes.ts";
import { type Reply, clientOf } from "#test/support/http/client.ts";
import { everyRoute, pathOf, takesBody } from "#test/support/http/every-route.ts";
import { type World, signedIn, worldOf } from "#test/support/people/people.ts";
import { faultOf } from "#test/support/http/answers.ts";

// A separate shop, because roles are shared by all tests of a shop.
let stack: Stack;
let world: World;
let token: string;
beforeAll(async () => {
  stack = await startStack({
    dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
    consumers: [],
  });
  world = worldOf(stack.environment);
  await ensureRoles(world.table, new Date());
  ({ token } = await signedIn(world, "staff", { role: "analyst" }));
});
afterAll(() => stack.stop());

const writing: readonly Method[] = ["POST", "PUT", "PATCH", "DELETE"];

/**
 * The permission of each path under /admin, and of some methods of it; null where any staff user may call it. The
 * first row that fits decides.
 */
const permissionTable: readonly (readonly [RegExp, readonly Method[], string | null])[] = [
  [/^\/(?:auth|sessions|dashboard)/, ["GET", ...writing], null],
  [/^\/colleagues/, ["GET"], "leads.edit or orders.create"],
  [/^\/quotes(?:\/\{id\}\/place)?$/, ["POST"], "orders.create"],
  [/^\/quotes/, writing, "leads.edit or orders.create"],
  [/^\/newsletter\/export/, ["GET"], "leads.edit"],
  [/^\/(?:leads|quotes|newsletter)/, ["GET"], "leads.view"],
  [/^\/leads/, writing, "leads.edit"],
  [/^\/(?:users|roles)/, ["GET"], "staff.view"],
  [/^\/(?:users|roles)/, writing, "staff.edit"],
  [/^\/settings/, ["GET"], "settings.view"],
  [/^\/settings/, writing, "settings.edit"],
  [/^\/analytics/, ["GET"], "analytics.view"],
  [/^\/activity/, ["GET"], "activity.view"],
  [/^\/(?:products|sofas|materials|categories)/, ["GET"], "catalog.view"],
  [/^\/(?:products|sofas|materials|categories)\/\{id\}$/, ["DELETE"], "catalog.delete"],
  [/^\/(?:products|sofas|materials|categories)/, writing, "catalog.edit"],
  [/^\/(?:inventory|locations)/, ["GET"], "inventory.view"],
  [/^\/(?:inventory|locations)/, writing, "inventory.adjust"],
  [/\/(?:un)?publish$/, ["POST"], "content.publish"],
  [
    /^\/(?:homepage|announcement|menus|pages|faqs|interiors|redirects|sofa-landing)/,
    ["GET"],
    "content.view",
  ],
  [
    /^\/(?:homepage|announcement|menus|pages|faqs|interiors|redirects|sofa-landing)/,
    writing,
    "content.edit",
  ],
  [/^\/customers\/\{id\}\/export|^\/exports/, ["GET"], "exports.run"],
  [/^\/(?:orders|customers|coupons|deliveries|delivery-days)/, ["GET"], "orders.view"],
  [/^\/customers/, writing, "orders.customers"],
  [/^\/coupons/, writing, "orders.coupons"],
  [
    /^\/orders.*\/(?:payment-schedule\/\{code\}|void|refunds|refunds\/\{transaction\})$/,
    writing,
    "orders.refund",
  ],
  [/^\/(?:orders|delivery-days)/, writing, "orders.update"],
  [/^\/returns/, ["GET"], "returns.view"],
  [/^\/returns/, writing, "returns.edit"],
  [/^\/media/, ["GET"], "media.view"],
  [/^\/media/, writing, "media.edit"],
  [/^\/inbox/, ["GET"], "inbox.view"],
  [/^\/inbox/, writing, "inbox.reply"],
];

test("each route for staff requires the permission of its path and method", () => {
  const wrong = everyRoute.flatMap(({ key, route: { access, method, path } }) => {
    if (access.guard !== "staff") return [];
    const declared = [access.permission, access.or].filter(Boolean).join(" or ") || null;
    const row = permissionTable.find(
      ([pattern, methods]) =>
        methods.includes(method) && pattern.test(path.replace(/^\/admin/, "")),
    );
    return row?.[2] === declared ? [] : [`${key}: ${declared}`];
  });
  expect(wrong, "Add the path to `permissionTable`").toEqual([]);
});

/** Sets the permissions of the caller's role. */
async function grant(...permissions: Grant[]): Promise<void> {
  const role = seededRoles(new Date()).find(({ code }) => code === "analyst");
  if (role) await world.table.write(put(Roles, { ...role, permissions }));
}

const gated = everyRoute.flatMap(({ key, route }) => {
  const { permission = null, or } = route.access.guard === "staff" ? route.access : {};
  return permission === null ? [] : [{ key, route, permission, or }];
});

/** The first route of each permission runs every day. */
const [first, others] = [
  gated.filter((each, at) => gated.findIndex((one) => one.permission === each.permission) === at),
  gated.filter((each, at) => gated.findIndex((one) => one.permission === each.permission) < at),
];
describe.each(first)("$key", needsItsPermission);
describe.each(others)("$key", { tags: "slow" }, needsItsPermission);

function needsItsPermission({ route, permission, or }: (typeof gated)[number]): void {
  const send = (body: string): Promise<Reply> =>
    clientOf(stack.baseUrl).send(
      route.method,
      pathOf(route, () => "nothing"),
      {
        headers: {
          authorization: `Bearer ${token}`,
          ...(takesBody(route) && { "content-type": "application/json" }),
        },
        ...(takesBody(route) && { body }),
      },
    );

  test(`returns 403 to a user with every permission except ${permission}, and names that permission`, async () => {
    await grant(...Permission.options.filter((other) => other !== permission && other !== or));
    for (const body of ["{", "{}"]) {
      const reply = await send(body);
      expect([reply.status, reply.body]).toEqual([
        403,
        expect.objectContaining({ code: "forbidden", details: { permission } }),
      ]);
      expect(faultOf(reply)).toBeUndefined();
    }
  });

  test.each(or ? [permission, or] : [permission])(
    "accepts a user with only %s from the next request on",
    async (only) => {
      await grant(only);
      const { status } = await send("{");
      expect([401, 403]).not.toContain(status);
    },
  );
}
