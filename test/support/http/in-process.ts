import inject from "light-my-request";
import type { Stack } from "#infra/local/stack.ts";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import type { Verdict } from "#shared/auth/identity.ts";
import { lambdaContext } from "#infra/local/functions/lambda.ts";
import type { HttpAnswer } from "#shared/http/answers.ts";
import type { HttpHandler } from "#shared/http/serve.ts";
import { noteExchange } from "./exchange.ts";

const listeners = new Map<string, Stack["listener"]>();
let sockets = false;

/** Whether the calls of the current test file go through sockets. */
export function useSockets(use: boolean): void {
  sockets = use;
}

/** A request as `fetch` takes it. */
interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** Lets clients of this process call the stack without a socket, which takes a third of the CPU time. */
export function withoutSockets<Of extends Pick<Stack, "baseUrl" | "listener" | "stop">>(
  stack: Of,
): Of {
  listeners.set(stack.baseUrl, stack.listener);
  return {
    ...stack,
    async stop() {
      listeners.delete(stack.baseUrl);
      await stack.stop();
    },
  };
}

/** Sends a request as `fetch` does: without a socket if the stack runs in this process. Follows redirects. */
export async function ask(baseUrl: string, path: string, sent: Sent): Promise<Response> {
  const listener = listeners.get(baseUrl);
  if (!listener || sockets) return fetch(baseUrl + path, sent);
  const { body, ...request } = sent;
  const { statusCode, headers, rawPayload } = await inject(listener, {
    ...request,
    url: baseUrl + path,
    ...(body !== undefined && { payload: typeof body === "string" ? body : Buffer.from(body) }),
  });
  const { location } = headers;
  if (statusCode > 300 && statusCode < 304 && location !== undefined) {
    return fetch(new URL(location, baseUrl), { headers: sent.headers });
  }
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  const hasBody = ![204, 205, 304].includes(statusCode);
  return new Response(hasBody ? new Uint8Array(rawPayload) : null, {
    status: statusCode,
    headers: fields,
  });
}

export interface EventParts {
  path?: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** Lower-case names, as API Gateway sends them. */
  headers?: Record<string, string>;
  /** Text is sent unchanged, other values as JSON. */
  body?: unknown;
  ip?: string;
  /** The authorizer's result. */
  verdict?: Verdict;
}

/** An HTTP API event (payload format 2.0) of one call. */
export function anEvent(routeKey: string, parts: EventParts = {}): APIGatewayProxyEventV2 {
  const [method = "GET", template = "/"] = routeKey.split(" ");
  const { path = template, params, query, headers = {}, body, ip = "203.0.113.7", verdict } = parts;
  return {
    version: "2.0",
    routeKey,
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    requestContext: {
      accountId: "000000000000",
      apiId: "test",
      domainName: "test",
      domainPrefix: "test",
      http: { method, path, protocol: "HTTP/1.1", sourceIp: ip, userAgent: "test" },
      requestId: "req-1",
      routeKey,
      stage: "$default",
      time: "21/Nov/2026:06:30:00 +0000",
      timeEpoch: 0,
      ...(verdict && { authorizer: { lambda: verdict } }),
    },
    isBase64Encoded: false,
    ...(params && { pathParameters: params }),
    ...(query && { queryStringParameters: query }),
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  };
}

export interface HandlerReply<Body = unknown> {
  status: number;
  headers: Record<string, string>;
  body: Body;
}

/** A Lambda context with time left. */
export const aContext = (timeoutSeconds = 30): Context =>
  lambdaContext({ name: "toy", memoryMb: 128, timeoutSeconds }, "toy-request");

/** Invokes a function and parses its response. `Body` is the type of body that the test expects. */
export async function invoke<Body = unknown>(
  handler: HttpHandler,
  event: APIGatewayProxyEventV2,
): Promise<HandlerReply<Body>> {
  const { statusCode, headers, body }: HttpAnswer = await handler(event, aContext());
  const sent = { method: event.requestContext.http.method, path: event.rawPath, body: event.body };
  noteExchange(sent, { status: statusCode ?? 0, text: body ?? "" });
  return {
    status: statusCode ?? 0,
    headers,
    body: (body ? JSON.parse(body) : undefined) as Body,
  };
}

/** The documented error envelope. */
export interface Problem {
  message: string;
  code: string;
  errors?: Record<string, string[]>;
  details?: Record<string, unknown>;
  request_id: string;
}
