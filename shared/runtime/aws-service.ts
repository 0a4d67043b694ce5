import { buffer } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { Sha256 } from "@smithy/core/checksum";
import { HttpRequest } from "@smithy/core/protocols";
import { SignatureV4 } from "@smithy/signature-v4";
import { randomPauseAfter } from "./back-off.ts";
import { type AwsEndpoint, clientDefaults } from "./aws-client.ts";
import { Unavailable } from "./unavailable.ts";

interface AwsRequest {
  readonly method: "GET" | "POST";
  /** Percent-encoded. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface AwsAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** Throws Unavailable when the service does not answer, or reports a temporary error. */
export type AwsService = (request: AwsRequest) => Promise<AwsAnswer>;

const pausesMs = { first: 100, longest: 400 };

/**
 * Calls an AWS service without its SDK client, for functions that cannot afford its cold start or size.
 *
 * @param service its name in signatures
 * @param options.host of the service in a region
 * @param options.endpoint replaces that host; no slash at the end
 */
export function awsService(
  service: "s3" | "secretsmanager",
  options: AwsEndpoint & { host: (region: string) => string },
): AwsService {
  const {
    maxAttempts,
    requestHandler,
    credentials,
    region = process.env["AWS_REGION"] ?? "",
  } = clientDefaults(options.endpoint, options);
  const base = new URL(options.endpoint ?? `https://${options.host(region)}`);
  const { protocol, hostname, port } = base;
  const folder = base.pathname.replace(/\/$/, "");
  // All services except S3 sign paths that are encoded twice.
  const uriEscapePath = service !== "s3";
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256, uriEscapePath });

  async function send({ method, path, headers, body }: AwsRequest): Promise<AwsAnswer> {
    const request = new HttpRequest({
      method,
      protocol,
      hostname,
      path: folder + path,
      body,
      ...(port !== "" && { port: Number(port) }),
      headers: { ...headers, host: port === "" ? hostname : `${hostname}:${port}` },
    });
    const signed = await signer.sign(request);
    // The signer returns an instance of the request's class, but its type is an interface.
    const { response } = await requestHandler.handle(signed as HttpRequest);
    // In Node.js the handler returns a Node.js stream.
    return { status: response.statusCode, body: await buffer(response.body as Readable) };
  }

  return async (request) => {
    let cause: unknown;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      if (attempt > 0) await pause(randomPauseAfter(attempt, pausesMs));
      try {
        const answer = await send(request);
        if (answer.status < 500 && answer.status !== 429) return answer;
        cause = new Error(`${service} answered ${answer.status}`);
      } catch (error) {
        // The request's deadline has passed.
        if (error instanceof Unavailable) throw error;
        cause = error;
      }
    }
    throw new Unavailable(`${service} did not answer`, { cause });
  };
}
