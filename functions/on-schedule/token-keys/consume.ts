import type { Shop } from "#shared/application/shop.ts";
import { rotateOldKey } from "#shared/runtime/rotate-key.ts";

/** Rotates signing keys that are due for rotation. Tokens signed by the previous key stay valid. */
export async function consume(
  _event: unknown,
  shop: Shop<"log" | "now" | "randomBytes" | "tokenSecrets" | "secretsManager">,
): Promise<void> {
  const { tokenSecrets: secrets, secretsManager, randomBytes, log, now } = shop;
  for (const secret of secrets) {
    const isNew = await rotateOldKey(secret, { secretsManager, randomBytes, now: now() });
    if (isNew) log.info("Signing key rotated", { secret });
  }
}
