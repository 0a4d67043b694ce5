import { beforeEach, describe, expect, test } from "vitest";
import { KeyRing } from "#shared/runtime/key-ring.ts";
import { openKeys, rememberedKeys } from "#shared/runtime/key-rings.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { testKeys } from "#test/support/http/identity.ts";

const ringOf = (kid: string): KeyRing => ({ current: { ...testKeys.customer.current, kid } });

describe("a key ring of token keys", () => {
  test("refuses keys of less than 32 bytes", () => {
    const sized = (bytes: number) => Buffer.alloc(bytes, 7).toString("base64url");
    const ring = (secret: string) => ({ current: { kid: "a", secret } });
    expect(KeyRing.safeParse(ring(sized(32))).success).toBe(true);
    expect(KeyRing.safeParse(ring(sized(31))).success).toBe(false);
    expect(KeyRing.safeParse(ring("")).success).toBe(false);
    expect(KeyRing.safeParse({ ...ringOf("a"), previous: ring(sized(8)).current }).success).toBe(
      false,
    );
  });

  test("is read from the environment if it is set there", async () => {
    const keys = openKeys({ keys: JSON.stringify(testKeys.customer), secret: undefined });
    expect(await keys("whatever")).toEqual(testKeys.customer);
  });

  test("is refused immediately if it is missing or invalid", () => {
    expect(() => openKeys({ keys: undefined, secret: undefined })).toThrow(TypeError);
    expect(() => openKeys({ keys: "{}", secret: undefined })).toThrow();
    expect(() => openKeys({ keys: "secret", secret: undefined })).toThrow(SyntaxError);
  });
});

describe("cached token keys", () => {
  let time: number;
  let loads: number;
  let stored: KeyRing | Error;
  let keys: ReturnType<typeof rememberedKeys>;

  beforeEach(() => {
    time = 1_000_000;
    loads = 0;
    stored = ringOf("k1");
    keys = rememberedKeys(
      async () => {
        loads += 1;
        if (stored instanceof Error) throw stored;
        return stored;
      },
      () => time,
    );
  });

  test("are loaded once for concurrent first requests", async () => {
    expect(loads).toBe(0);
    await Promise.all([keys(), keys("k1"), keys()]);
    expect(loads).toBe(1);
  });

  test("are reloaded after five minutes", async () => {
    await keys();
    stored = ringOf("k2");
    time += 299_999;
    expect(await keys("k1")).toEqual(ringOf("k1"));
    time += 1;
    expect(await keys()).toEqual(ringOf("k2"));
  });

  test("are reloaded if a token names an unknown key, at most every ten seconds", async () => {
    await keys();
    stored = ringOf("k2");
    time += 9_999;
    expect(await keys("k2")).toEqual(ringOf("k1"));
    time += 1;
    expect(await keys("k2")).toEqual(ringOf("k2"));
    await keys("forged");
    await keys("forged");
    expect(loads).toBe(2);
  });

  test("remain in use while they cannot be reloaded", async () => {
    await keys();
    stored = new Error("throttled");
    time += 300_000;
    expect(await keys()).toEqual(ringOf("k1"));
    expect(await keys()).toEqual(ringOf("k1"));
    expect(loads).toBe(2);
    stored = ringOf("k2");
    time += 10_000;
    expect(await keys()).toEqual(ringOf("k2"));
  });

  test("throw Unavailable if they could not be loaded, and the next request loads them again", async () => {
    stored = new Error("no network");
    await expect(keys()).rejects.toThrow(Unavailable);
    stored = ringOf("k1");
    expect(await keys()).toEqual(ringOf("k1"));
  });

  test("throw Unavailable if they are invalid", async () => {
    stored = { current: { kid: "short", secret: "AAAA" } };
    await expect(keys()).rejects.toThrow(Unavailable);
  });
});
