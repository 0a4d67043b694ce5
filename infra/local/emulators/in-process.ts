import { once } from "node:events";
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  request as sendByNode,
} from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import {
  type HttpHandler,
  type HttpRequest,
  HttpResponse,
  buildQueryString,
} from "@smithy/core/protocols";
import inject from "light-my-request";

/** An HTTP request whose body is complete. */
interface WholeRequest {
  /** Protocol, host and port. */
  readonly origin: string;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, number | string | string[] | undefined>>;
  readonly body: Buffer;
}

/** The servers of this process, by origin. */
const listeners = new Map<string, RequestListener>();

/** Lets `send` call a server of this process without a socket. @returns a function that ends it */
export function callInProcess(origin: string, listener: RequestListener): () => void {
  listeners.set(origin, listener);
  return () => listeners.delete(origin);
}

/** Sends a request: without a socket if the called server is in this process. */
export async function send(request: WholeRequest): Promise<WholeAnswer> {
  const listener = listeners.get(request.origin);
  return listener ? passTo(listener, request) : sendOut(request);
}

async function passTo(
  listener: RequestListener,
  { method, url, headers, body: payload }: WholeRequest,
): Promise<WholeAnswer> {
  // The type leaves out methods that no AWS client uses.
  const request = { method: method as "GET", url, headers, payload, validate: false };
  const answer = await inject(listener, request).catch((cause: unknown) => {
    // The listener has closed the connection. AWS clients repeat such requests.
    throw Object.assign(new Error("socket hang up", { cause }), { code: "ECONNRESET" });
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.rawPayload };
}

async function sendOut({ origin, method, url, headers, body }: WholeRequest): Promise<WholeAnswer> {
  const sent = sendByNode(origin + url, { method, headers });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return {
    status: answer.statusCode ?? 502,
    headers: answer.headers,
    body: await buffer(answer),
  };
}

/** A `requestHandler` for AWS clients of this process, see `send`. */
export const inProcess: HttpHandler = {
  updateHttpClientConfig: () => undefined,
  httpHandlerConfigs: () => ({}),
  async handle(request, { abortSignal } = {}) {
    // In Node.js the SDK passes the platform's signal.
    const signal = abortSignal as AbortSignal | undefined;
    signal?.throwIfAborted();
    const { status, headers, body } = await unlessAborted(wholeOf(request).then(send), signal);
    const fields = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return {
      response: new HttpResponse({
        statusCode: status,
        headers: Object.fromEntries(fields) as Record<string, string>,
        body: Readable.from([body], { objectMode: false }),
      }),
    };
  },
};

async function wholeOf(request: HttpRequest): Promise<WholeRequest> {
  const { protocol, hostname, port, method, path, query, headers, body } = request;
  const text = buildQueryString(query);
  return {
    origin: `${protocol}//${hostname}${port === undefined ? "" : `:${port}`}`,
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
