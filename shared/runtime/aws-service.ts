import { randomUUID } from "node:crypto";
import * as http from "node:http";
import * as https from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { isLoopback } from "./aws-client.ts";
import { type AwsRequest, type Identity, signedHeaders } from "./signature.ts";
import { Unavailable } from "./unavailable.ts";

export interface AwsAnswer {
  readonly status: number;
  readonly body: Buffer;
  /** How often it was asked, from 1: after the first an earlier answer may have been lost. */
  readonly attempts: number;
}

/** Throws Unavailable when the service does not answer, or answers that it cannot at present. */
export type AwsService = (
  request: Omit<AwsRequest, "url"> & { readonly path: string },
  signal?: AbortSignal,
) => Promise<AwsAnswer>;

export interface AwsServiceOptions {
  /** As signatures name it. */
  readonly service: string;
  /** The address that paths begin with; no slash at the end. */
  readonly base: (region: string) => string;
  /** Whether a refusal is one that the same request may not meet later, besides 429 and those from 500. */
  readonly mayPass?: (answer: Omit<AwsAnswer, "attempts">) => boolean;
  /** How long an answer is waited for. */
  readonly silenceMs?: number;
}

const attempts = 3;
const connectingMs = 1_000;
const patienceMs = 3_000;
const firstPauseMs = 50;
const maxSockets = 256;

/**
 * A service of AWS without its SDK client, which weighs more than a function that asks it for a few things, and
 * takes several times the CPU of the call.
 */
export function awsService({
  service,
  base,
  mayPass = () => false,
  silenceMs = patienceMs,
}: AwsServiceOptions): AwsService {
  let line: Line | undefined;
  return async ({ path, ...request }, signal) => {
    const { identity, address, agent } = (line ??= openLine(base));
    const waiting = { agent, timeout: silenceMs, ...(signal && { signal }) };
    const url = new URL(address + path);
    const invocation = randomUUID();
    let cause: unknown;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      if (attempt > 1) await pause(Math.random() * firstPauseMs * 2 ** (attempt - 1));
      const headers = {
        ...request.headers,
        "amz-sdk-invocation-id": invocation,
        "amz-sdk-request": `attempt=${attempt}; max=${attempts}`,
      };
      const signed = signedHeaders({ ...request, headers, url }, service, identity, new Date());
      try {
        const answer = await send(request, url, signed, waiting);
        if (answer.status < 500 && answer.status !== 429 && !mayPass(answer)) {
          return { ...answer, attempts: attempt };
        }
        cause = new Error(`${service} answered ${answer.status}`);
      } catch (error) {
        signal?.throwIfAborted();
        cause = error;
      }
    }
    throw new Unavailable(`${service} did not answer`, { cause });
  };
}

/** What all requests to a service have in common. */
interface Line {
  readonly identity: Identity;
  readonly address: string;
  readonly agent: http.Agent;
}

/** Credentials are read once: Lambda replaces the whole process before they expire. */
function openLine(base: (region: string) => string): Line {
  const identity = ownIdentity(base(emulatorIdentity.region));
  const address = base(identity.region);
  const { Agent } = address.startsWith("http:") ? http : https;
  return { identity, address, agent: new Agent({ keepAlive: true, maxSockets }) };
}

function send(
  { method, body }: Pick<AwsRequest, "method" | "body">,
  url: URL,
  headers: Record<string, string>,
  waiting: Pick<http.RequestOptions, "agent" | "timeout" | "signal">,
): Promise<Omit<AwsAnswer, "attempts">> {
  const { request } = url.protocol === "http:" ? http : https;
  return new Promise((resolve, reject) => {
    const giveUp = (reason: string) => {
      const problem = new Error(reason);
      reject(problem);
      call.destroy(problem);
    };
    const call = request(url, { ...waiting, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const [first = Buffer.alloc(0)] = chunks;
        const whole = chunks.length > 1 ? Buffer.concat(chunks) : first;
        resolve({ status: answer.statusCode ?? 0, body: whole });
      });
    });
    call.on("socket", (socket) => {
      if (!socket.connecting) return;
      const impatience = setTimeout(giveUp, connectingMs, `Not connected in ${connectingMs} ms`);
      socket.once("connect", () => clearTimeout(impatience));
      socket.once("close", () => clearTimeout(impatience));
    });
    call.on("timeout", () => giveUp(`Silent for ${waiting.timeout} ms`));
    call.on("error", reject);
    call.end(body);
  });
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
