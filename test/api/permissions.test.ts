import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stack, startStack } from "#infra/local/stack.ts";
import { type Grant, Permission } from "#shared/domain/staff/permission.ts";
import { seededRoles } from "#shared/domain/staff/role.ts";
import { Roles, ensureRoles } from "#shared/storage/staff/roles.ts";
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
