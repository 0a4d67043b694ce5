import { hash } from "node:crypto";
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";

/**
 * How long a key signs before it is replaced, in ms. The key stays accepted until its successor is replaced. So this is
 * also the maximum lifetime of a token, and all tokens have a shorter one.
 */
export const keyLifetimeMs = 45 * 86_400_000;

/**
 * Rotates a secret if its current key is old. Repeated and concurrent calls rotate once, because a new version is
 * named after its predecessor.
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
  if (!VersionId || !CreatedDate) throw new Error(`The age of the secret ${secret} is unknown`);
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
