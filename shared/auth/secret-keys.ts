import * as z from "zod";
import { awsService } from "../runtime/aws-service.ts";

/** Asks Secrets Manager for something; gives its answer, or the name and text of its refusal. */
export type SecretsManager = (
  action: "GetSecretValue" | "PutSecretValue",
  question: Readonly<Record<string, string>>,
) => Promise<{ answer: unknown } | { refusal: string; message: string | undefined }>;

const Refusal = z.object({ __type: z.string(), Message: z.string().optional() });

/**
 * Secrets Manager without its SDK client.
 *
 * @param endpoint in place of the region's own
 */
export function openSecretsManager(endpoint?: string): SecretsManager {
  const service = awsService(
    "secretsmanager",
    (region) => endpoint ?? `https://secretsmanager.${region}.amazonaws.com`,
  );
  return async (action, question) => {
    const { status, body } = await service({
      method: "POST",
      path: "/",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": `secretsmanager.${action}`,
      },
      body: JSON.stringify(question),
    });
    const answer: unknown = JSON.parse(body.toString());
    if (status === 200) return { answer };
    const { __type, Message } = Refusal.parse(answer);
    return { refusal: __type.slice(__type.lastIndexOf("#") + 1), message: Message };
  };
}

const Version = z.object({ VersionId: z.string(), SecretString: z.string() });

/**
 * The key ring of a secret, yet to be parsed: its present version signs, the one before still counts.
 * A rotation is one new version.
 *
 * @param secret ARN or name; its value is the key, base64url
 * @throws Unavailable, or Error with what Secrets Manager says against it
 */
export async function readSecretKeys(secret: string, endpoint?: string) {
  const secretsManager = openSecretsManager(endpoint);

  async function version(stage: "AWSCURRENT" | "AWSPREVIOUS") {
    const reply = await secretsManager("GetSecretValue", { SecretId: secret, VersionStage: stage });
    if ("answer" in reply) {
      const { VersionId, SecretString } = Version.parse(reply.answer);
      return { kid: VersionId, secret: SecretString };
    }
    // A secret that was never rotated has no version before.
    if (stage === "AWSPREVIOUS" && reply.refusal === "ResourceNotFoundException") return undefined;
    throw new Error(`${reply.refusal}: ${reply.message}`);
  }

  const [current, previous] = await Promise.all([version("AWSCURRENT"), version("AWSPREVIOUS")]);
  return { current, previous };
}
