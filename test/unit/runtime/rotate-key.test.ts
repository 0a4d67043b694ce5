import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rememberedKeys } from "#shared/runtime/key-rings.ts";
import { keyLifetimeMs, rotateOldKey } from "#shared/runtime/rotate-key.ts";
import { secretKeysReader } from "#shared/runtime/secret-keys.ts";
import { openSecretsManager } from "#shared/runtime/secrets-manager.ts";
import { mintToken, tokenLifetimes, verifyToken } from "#shared/auth/tokens.ts";
import {
  type SecretsManagerEmulator,
  startSecretsManager,
} from "#test/support/emulators/secrets-manager.ts";

const start = new Date("2026-11-21T09:00:00Z");
const after = (ms: number) => new Date(start.getTime() + ms);
let drawn = 0;
const randomBytes = (count: number) => Buffer.alloc(count, ++drawn);

describe("the rotation of the key that signs tokens", () => {
  let now: Date;
  let emulator: SecretsManagerEmulator;
  beforeEach(async () => {
    now = start;
    emulator = await startSecretsManager({ now: () => now });
    emulator.versions.push({
      VersionId: "v0".repeat(16),
      SecretString: "s".repeat(64),
      createdAt: start,
    });
  });
  afterEach(() => emulator.stop());

  function rotate(): Promise<boolean> {
    const secretsManager = openSecretsManager(emulator.endpoint);
    return rotateOldKey("tokens", { secretsManager, now, randomBytes });
  }

  test("keeps a key longer than any token is valid, so that no session ends", () => {
    expect(keyLifetimeMs).toBeGreaterThan(Math.max(...Object.values(tokenLifetimes)) * 1000);
  });

  test("replaces the key when it reaches its maximum age, and not before", async () => {
    now = after(keyLifetimeMs - 1000);
    expect(await rotate()).toBe(false);
    now = after(keyLifetimeMs);
    expect(await rotate()).toBe(true);
    expect(await rotate()).toBe(false);
    expect(
      emulator.versions.map(({ SecretString }) => Buffer.from(SecretString, "base64url").length),
    ).toEqual([48, 48]);
  });

  test("replaces the key once, even if many rotations run concurrently", async () => {
    now = after(keyLifetimeMs);
    const rotated = await Promise.all(Array.from({ length: 5 }, rotate));
    expect(rotated.filter(Boolean)).toHaveLength(1);
    expect(emulator.versions).toHaveLength(2);
  });

  test("keeps tokens of the previous key valid until they expire", async () => {
    now = after(keyLifetimeMs - 1000);
    const keys = rememberedKeys(secretKeysReader("tokens", emulator.endpoint), () => now.getTime());
    const claims = { guard: "customer", subject: "cus_1", session: "ses_1", role: null } as const;
    const { token } = await mintToken(claims, keys, now);

    now = after(keyLifetimeMs);
    await rotate();
    now = after(keyLifetimeMs + tokenLifetimes.customer * 1000 - 2000);
    await rotate();
    expect(await verifyToken(token, "customer", keys, now)).toMatchObject({
      claims: { subject: "cus_1" },
    });
  });

  test("throws if Secrets Manager fails", async () => {
    emulator.refusal = { __type: "AccessDeniedException", Message: "no" };
    await expect(rotate()).rejects.toMatchObject({ name: "AccessDeniedException", message: "no" });
  });
});
