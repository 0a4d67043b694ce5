import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { resealSettings } from "#infra/cli/reseal-settings.ts";
import type { KeyRing } from "#shared/runtime/key-ring.ts";
import {
  type SecretChanges,
  changeSecrets,
  openSecrets,
} from "#shared/storage/settings/secrets.ts";
import type { SecretGroup } from "#shared/domain/settings/setting-secrets.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

const aKey = (kid: string) => ({ kid, secret: randomBytes(32).toString("base64url") });
const [first, second, third] = [aKey("first"), aKey("second"), aKey("third")];

let here: TestTable;
beforeEach(async () => {
  here = await startTestTable();
});
afterEach(() => here.stop());

const secretsUnder = (ring: KeyRing) =>
  openSecrets({ table: here.table, keys: async () => ring, log: { error: () => undefined } });

async function save(ring: KeyRing, group: SecretGroup, changes: SecretChanges): Promise<void> {
  const write = changeSecrets(await secretsUnder(ring).read(group), changes);
  if (write) await here.table.write(write);
}

test("two key rotations, each followed by reseal-settings, lose no secret", async () => {
  await save({ current: first }, "payments", { "gateway.secret_key": "sk_test_1234567890" });
  await save({ current: first }, "messaging", { "whatsapp.access_token": "token-1234567890" });

  for (const [current, previous] of [
    [second, first],
    [third, second],
  ] as const) {
    const secrets = secretsUnder({ current, previous });
    expect(await resealSettings(here.table, secrets)).toEqual(["payments", "messaging"]);
    expect(await resealSettings(here.table, secrets)).toEqual([]);
  }

  const alone = secretsUnder({ current: third });
  expect(await alone.reveal("payments", "gateway.secret_key")).toBe("sk_test_1234567890");
  expect(await alone.reveal("messaging", "whatsapp.access_token")).toBe("token-1234567890");
});

test("reseal-settings fails on a secret that no key can decrypt", async () => {
  await save({ current: first }, "payments", { "gateway.secret_key": "sk_test_1234567890" });
  await expect(
    resealSettings(here.table, secretsUnder({ current: third, previous: second })),
  ).rejects.toThrow("No key can decrypt gateway.secret_key of payments.");
});
