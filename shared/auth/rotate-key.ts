import { hash } from "node:crypto";
import * as z from "zod";
import type { SecretsManager } from "./secret-keys.ts";

/**
 * How long a key signs before another takes its place, in ms. It goes on counting until that one is replaced, so that
 * this is how long a token may live at most: longer than any does.
 */
export const keyLifetimeMs = 45 * 86_400_000;

/** As Secrets Manager dates a version: seconds since 1970. */
const Dated = z.object({ VersionId: z.string(), CreatedDate: z.number() });

/**
 * Gives a secret a new key once its present one is old. Whatever calls twice, or at once, rotates once: a new version
 * is named after the one that it follows.
 *
 * @param secret ARN or name; its value is the key, base64url
 * @param options.randomBytes from a secure source
 * @returns whether there is a new key
 * @throws Unavailable, or Error with what Secrets Manager says against it
 */
export async function rotateOldKey(
  secret: string,
  options: {
    secretsManager: SecretsManager;
    now: Date;
    randomBytes(count: number): Buffer;
  },
): Promise<boolean> {
  const { secretsManager, now, randomBytes } = options;
  const current = await secretsManager("GetSecretValue", {
    SecretId: secret,
    VersionStage: "AWSCURRENT",
  });
  if ("refusal" in current) throw new Error(`${current.refusal}: ${current.message}`);
  const { VersionId, CreatedDate } = Dated.parse(current.answer);
  if (now.getTime() - CreatedDate * 1000 < keyLifetimeMs) return false;

  const put = await secretsManager("PutSecretValue", {
    SecretId: secret,
    ClientRequestToken: hash("sha256", `after ${VersionId}`),
    SecretString: randomBytes(48).toString("base64url"),
  });
  if ("answer" in put) return true;
  if (put.refusal === "ResourceExistsException") return false;
  throw new Error(`${put.refusal}: ${put.message}`);
}
