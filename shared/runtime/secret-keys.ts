import * as z from "zod";
import { awsService } from "./aws-service.ts";

const Version = z.object({ VersionId: z.string(), SecretString: z.string() });
const Refusal = z.object({ __type: z.string(), Message: z.string().optional() });

/**
 * Creates a reader of a secret's two newest keys: the key of the current version, which signs, and the key of the
 * previous version, which is still accepted. To rotate the key, store a new version of the secret.
 *
 * The reader calls Secrets Manager without the SDK's client, because every function behind the API reads secrets. The
 * client would add 12 ms to the authorizer's cold start and double its bundle.
 *
 * @param secret ARN or name; the value of each version is one key, base64url
 * @returns a function that reads both keys; it throws Error when Secrets Manager refuses
 */
export function secretKeysReader(secret: string, endpoint?: string) {
  const secretsManager = awsService("secretsmanager", {
    host: (region) => `secretsmanager.${region}.amazonaws.com`,
    endpoint,
  });

  async function version(stage: "AWSCURRENT" | "AWSPREVIOUS") {
    const { status, body } = await secretsManager({
      method: "POST",
      path: "/",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": "secretsmanager.GetSecretValue",
      },
      body: JSON.stringify({ SecretId: secret, VersionStage: stage }),
    });
    const answer: unknown = JSON.parse(body.toString());
    if (status === 200) {
      const { VersionId, SecretString } = Version.parse(answer);
      return { kid: VersionId, secret: SecretString };
    }
    const { __type, Message } = Refusal.parse(answer);
    // A secret that was never rotated has no previous version.
    if (stage === "AWSPREVIOUS" && __type.endsWith("ResourceNotFoundException")) return undefined;
    throw new Error(`${__type}: ${Message}`);
  }

  return async () => {
    const [current, previous] = await Promise.all([version("AWSCURRENT"), version("AWSPREVIOUS")]);
    return { current, previous };
  };
}
