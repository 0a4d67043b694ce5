import { hash } from "node:crypto";
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";

/**
 * How long a key signs before another takes its place, in ms. It goes on counting until that one is replaced, so that
 * this is how long a token may live at most: longer than any does.
 */
export const keyLifetimeMs = 45 * 86_400_000;

/**
 * Gives a secret a new key once its present one is old. Whatever calls twice, or at once, rotates once: a new version
 * is named after the one that it follows.
 *
 * @param secret ARN or name; its value is the key, base64url
 * @param options.randomBytes from a secure source
 * @returns whether there is a new key
 * @throws what the client throws
 */
export async function rotateOldKey(
  secret: string,
  options: {
    secretsManager: SecretsManagerClient;
    now: Date;
    randomBytes(count: number): Buffer;
  },
): Promise<boolean> {
  const { secretsManager, now, randomBytes } = options;
  const { VersionId, CreatedDate } = await secretsManager.send(
    new GetSecretValueCommand({ SecretId: secret, VersionStage: "AWSCURRENT" }),
  );
  if (!VersionId || !CreatedDate) throw new Error(`Nothing says how old ${secret} is`);
  if (now.getTime() - CreatedDate.getTime() < keyLifetimeMs) return false;

  try {
    await secretsManager.send(
      new PutSecretValueCommand({
        SecretId: secret,
        ClientRequestToken: hash("sha256", `after ${VersionId}`),
        SecretString: randomBytes(48).toString("base64url"),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ResourceExistsException) return false;
    throw error;
  }
}
