import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { families } from "#functions/families.ts";
import { openers, resources } from "#infra/generated/entries/admin-exports.ts";
import { onChangeExports } from "#functions/on-change/queue-consumers.ts";
import { openers as openersOfWorker } from "#infra/generated/entries/on-change-exports.ts";
import { openShop } from "#shared/application/shop.ts";
import type { Stack } from "#infra/local/stack.ts";
import { startGuardedStack } from "#test/support/stack/shop.ts";
import { openKeys } from "#shared/runtime/key-rings.ts";
import { newExportJob } from "#shared/domain/export/export-job.ts";
import { ExportFormat, type ExportType, permissionsFor } from "#shared/domain/export/export.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { type Grant, Permission } from "#shared/domain/staff/permission.ts";
import { seededRoles } from "#shared/domain/staff/role.ts";
import {
  type SecretGroup,
  secretGroups,
  secretNames,
} from "#shared/domain/settings/setting-secrets.ts";
import { serve } from "#shared/http/serve.ts";
import { plainLog } from "#shared/runtime/log.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
import { startExport } from "#shared/storage/export/export-jobs.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { Roles, ensureRoles } from "#shared/storage/staff/roles.ts";
import { changeSecrets, openSecrets } from "#shared/storage/settings/secrets.ts";
import { Staff } from "#shared/storage/staff/staff.ts";
import { put } from "#shared/storage/writes.ts";
import { clientOf } from "#test/support/http/client.ts";
import { aCustomer } from "#test/support/people/members.ts";
import { type ExportAnswer, exported, filesOf } from "#test/support/back-office/exports.ts";
import { anEvent, invoke } from "#test/support/http/in-process.ts";
import {
  type SignedIn,
  type World,
  signedIn,
  worldOf,
  staffClient,
} from "#test/support/people/people.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { plantSettings } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aMessage } from "#test/support/emulators/queues.ts";
import { aStaffUser } from "#test/support/people/staff.ts";
import { tableOpeners } from "#test/support/stack/functions.ts";

// A separate shop, because roles and secrets are shared by all tests of a shop.
const { table } = tableOpeners;
let stack: Stack;
let world: World;
let analyst: SignedIn;
beforeAll(async () => {
  stack = await startGuardedStack({
    dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
    families: families.filter(({ name }) => name === "admin-exports"),
    effects: ["exports"],
  });
  world = worldOf(stack.environment);
  await ensureRoles(world.table, new Date());
  await plantSettings(world.table);
  analyst = await signedIn(world, "staff", { role: "analyst" });
});
afterAll(() => stack.stop());

/** Sets the permissions of the caller's role. */
async function grant(...permissions: Grant[]): Promise<void> {
  const role = seededRoles(new Date()).find(({ code }) => code === "analyst");
  if (role) await world.table.write(put(Roles, { ...role, permissions }));
}

const asked = (type: ExportType) =>
  clientOf(stack.baseUrl).get<Problem>(`/admin/exports/${type}`, {
    authorization: `Bearer ${analyst.token}`,
  });

const types: ExportType[] = ["content", "catalog", "orders", "media", "settings", "full"];

test.each(types)(
  "exporting %s requires the permission to run exports and the permissions to view everything in that export",
  async (type) => {
    for (const missing of ["exports.run", ...permissionsFor(type)] as const) {
      await grant(...Permission.options.filter((each) => each !== missing));
      const { status, body } = await asked(type);
      expect([status, body.details]).toEqual([403, { permission: missing }]);
    }
    await grant("exports.run", ...permissionsFor(type));
    expect([200, 202]).toContain((await asked(type)).status);
  },
);

test("the default analyst role can export catalog and content but no personal data", async () => {
  const role = seededRoles(new Date()).find(({ code }) => code === "analyst");
  await grant(...(role?.permissions ?? []));
  for (const type of ["content", "catalog"] as const) {
    expect([200, 202], type).toContain((await asked(type)).status);
  }
  for (const type of ["orders", "full"] as const) {
    const { status, body } = await asked(type);
    expect([type, status, body.details]).toEqual([type, 403, { permission: "orders.customers" }]);
  }
});

describe("an export never contains", () => {
  const canary = (name: string) => `canary-${name.replaceAll(".", "-")}-9c1f4be2`;
  const secrets = (group: SecretGroup): Record<string, string> =>
    Object.fromEntries(secretNames[group].map((name) => [name, canary(name)]));

  beforeAll(async () => {
    const { table } = world;
    const keys = openKeys({ keys: stack.environment.SETTINGS_KEYS, secret: undefined });
    const store = openSecrets({ table, keys, log: plainLog });
    for (const group of secretGroups) {
      const write = changeSecrets(await store.read(group), secrets(group));
      if (write) await table.write(write);
    }
    const placed = aPlacedOrder();
    const now = new Date().toISOString();
    await table.transact([
      put(Staff, aStaffUser({ password_hash: canary("staff") })),
      put(Customers, aCustomer({ password_hash: canary("customer") })),
      put(Orders, {
        ...placed,
        placed_at: now,
        access_token_hash: canary("order"),
        counted: { buyers: [canary("buyer")], open: [], coupon: [] },
      }),
    ]);
  });

  test.each(ExportFormat.options)(
    "a secret of the shop, its staff or its customers in the format %s",
    async (format) => {
      const owner = await staffClient(stack.baseUrl, world, "owner");
      const files = filesOf((await exported(owner, "full", format)).file);
      expect(files.size).toBe(6);
      expect(files.get(`orders.${format}`)?.includes("asha@example.com")).toBe(true);
      for (const file of files.values()) {
        expect(file.includes("canary-")).toBe(false);
        expect(file.includes("$argon2")).toBe(false);
        for (const key of Object.values(world.keys)) {
          expect(file.includes(key.current.secret)).toBe(false);
        }
      }
    },
  );
});

test("an export that fails in every attempt returns 503, and its message reaches the dead letter queue", async () => {
  const { claims } = await signedIn(world, "staff", { role: "owner" });
  const of = { type: "media", format: "csv", requested_by: claims.subject } as const;
  const now = new Date();
  await world.table.write(startExport(newExportJob(of, { id: newId("exp", now), now }), undefined));
  const worker = openShop(stack.environment, { ...openersOfWorker, table });
  const quiet = { ...plainLog, error: () => undefined };
  const begin = async () => Promise.reject(new Error("Storage takes nothing"));
  const broken = { ...worker, exportFiles: { ...worker.exportFiles, begin }, log: quiet };
  const attempt = () => onChangeExports({ Records: [aMessage(of)] }, broken);
  for (let number = 1; number < 5; number++) {
    expect((await attempt()).batchItemFailures).toHaveLength(1);
  }
  await expect(attempt()).rejects.toThrow("failed permanently");
  expect((await attempt()).batchItemFailures).toEqual([]);

  const call = { ...claims, role: claims.role ?? "owner" };
  const { status, headers, body } = await invoke<Problem>(
    serve(resources, () => openShop(stack.environment, { ...openers, table })),
    anEvent("GET /api/v1/admin/exports/{type}", {
      params: { type: "media" },
      query: { format: "csv" },
      verdict: call,
    }),
  );
  expect([status, body.code, headers["Retry-After"]]).toEqual([503, "unavailable", "60"]);
});

describe("a request for an export", () => {
  /** The function with its own clock, which advances only while a request waits. No worker receives its messages. */
  async function waiting(whileWaiting: (sent: readonly unknown[]) => Promise<unknown>) {
    const { claims } = await signedIn(world, "staff", { role: "owner" });
    const begun = Date.now();
    const seen = { waitedMs: 0, sent: [] as unknown[] };
    const handler = serve(resources, () => ({
      ...openShop(stack.environment, { ...openers, table }),
      now: () => new Date(begun + seen.waitedMs),
      async pause(ms) {
        seen.waitedMs += ms;
        await whileWaiting(seen.sent);
      },
      exportsQueue: {
        send: async (messages) => void seen.sent.push(...messages),
        postpone: async () => undefined,
      },
    }));
    const verdict = { ...claims, role: claims.role ?? "owner" };
    const call = () =>
      invoke<{ data: ExportAnswer }>(
        handler,
        anEvent("GET /api/v1/admin/exports/{type}", { params: { type: "media" }, verdict }),
      );
    return { call, seen, job: { type: "media", format: "json", requested_by: claims.subject } };
  }

  test("returns 202 after 20 seconds if the export takes longer, and a repeated request returns 202 without starting a second job", async () => {
    const { call, seen, job } = await waiting(async () => undefined);
    const first = await call();
    expect([first.status, first.body.data]).toEqual([202, { status: "running", records: 0 }]);
    expect(Number(first.headers["Retry-After"])).toBeGreaterThan(0);
    expect(seen.waitedMs).toBeGreaterThan(19_000);
    expect(seen.waitedMs).toBeLessThanOrEqual(20_000);
    expect((await call()).status).toBe(202);
    expect(seen.sent).toEqual([job]);
  });

  test("returns 200 as soon as the export is finished while the request waits", async () => {
    const worker = openShop(stack.environment, { ...openersOfWorker, table });
    const { call, seen } = await waiting(async ([message]) => {
      // The worker starts late, but before the wait is over.
      if (seen.waitedMs > 10_000) await onChangeExports({ Records: [aMessage(message)] }, worker);
    });
    const { status, body } = await call();
    expect([status, body.data.status]).toEqual([200, "ready"]);
    expect(seen.waitedMs).toBeLessThan(12_000);
  });
});
