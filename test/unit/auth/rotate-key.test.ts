import { describe, expect, test } from "vitest";
import { keyLifetimeMs, rotateOldKey } from "#shared/auth/rotate-key.ts";
import { rememberedKeys } from "#shared/auth/key-rings.ts";
import type { SecretsManager } from "#shared/auth/secret-keys.ts";
import { mintToken, tokenLifetimes, verifyToken } from "#shared/auth/tokens.ts";

const start = new Date("2026-11-21T09:00:00Z");
const after = (ms: number) => new Date(start.getTime() + ms);
let drawn = 0;
const randomBytes = (count: number) => Buffer.alloc(count, ++drawn);

/** A secret as Secrets Manager keeps it: versions by their ids, the newest current. */
function aSecret(now: () => Date) {
  const versions = [{ VersionId: "v0".repeat(16), SecretString: "s".repeat(64), at: start }];
  const secretsManager: SecretsManager = async (action, { ClientRequestToken, SecretString }) => {
    const current = versions.at(-1);
    if (action === "GetSecretValue") {
      return { answer: { ...current, CreatedDate: (current?.at.getTime() ?? 0) / 1000 } };
    }
    const VersionId = ClientRequestToken ?? "";
    if (versions.some((version) => version.VersionId === VersionId)) {
      return { refusal: "ResourceExistsException", message: "There is such a version" };
    }
    versions.push({ VersionId, SecretString: SecretString ?? "", at: now() });
    return { answer: { VersionId } };
  };
  const key = (back: number) => {
    const found = versions.at(-1 - back);
    return found && { kid: found.VersionId, secret: found.SecretString };
  };
  return { versions, secretsManager, ring: async () => ({ current: key(0), previous: key(1) }) };
}

describe("what signs tokens", () => {
  test("lives longer than any token, so that none dies of a rotation", () => {
    expect(keyLifetimeMs).toBeGreaterThan(Math.max(...Object.values(tokenLifetimes)) * 1000);
  });

  test("is replaced once it is old, and not before", async () => {
    let now = start;
    const { versions, secretsManager } = aSecret(() => now);
    const rotate = () => rotateOldKey("tokens", { secretsManager, now, randomBytes });

    now = after(keyLifetimeMs - 1000);
    expect(await rotate()).toBe(false);
    now = after(keyLifetimeMs);
    expect(await rotate()).toBe(true);
    expect(await rotate()).toBe(false);
    expect(
      versions.map(({ SecretString }) => Buffer.from(SecretString, "base64url").length),
    ).toEqual([48, 48]);
  });

  test("is replaced once by many at the same time", async () => {
    const now = after(keyLifetimeMs);
    const { versions, secretsManager } = aSecret(() => start);
    const rotations = Array.from({ length: 5 }, () =>
      rotateOldKey("tokens", { secretsManager, now, randomBytes }),
    );
    expect((await Promise.all(rotations)).filter(Boolean)).toHaveLength(1);
    expect(versions).toHaveLength(2);
  });

  test("leaves the tokens alive that it has signed, for as long as they are meant to live", async () => {
    let now = after(keyLifetimeMs - 1000);
    const { secretsManager, ring } = aSecret(() => now);
    const keys = rememberedKeys(ring, () => now.getTime());
    const claims = { guard: "customer", subject: "cus_1", session: "ses_1", role: null } as const;
    const { token } = await mintToken(claims, keys, now);

    now = after(keyLifetimeMs);
    await rotateOldKey("tokens", { secretsManager, now, randomBytes });
    now = after(keyLifetimeMs + tokenLifetimes.customer * 1000 - 2000);
    await rotateOldKey("tokens", { secretsManager, now, randomBytes });
    expect(await verifyToken(token, "customer", keys, now)).toMatchObject({
      claims: { subject: "cus_1" },
    });
  });

  test("stays as it is when Secrets Manager refuses, and whoever asked is told", async () => {
    const secretsManager: SecretsManager = async () => ({
      refusal: "AccessDeniedException",
      message: "no",
    });
    await expect(
      rotateOldKey("tokens", { secretsManager, now: start, randomBytes }),
    ).rejects.toThrow("AccessDeniedException: no");
  });
});
