import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { isLoopback } from "./aws-client.ts";
import { deadlineSignal } from "./deadline.ts";
import { type AwsRequest, type Identity, signedHeaders } from "./signature.ts";
import { Unavailable } from "./unavailable.ts";

export interface AwsAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** Throws Unavailable when the service does not answer, or answers that it cannot at present. */
export type AwsService = (
  request: Omit<AwsRequest, "url"> & { readonly path: string },
) => Promise<AwsAnswer>;

/** Loading them takes a third of the cold start of a function without a client of the SDK, and not every call asks. */
const openerOf = ({ protocol }: URL) =>
  protocol === "http:"
    ? process.getBuiltinModule("node:http").request
    : process.getBuiltinModule("node:https").request;

const attempts = 3;
const silenceMs = 3_000;
const firstPauseMs = 50;

/**
 * A service of AWS without its SDK client, which would weigh more than a function that asks it for one thing.
 *
 * @param service as signatures name it
 * @param base the address that paths begin with; no slash at the end
 */
export function awsService(service: string, base: (region: string) => string): AwsService {
  return async ({ path, ...request }) => {
    const identity = ownIdentity(base(emulatorIdentity.region));
    const url = new URL(base(identity.region) + path);
    let cause: unknown;
    for (let attempt = 0; attempt < attempts; attempt++) {
      deadlineSignal()?.throwIfAborted();
      if (attempt > 0) await pause(Math.random() * firstPauseMs * 2 ** attempt);
      try {
        const answer = await send({ ...request, url }, service, identity);
        if (answer.status < 500 && answer.status !== 429) return answer;
        cause = new Error(`${service} answered ${answer.status}`);
      } catch (error) {
        cause = error;
      }
    }
    throw new Unavailable(`${service} did not answer`, { cause });
  };
}

async function send(request: AwsRequest, service: string, identity: Identity): Promise<AwsAnswer> {
  const { method, url, body } = request;
  const headers = signedHeaders(request, service, identity, new Date());
  const open = openerOf(url);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const signal = deadlineSignal();
    const options = { method, headers, timeout: silenceMs, ...(signal && { signal }) };
    const call = open(url, options, resolve);
    call.on("timeout", () => call.destroy(new Error(`Silent for ${silenceMs} ms`)));
    call.on("error", reject);
    call.end(body);
  });
  return { status: answer.statusCode ?? 0, body: await buffer(answer) };
}

/** What Lambda tells every function. */
const LambdaIdentity = z.object({
  AWS_REGION: z.string(),
  AWS_ACCESS_KEY_ID: z.string(),
  AWS_SECRET_ACCESS_KEY: z.string(),
  AWS_SESSION_TOKEN: z.string().optional(),
});

const emulatorIdentity: Identity = {
  region: "local",
  accessKeyId: "local",
  secretAccessKey: "local",
};

/** In whose name this function calls AWS; at an emulator's address made up. */
export function ownIdentity(endpoint: string | undefined): Identity {
  if (endpoint !== undefined && isLoopback(endpoint)) return emulatorIdentity;
  const given = LambdaIdentity.parse(process.env);
  return {
    region: given.AWS_REGION,
    accessKeyId: given.AWS_ACCESS_KEY_ID,
    secretAccessKey: given.AWS_SECRET_ACCESS_KEY,
    sessionToken: given.AWS_SESSION_TOKEN,
  };
}
