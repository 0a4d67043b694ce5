import * as z from "zod";
import { awsService } from "./aws-service.ts";

const Version = z.object({ VersionId: z.string(), SecretString: z.string() });
const Refusal = z.object({ __type: z.string(), Message: z.string().optional() });

/**
 * `secretKeysReader` without the SDK client. The client adds half to the authorizer's load time (24 ms, then 36) and
 * doubles its bundle; guarded requests wait for each new instance of it.
 */
export function slimSecretKeysReader(secret: string, endpoint?: string) {
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
