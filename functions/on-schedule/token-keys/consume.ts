import { rotateOldKey } from "#shared/runtime/rotate-key.ts";
import type { Deps } from "./deps.ts";

/** Replaces what signs tokens once it is old. Tokens that the key before signed go on counting. */
export async function consume(_event: unknown, deps: Deps): Promise<void> {
  const { secrets, secretsManager, randomBytes, log, now } = deps;
  for (const secret of secrets) {
    const isNew = await rotateOldKey(secret, { secretsManager, randomBytes, now: now() });
    if (isNew) log.info("Signing key rotated", { secret });
  }
}
