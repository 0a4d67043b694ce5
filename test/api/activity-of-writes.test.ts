// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { targetKinds } from "#functions/admin-insights/activity.ts";
import type { Stack } from "#infra/local/stack.ts";
import { openActivityLog } from "#shared/storage/staff/activity.ts";
import { everyCall, nameOf } from "#test/support/calls/every-call.ts";
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

// A separate shop, because some calls change shared records.
let stack: Stack;
let prepare: Awaited<ReturnType<typeof everyCall>>;
beforeAll(async () => {
  stack = await startGuardedStack({ shop: "planted" });
  prepare = await everyCall(stack.baseUrl, stack.environment);
});
afterAll(() => stack.stop());

/** The kinds of records that a request changed, according to the activity log. */
async function kindsOf(requestId: string | null): Promise<string[]> {
  const log = openActivityLog(tableOf(stack.environment));
  const now = Date.now();
  const range = { from: new Date(now - 3_600_000), until: new Date(now + 3_600_000) };
  const { records } = await log.list({ range }, { limit: 50 });
  return records.flatMap(({ request_id, target }) =>
    request_id === requestId ? [target.kind] : [],
  );
}

describe("each write by staff", () => {
  test.each(writes.map((route) => [nameOf(route), route] as const))(
    "is recorded in the activity log under a kind that the log can be filtered by, unless the route is exempted: %s",
    async (name, route) => {
      const call = await prepare(route);
      const reply = await call(stack.baseUrl);
      expect(`${reply.status} ${reply.text}`).toMatch(/^2/);
      const kinds = await kindsOf(reply.headers.get("x-request-id"));
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
