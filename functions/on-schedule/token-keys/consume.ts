import { rotateOldKey } from "#shared/runtime/rotate-key.ts";
import type { Deps } from "./deps.ts";

/** Rotates signing keys that are due for rotation. Tokens signed by the previous key stay valid. */
export async function consume(_event: unknown, deps: Deps): Promise<void> {
  const { secrets, secretsManager, randomBytes, log, now } = deps;
  for (const secret of secrets) {
    const isNew = await rotateOldKey(secret, { secretsManager, randomBytes, now: now() });
    if (isNew) log.info("Signing key rotated", { secret });
  }
}
