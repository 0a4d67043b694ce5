import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { KeyRing } from "#shared/runtime/key-ring.ts";

const TokenKeys = z.strictObject({ customer: KeyRing, staff: KeyRing, links: KeyRing });
type TokenKeys = z.output<typeof TokenKeys>;

/**
 * Signing keys of sessions and links for the local stack.
 *
 * @param dataDir folder that keeps the keys, so that both survive a restart
 */
export function localTokenKeys(dataDir: string | undefined): Promise<TokenKeys> {
  const made = { customer: newRing(), staff: newRing(), links: newRing() };
  return kept(dataDir, "token-keys.json", TokenKeys, made);
}

/**
 * Keys that encrypt secrets in the local stack's settings.
 *
 * @param dataDir folder that keeps the keys, so that the secrets in settings stay readable after a restart
 */
export function localSettingsKeys(dataDir: string | undefined): Promise<KeyRing> {
  return kept(dataDir, "settings-keys.json", KeyRing, newRing());
}

/**
 * Returns the keys that an earlier start has stored in `dataDir`. If there are none, returns new keys, and stores them
 * if `dataDir` is defined.
 */
async function kept<Keys>(
  dataDir: string | undefined,
  name: string,
  schema: z.ZodType<Keys>,
  made: Keys,
): Promise<Keys> {
  if (dataDir === undefined) return made;
  const file = join(dataDir, name);
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(file, JSON.stringify(made), { flag: "wx", mode: 0o600 });
    return made;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    return schema.parse(JSON.parse(await readFile(file, "utf8")));
  }
}

const newRing = (): KeyRing => ({
  current: { kid: randomUUID(), secret: randomBytes(32).toString("base64url") },
});
