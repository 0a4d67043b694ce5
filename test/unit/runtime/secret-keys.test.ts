import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { secretKeysReader } from "#shared/runtime/secret-keys.ts";
import { testKeys } from "#test/support/http/identity.ts";
import {
  type SecretsManagerEmulator,
  startSecretsManager,
} from "#test/support/emulators/secrets-manager.ts";

const createdAt = new Date("2026-11-21T09:00:00Z");
const newer = { VersionId: "v2", SecretString: testKeys.customer.current.secret, createdAt };
const older = { VersionId: "v1", SecretString: testKeys.customer.previous.secret, createdAt };
const arn = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:tokens-AbCdEf";

let emulator: SecretsManagerEmulator;
beforeEach(async () => {
  emulator = await startSecretsManager({ now: () => createdAt });
});
afterEach(() => emulator.stop());

describe("the reader of secret keys", () => {
  test("returns a secret's current and previous versions as keys, named by version id", async () => {
    emulator.versions.push(older, newer);
    expect(await secretKeysReader(arn, emulator.endpoint)()).toEqual({
      current: { kid: "v2", secret: newer.SecretString },
      previous: { kid: "v1", secret: older.SecretString },
    });
    expect(emulator.calls.map(({ SecretId }) => SecretId)).toEqual([arn, arn]);
  });

  test("returns one key for a secret that was never rotated", async () => {
    emulator.versions.push(older);
    const ring = await secretKeysReader(arn, emulator.endpoint)();
    expect(ring).toEqual({
      current: { kid: "v1", secret: older.SecretString },
      previous: undefined,
    });
  });

  test("throws for a missing secret and for a secret that it may not read", async () => {
    const read = secretKeysReader(arn, emulator.endpoint);
    await expect(read()).rejects.toThrow("no version");
    emulator.versions.push(newer);
    emulator.refusal = { __type: "AccessDeniedException", Message: "denied" };
    await expect(read()).rejects.toThrow("denied");
  });

  test("returns the new key at the next read after a rotation", async () => {
    const read = secretKeysReader(arn, emulator.endpoint);
    emulator.versions.push(older);
    await read();
    emulator.versions.push(newer);
    expect(await read()).toMatchObject({ current: { kid: "v2" }, previous: { kid: "v1" } });
  });
});
