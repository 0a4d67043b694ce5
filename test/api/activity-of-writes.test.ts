// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { targetKinds } from "#functions/admin-insights/activity.ts";
import type { Stack } from "#infra/local/stack.ts";
import type { Activity } from "#shared/domain/staff/activity.ts";
import type { Method } from "#shared/http/route.ts";
import { openActivityLog } from "#shared/storage/staff/activity.ts";
import { everyCallInput, nameOf, send } from "#test/support/calls/every-call.ts";
import type { Data } from "#test/support/back-office/catalog.ts";
import { clientOf } from "#test/support/http/client.ts";
import { everyRoute } from "#test/support/http/every-route.ts";
import { tableOf } from "#test/support/shop/plant.ts";
import { startGuardedStack } from "#test/support/stack/shop.ts";

/** Writes by staff that are not logged, and why: they change no record of the shop. */
const unlogged: Readonly<Record<string, string>> = {
  "POST /admin/auth/logout": "It ends the caller's own session",
  "POST /admin/auth/totp":
    "It only proposes a secret. The request that confirms the secret is logged",
  "POST /admin/settings/email/test": "It sends a test message",
  "POST /admin/settings/messaging/test": "It sends a test message",
};

const writes = everyRoute
  .map(({ route }) => route)
  .filter(({ method, access }) => method !== "GET" && access.guard === "staff");

/** How the actions end that a method's routes are logged as. */
const actionsOf: Readonly<Partial<Record<Method, RegExp>>> = {
  PUT: /\.(?:update|replace)$/,
  DELETE: /\.(?:delete|archive|(?:remove|reset|end)_\w+)$/,
};

// A separate shop, because some calls change shared records.
let stack: Stack;
let prepare: Awaited<ReturnType<typeof everyCallInput>>;
beforeAll(async () => {
  stack = await startGuardedStack({ shop: "planted" });
  prepare = await everyCallInput(stack.baseUrl, stack.environment);
});
afterAll(() => stack.stop());

/** What the activity log says of a request. */
async function loggedOf(requestId: string | null): Promise<Activity[]> {
  const log = openActivityLog(tableOf(stack.environment));
  const now = Date.now();
  const range = { from: new Date(now - 3_600_000), until: new Date(now + 3_600_000) };
  const { records } = await log.list({ range }, { limit: 50 });
  return records.filter(({ request_id }) => request_id === requestId);
}

describe("each write by staff", () => {
  test.each(writes.map((route) => [nameOf(route), route] as const))(
    "is recorded in the activity log with its actor, under a kind that the log can be filtered by, unless the route is exempted: %s",
    async (name, route) => {
      const { input, proof } = await prepare(route);
      const client = clientOf(stack.baseUrl);
      const caller = await client.get<Data<{ id: string }>>("/admin/auth/me", {
        ...proof,
        ...input.headers,
      });
      const reply = await send(client, route, input, proof);
      expect(`${reply.status} ${reply.text}`).toMatch(/^2/);
      const logged = await loggedOf(reply.headers.get("x-request-id"));
      for (const { actor_id } of logged) expect(actor_id).toBe(caller.body.data.id);
      for (const { action, changes } of logged) {
        expect(action).toMatch(actionsOf[route.method] ?? /\./);
        if (route.method.startsWith("P") && route.method !== "POST") {
          expect(changes, `${action} says nothing about what it changed`).not.toEqual([]);
        }
      }
      const kinds = logged.map(({ target }) => target.kind);
      const advice =
        `${name} stores nothing in the activity log. Add recordActivity to its transaction; recordRoutes and ` +
        "rowStore do so. If it changes no record, name it in `unlogged` with the reason.";
      expect(kinds.length > 0, advice).toBe(!(name in unlogged));
      const unknown = kinds.filter((kind) => !targetKinds.includes(kind));
      expect(unknown, "Add the kind to targetKinds, functions/admin-insights/activity.ts").toEqual(
        [],
      );
    },
  );
});
