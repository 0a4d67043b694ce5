import { randomBytes } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { CorsConfiguration } from "#shared/http/cors.ts";
import { authorization, type AuthorizerFunction } from "./authorization.ts";
import { corsHeaders } from "./cors-headers.ts";
import { type WireAnswer, wireAnswer } from "./http-api-answer.ts";
import { httpApiEvent, parseTarget, type HttpApiEvent } from "./http-api-event.ts";
import { lambdaContext, type LocalFunction } from "#infra/local/functions/lambda.ts";
import { routeTable, type RoutePattern } from "./route-table.ts";

export type HttpFunction = LocalFunction<HttpApiEvent>;

export interface GatewayRoute extends RoutePattern {
  /** Whether the authorizer requires an `Authorization` header for this route. */
  readonly guarded: boolean;
  readonly target: HttpFunction;
}

/** A site beside the API, at the same address. */
export interface LocalPages {
  takes(request: IncomingMessage): boolean;
  answer(request: IncomingMessage, response: ServerResponse): void;
}

interface GatewayOptions {
  readonly routes: readonly GatewayRoute[];
  /** Handles requests without a matching route: API Gateway's `$default`. */
  readonly fallback?: HttpFunction;
  readonly authorizer?: AuthorizerFunction;
  readonly cors: CorsConfiguration;
  /** Handles requests whose path starts with `prefix` instead of the API, such as those of media files. */
  readonly beside?: {
    readonly prefix: string;
    answer(
      request: IncomingMessage,
      response: ServerResponse,
      corsHeaders: readonly string[],
    ): void;
  };
  /** Answers what no route matches and it takes, such as the pages of a storefront. */
  readonly pages?: LocalPages | undefined;
  /** Default: API Gateway's maximum. */
  readonly integrationTimeoutMs?: number;
  /** Prints errors that functions throw, as their logs would show them. */
  readonly report?: (problem: unknown, functionName: string) => void;
}

const maxRequestBytes = 10 * 1024 * 1024;
/** Limit of the body, because Lambda refuses an event above 6 MB. */
const maxEventBodyChars = 6 * 1024 * 1024;
/** API Gateway's maximum. */
export const integrationTimeoutMs = 30_000;

/** An API Gateway HTTP API (payload format 2.0) that invokes functions in this process. */
export function gateway(options: GatewayOptions): RequestListener {
  const match = routeTable(options.routes);
  const cors = corsHeaders(options.cors);
  const authorize = options.authorizer && authorization(options.authorizer);
  const patience = options.integrationTimeoutMs ?? integrationTimeoutMs;
  const report = options.report ?? ((problem, name) => console.error(`${name}:`, problem));
  const { beside, fallback, pages } = options;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { origin, authorization: identity } = request.headers;
    const requestId = newRequestId();
    const deny = (status: number, message: string) => {
      const body = JSON.stringify({ message });
      const headers = ["content-type", "application/json"];
      send(response, { status, headers, body }, cors.onAnswer(origin), requestId);
    };

    if (beside && request.url?.startsWith(beside.prefix)) {
      return beside.answer(request, response, cors.onAnswer(origin));
    }
    const target = parseTarget(request.url ?? "");
    if (!target) return deny(400, "Bad Request");

    const matched = match(request.method ?? "", target.segments);
    if (!matched && pages?.takes(request)) return pages.answer(request, response);
    const guarded = matched?.route.guarded ?? false;
    // The authorizer of a route for every method comes before the answer to a preflight.
    if (isPreflight(request) && !guarded) {
      const empty = { status: 204, headers: [], body: "" };
      return send(response, empty, cors.onPreflight(origin), requestId);
    }
    const called = matched?.route.target ?? fallback;
    if (!called) return deny(404, "Not Found");

    const body = await readBody(request);
    if (body === tooLarge) return deny(413, "Request Entity Too Large");

    if (guarded && !identity) return deny(401, "Unauthorized");

    const routeKey = matched ? `${matched.route.method} ${matched.route.path}` : "$default";
    const event = httpApiEvent(request, {
      target,
      routeKey,
      params: matched?.params,
      body,
      requestId,
    });
    if (event.body && event.body.length > maxEventBodyChars)
      return deny(413, "Request Entity Too Large");

    try {
      if (guarded && authorize && identity) {
        const verdict = await authorize(event, identity);
        if (!verdict.isAuthorized) return deny(403, "Forbidden");
        event.requestContext.authorizer = { lambda: verdict.context };
      }
      const lambdaMs = called.timeoutSeconds * 1000;
      const result = await within(
        Math.min(patience, lambdaMs),
        called.handler(event, lambdaContext(called, requestId)),
      );
      // API Gateway returns 500 if the function timed out, and 503 if the gateway stopped waiting first.
      if (result === timedOut) {
        return lambdaMs <= patience
          ? deny(500, "Internal Server Error")
          : deny(503, "Service Unavailable");
      }

      const wire = wireAnswer(result);
      if (!wire) return deny(500, "Internal Server Error");
      send(response, wire, cors.onAnswer(origin), requestId);
    } catch (problem) {
      report(problem, called.name);
      if (!response.headersSent) deny(500, "Internal Server Error");
    }
  }

  return (request, response) => {
    // The promise rejects only if the client disconnects while it sends its body.
    answer(request, response).catch(() => response.destroy());
  };
}

const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === "OPTIONS" && !!headers.origin && !!headers["access-control-request-method"];

function send(
  response: ServerResponse,
  { status, headers, body }: WireAnswer,
  corsHeaders: readonly string[],
  requestId: string,
): void {
  for (const part of corsHeaders) headers.push(part);
  headers.push("apigw-requestid", requestId);
  if (status !== 204 && status !== 304)
    headers.push("content-length", String(Buffer.byteLength(body)));
  response.writeHead(status, headers).end(body);
}

/**
 * Returns a request id that is as long as API Gateway's. Rows contain the id, so rows have the same size as in the
 * cloud.
 */
const newRequestId = () => randomBytes(11).toString("base64");

const tooLarge = Symbol("too large");

/** Reads an oversized body to the end and discards it, so that the client receives the response. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined | typeof tooLarge> {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === "0")) return undefined;

  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxRequestBytes) chunks.push(chunk);
  }
  if (bytes > maxRequestBytes) return tooLarge;
  if (bytes === 0) return undefined;
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, bytes);
}

const timedOut = Symbol("timed out");

function within<Result>(ms: number, work: Promise<Result>): Promise<Result | typeof timedOut> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, timedOut);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
