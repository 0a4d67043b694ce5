import { expect, test } from "vitest";
import { families } from "#functions/families.ts";
import type { RoleCode } from "#shared/domain/staff/role.ts";
import { SeenSessions, StaffSessions } from "#shared/storage/staff/sessions.ts";
import { update } from "#shared/storage/writes.ts";
import { aPassword } from "#test/support/people/members.ts";
import { pathOf } from "#test/support/http/every-route.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { asking } from "#test/support/people/people.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, world, staffAs } = await useShop();

const colleague = (role: RoleCode) => staffAs(role);

interface Session {
  id: string;
  created_at: string;
  last_seen_at: string;
  address: string | null;
  agent: string | null;
  current: boolean;
}

async function signIn(email: string) {
  const { body } = await asking(baseUrl)<Data<{ token: string }>>(
    "POST",
    "/admin/auth/login",
    { email, password: aPassword },
    { "user-agent": "back-office/1", "x-forwarded-for": "10.1.2.3" },
  );
  return asking(baseUrl, body.data.token);
}

test("users can list their sessions with IP address and device, and end each one", async () => {
  const me = await colleague("sales");
  const other = await colleague("sales");
  const second = await signIn((await me.stored()).email);
  const list = async () => (await me.get<Data<Session[]>>("/admin/sessions")).body.data;
  const sessions = await list();
  expect(sessions.map(({ current }) => current)).toEqual([false, true]);
  const [begun, own] = sessions;
  expect(begun).toMatchObject({ address: "10.1.2.3", agent: "back-office/1" });
  expect(begun?.last_seen_at).toBe(begun?.created_at);

  const path = `/admin/sessions/${begun?.id}`;
  expect((await other.delete(path)).status).toBe(404);
  expect((await me.delete(path)).status).toBe(204);
  expect((await second("GET", "/admin/auth/me")).status).toBe(401);
  expect((await list()).map(({ id }) => id)).toEqual([own?.id]);
  expect((await me.delete(path)).status).toBe(404);
});

/** A user who signed in two hours ago. */
async function earlier() {
  const me = await colleague("owner");
  const [session] = (await me.get<Data<Session[]>>("/admin/sessions")).body.data;
  const begun = new Date(Date.now() - 2 * 3_600_000).toISOString();
  const id = { guard: "staff", subject: me.id, session: session?.id ?? "" } as const;
  await world.table.write(update(StaffSessions, id, { set: { created_at: begun } }));
  return { me, begun, session: id.session };
}

test.each(
  families.flatMap(({ name, routes }) => {
    const ofStaff = routes.filter(({ access }) => access.guard === "staff");
    const route = ofStaff.find(({ method }) => method === "GET") ?? ofStaff[0];
    return route ? [[name, route.method, pathOf(route, () => "nothing")] as const] : [];
  }),
)(
  "a request to the function family %s updates the session's last use",
  async (_name, method, path) => {
    const { me, session } = await earlier();
    await me.ask(method, path.replace("/api/v1", ""));
    expect(await world.table.get(SeenSessions, { session })).toBeDefined();
  },
);

test("a session's last use is recorded, even by a function that otherwise only reads", async () => {
  const { me, begun } = await earlier();
  const before = Date.now();
  expect((await me.get("/admin/dashboard")).status).toBe(200);
  const [seen] = (await me.get<Data<Session[]>>("/admin/sessions")).body.data;
  expect(seen?.created_at).toBe(begun);
  expect(Date.parse(seen?.last_seen_at ?? "")).toBeGreaterThanOrEqual(before);
});
