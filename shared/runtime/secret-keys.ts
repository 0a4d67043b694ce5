import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { clientDefaults } from "./aws-client.ts";

/** @param endpoint replaces the region's own */
export const openSecretsManager = (endpoint?: string): SecretsManagerClient =>
  new SecretsManagerClient(clientDefaults(endpoint));

/**
 * Reads the unparsed key ring of a secret: its current version signs, the previous one is still accepted. A rotation
 * is one new version.
 *
 * @param secret ARN or name; its value is the key, base64url
 * @returns a function that throws what the client throws
 */
export function secretKeysReader(secret: string, endpoint?: string) {
  const client = openSecretsManager(endpoint);

  async function version(VersionStage: "AWSCURRENT" | "AWSPREVIOUS") {
    const { VersionId, SecretString } = await client.send(
      new GetSecretValueCommand({ SecretId: secret, VersionStage }),
    );
    return { kid: VersionId, secret: SecretString };
  }

  async function previousVersion() {
    try {
      return await version("AWSPREVIOUS");
    } catch (error) {
      // A secret that was never rotated has no previous version.
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }

  return async () => {
    const [current, previous] = await Promise.all([version("AWSCURRENT"), previousVersion()]);
    return { current, previous };
  };
}
