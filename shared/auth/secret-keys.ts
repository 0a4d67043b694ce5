import * as z from "zod";
import { awsService } from "../runtime/aws-service.ts";

const Version = z.object({ VersionId: z.string(), SecretString: z.string() });
const Refusal = z.object({ __type: z.string(), Message: z.string().optional() });

/**
 * The key ring of a secret, yet to be parsed: its present version signs, the one before still counts.
 * A rotation is one new version.
 *
 * @param secret ARN or name; its value is the key, base64url
 * @throws Unavailable, or Error with what Secrets Manager says against it
 */
export async function readSecretKeys(secret: string, endpoint?: string) {
  const secretsManager = awsService(
    "secretsmanager",
    (region) => endpoint ?? `https://secretsmanager.${region}.amazonaws.com`,
  );

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
    // A secret that was never rotated has no version before.
    if (stage === "AWSPREVIOUS" && __type.endsWith("ResourceNotFoundException")) return undefined;
    throw new Error(`${__type}: ${Message}`);
  }

  const [current, previous] = await Promise.all([version("AWSCURRENT"), version("AWSPREVIOUS")]);
  return { current, previous };
}
