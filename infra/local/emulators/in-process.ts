import type { RequestListener } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import {
  type HttpHandler,
  type HttpRequest,
  HttpResponse,
  buildQueryString,
} from "@smithy/core/protocols";
import inject from "light-my-request";

/** A `requestHandler` of AWS clients that passes requests to a listener of this process, without a socket. */
export function passTo(listener: RequestListener): HttpHandler {
  return answering(async ({ method, url, headers, body }) => {
    // The type leaves out methods that no AWS client uses.
    const request = { method: method as "GET", url, headers, payload: body, validate: false };
    const answer = await inject(listener, request).catch((cause: unknown) => {
      // The listener has closed the connection. AWS clients repeat such requests.
      throw Object.assign(new Error("socket hang up", { cause }), { code: "ECONNRESET" });
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.rawPayload };
  });
}

/** An HTTP request whose body is complete. */
export interface WholeRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, number | string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A `requestHandler` of AWS clients that answers by a function. */
export function answering(answer: (request: WholeRequest) => Promise<WholeAnswer>): HttpHandler {
  return {
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    async handle(request, { abortSignal } = {}) {
      // In Node.js the SDK passes the platform's signal.
      const signal = abortSignal as AbortSignal | undefined;
      signal?.throwIfAborted();
      const { status, headers, body } = await unlessAborted(whole(request).then(answer), signal);
      const fields = Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      );
      return {
        response: new HttpResponse({
          statusCode: status,
          headers: Object.fromEntries(fields),
          body: Readable.from([body], { objectMode: false }),
        }),
      };
    },
  };
}

async function whole({ method, path, query, headers, body }: HttpRequest): Promise<WholeRequest> {
  const text = buildQueryString(query);
  return {
    method,
    url: text === "" ? path : `${path}?${text}`,
    headers,
    body: await bytesOf(body),
  };
}

async function bytesOf(body: unknown): Promise<Buffer> {
  if (body instanceof Readable) return buffer(body);
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Buffer.from(typeof body === "string" ? body : "");
}

/** Rejects as soon as the signal aborts, with the error that the SDK expects. */
async function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (!signal) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(Object.assign(new Error("Aborted"), { name: "AbortError" }));
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
