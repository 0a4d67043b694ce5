import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { serveOnLoopback } from "./failing-servers.ts";

interface Version {
  readonly VersionId: string;
  readonly SecretString: string;
  readonly createdAt: Date;
}

interface Input {
  readonly SecretId: string;
  readonly VersionStage?: "AWSCURRENT" | "AWSPREVIOUS";
  readonly ClientRequestToken?: string;
  readonly SecretString?: string;
}

/** A Secrets Manager with one secret. */
export interface SecretsManagerEmulator {
  readonly endpoint: string;
  /** All versions, the newest last. */
  readonly versions: Version[];
  /** The error that every call gets; undefined if calls succeed. */
  refusal: { readonly __type: string; readonly Message: string } | undefined;
  /** The inputs of all calls. */
  readonly calls: Input[];
  stop(): Promise<void>;
}

/** @param options.now dates new versions */
export async function startSecretsManager(options: {
  now: () => Date;
}): Promise<SecretsManagerEmulator> {
  const versions: Version[] = [];
  const calls: Input[] = [];

  function get({ VersionStage }: Input) {
    const version = versions.at(VersionStage === "AWSPREVIOUS" ? -2 : -1);
    if (!version) return [400, { __type: "ResourceNotFoundException", Message: "no version" }];
    const { createdAt, ...answer } = version;
    return [200, { ...answer, CreatedDate: createdAt.getTime() / 1000 }];
  }

  function put({ ClientRequestToken: VersionId = "", SecretString = "" }: Input) {
    if (versions.some((version) => version.VersionId === VersionId)) {
      return [
        400,
        { __type: "ResourceExistsException", Message: "A version with this id exists." },
      ];
    }
    versions.push({ VersionId, SecretString, createdAt: options.now() });
    return [200, { VersionId }];
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const input = (await json(request)) as Input;
    calls.push(input);
    const isPut = request.headers["x-amz-target"] === "secretsmanager.PutSecretValue";
    const [status, body] = emulator.refusal ? [400, emulator.refusal] : (isPut ? put : get)(input);
    response
      .writeHead(status as number, { "content-type": "application/x-amz-json-1.1" })
      .end(JSON.stringify(body));
  }

  const server = await serveOnLoopback((...call) => void answer(...call));
  const emulator: SecretsManagerEmulator = {
    endpoint: server.baseUrl,
    versions,
    refusal: undefined,
    calls,
    stop: () => server.stop(),
  };
  return emulator;
}
