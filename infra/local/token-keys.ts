import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { KeyRing } from "#shared/auth/key-rings.ts";

const TokenKeys = z.strictObject({ customer: KeyRing, staff: KeyRing });
type TokenKeys = z.output<typeof TokenKeys>;

/**
 * Signing keys of this machine alone.
 *
 * @param dataDir where they are kept beside the data, so that who is signed in stays so over a restart
 */
export async function localTokenKeys(dataDir: string | undefined): Promise<TokenKeys> {
  const made: TokenKeys = { customer: newRing(), staff: newRing() };
  if (dataDir === undefined) return made;
  const file = join(dataDir, "token-keys.json");
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(file, JSON.stringify(made), { flag: "wx", mode: 0o600 });
    return made;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    return TokenKeys.parse(JSON.parse(await readFile(file, "utf8")));
  }
}

const newRing = (): KeyRing => ({
  current: { kid: randomUUID(), secret: randomBytes(32).toString("base64url") },
});
