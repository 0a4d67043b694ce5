import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import type { Verdict } from "#shared/auth/claims.ts";
import { lambdaContext } from "#infra/local/lambda.ts";
import type { HttpAnswer } from "#shared/http/answers.ts";
import type { HttpHandler } from "#shared/http/serve.ts";

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
