import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { KeyRing } from "#shared/runtime/key-ring.ts";
import { Unreadable, seal, unseal } from "#shared/runtime/sealed-text.ts";
import {
  type SecretChanges,
  SettingsSecrets,
  changeSecrets,
  openSecrets,
} from "#shared/storage/settings/secrets.ts";
import { Refused } from "#shared/storage/writes.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

const aKey = (kid: string) => ({ kid, secret: randomBytes(32).toString("base64url") });
const [first, second, third] = [aKey("first"), aKey("second"), aKey("third")];
const ring: KeyRing = { current: first };

describe("an encrypted text", () => {
  test("can be decrypted with its key while that key is the current or the previous one, and is not merely encoded", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, unit: "grapheme" }), (text) => {
        const sealed = seal(text, ring, "here");
        expect(unseal(sealed, ring, "here")).toBe(text);
        expect(unseal(sealed, { current: second, previous: first }, "here")).toBe(text);
        expect(Buffer.from(sealed.text, "base64url").toString()).not.toBe(text);
        expect(seal(text, ring, "here").nonce).not.toBe(sealed.nonce);
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    ["for another location", (sealed: ReturnType<typeof seal>) => unseal(sealed, ring, "there")],
    ["without its key", (sealed) => unseal(sealed, { current: second, previous: third }, "here")],
    [
      "with another key of the same name",
      (sealed) => unseal(sealed, { current: { ...second, kid: "first" } }, "here"),
    ],
    ["with a truncated tag", (sealed) => unseal({ ...sealed, tag: "AAAA" }, ring, "here")],
    [
      "once its ciphertext was changed",
      (sealed) => unseal({ ...sealed, text: seal("another", ring, "here").text }, ring, "here"),
    ],
  ] satisfies [string, (sealed: ReturnType<typeof seal>) => string][])(
    "cannot be decrypted %s",
    (_how, open) => {
      expect(() => open(seal("sk_test_1234567890", ring, "here"))).toThrow(Unreadable);
    },
  );
});

describe("the secrets of the settings", () => {
  let here: TestTable;
  const lines: unknown[] = [];
  const log = { error: (...line: unknown[]) => void lines.push(line) };
  beforeAll(async () => {
    here = await startTestTable();
  });
  afterAll(() => here.stop());
  beforeEach(async () => {
    await here.table.clear("SECRETS#payments");
    lines.length = 0;
  });

  const opened = (keys: KeyRing, now = Date.now) =>
    openSecrets({ table: here.table, keys: async () => keys, log, now });
  async function change(keys: KeyRing, changes: SecretChanges): Promise<boolean> {
    const write = changeSecrets(await opened(keys).read("payments"), changes);
    if (write) await here.table.write(write);
    return write !== undefined;
  }
  const stored = () => here.table.get(SettingsSecrets, { group: "payments" });
  const secretKey = "sk_test_51ExampleExample";

  test("are kept if omitted, replaced by a text and cleared by null", async () => {
    await change(ring, { "gateway.secret_key": secretKey, "gateway.webhook_secret": "whsec_one2" });
    expect(JSON.stringify(await stored())).not.toContain(secretKey);
    expect(await change(ring, {})).toBe(false);
    expect(await change(ring, { "gateway.secret_key": secretKey })).toBe(false);
    await change(ring, { "gateway.webhook_secret": null });
    expect((await opened(ring).read("payments")).revealed).toEqual({
      "gateway.secret_key": secretKey,
      "gateway.webhook_secret": null,
    });
    expect(await change(ring, { "gateway.webhook_secret": null })).toBe(false);
  });

  test("can still be decrypted after a rotation, and the next save encrypts them with the new key", async () => {
    await change(ring, { "gateway.secret_key": secretKey });
    const rotated = { current: second, previous: first };
    expect(await opened(rotated).reveal("payments", "gateway.secret_key")).toBe(secretKey);
    expect(await change(rotated, {})).toBe(true);
    const twice = { current: third, previous: second };
    expect(await opened(twice).reveal("payments", "gateway.secret_key")).toBe(secretKey);
  });

  test("count as not configured while the key that encrypted them is missing: this is logged, and they remain stored", async () => {
    await change(ring, { "gateway.secret_key": secretKey });
    const lost = { current: third };
    expect(await opened(lost).reveal("payments", "gateway.secret_key")).toBeNull();
    expect(lines).toEqual([
      [
        expect.stringContaining("cannot be decrypted"),
        expect.objectContaining({ group: "payments", name: "gateway.secret_key", kid: "first" }),
      ],
    ]);
    await change(lost, { "gateway.webhook_secret": "whsec_entered_anew" });
    expect(await opened(ring).reveal("payments", "gateway.secret_key")).toBe(secretKey);
    await change(lost, { "gateway.secret_key": null });
    expect((await stored())?.sealed).not.toHaveProperty(["gateway.secret_key"]);
  });

  test("are cached for at most two seconds, and a write based on a stale read is refused", async () => {
    let now = 0;
    const held = opened(ring, () => now);
    expect(await held.reveal("payments", "gateway.secret_key")).toBeNull();
    const before = await held.read("payments");
    await change(ring, { "gateway.secret_key": secretKey });
    const late = changeSecrets(before, { "gateway.webhook_secret": "whsec_too_late" });
    await expect(here.table.write(late!)).rejects.toThrow(Refused);
    expect(await held.reveal("payments", "gateway.secret_key")).toBeNull();
    now = 2_000;
    expect(await held.reveal("payments", "gateway.secret_key")).toBe(secretKey);
  });
});
