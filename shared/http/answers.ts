import { hash } from "node:crypto";
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { fitsIntoResult } from "../runtime/result-size.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import { AppError, invalidField } from "../domain/request/app-error.ts";
import { withMediaUrls } from "../domain/upload/media.ts";
import type {
  Answer,
  HandlerResult,
  Route,
  Schema,
  SerializedDocument,
  SerializedList,
} from "./route.ts";

export type HttpAnswer = APIGatewayProxyStructuredResultV2 & { headers: Record<string, string> };

const json = "application/json; charset=utf-8";
const plainText = "text/plain; charset=utf-8";
const everyAnswer = {
  "X-Content-Type-Options": "nosniff",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "Referrer-Policy": "no-referrer",
};
const publicCache = "public, max-age=5, stale-while-revalidate=30";

/** Builds the HTTP response from a handler's result, by the route's declaration. */
export function httpAnswer(
  route: Route,
  result: HandlerResult,
  request: { id: string; ifNoneMatch: string | undefined; mediaBaseUrl: string | undefined },
): HttpAnswer {
  const headers: Record<string, string> = { ...everyAnswer, "X-Request-Id": request.id };
  if (result === undefined) {
    return {
      statusCode: route.response.status,
      headers: { ...headers, "Cache-Control": "private, no-store" },
    };
  }

  if ("text" in result) {
    const answered = {
      ...headers,
      "Content-Type": plainText,
      "Cache-Control": "private, no-store",
    };
    return { statusCode: route.response.status, headers: answered, body: result.text };
  }

  if ("file" in result) {
    const body = Buffer.from(result.file);
    const answer = cached(
      route,
      { ...headers, ...result.headers },
      tagOf(body),
      request.ifNoneMatch,
    );
    if (answer.statusCode === 304) return answer;
    const statusCode = result.status ?? answer.statusCode;
    return { ...answer, statusCode, body: body.toString("base64"), isBase64Encoded: true };
  }

  if (route.cache === "public")
    return publicAnswer(route, publicBody(route, result, request.mediaBaseUrl), request);
  const body = bodyOf(route, result, request.mediaBaseUrl);
  let statusCode = route.response.status;
  if ("data" in result) {
    if (result.version !== undefined) headers["ETag"] = `"v${result.version}"`;
    Object.assign(headers, result.headers);
    statusCode = result.status ?? statusCode;
  }
  headers["Content-Type"] = json;
  headers["Cache-Control"] = "private, no-store";
  return { statusCode, headers, body };
}

/** A public answer that is the same for every caller. */
export interface PublicBody {
  readonly body: string;
  readonly tag: string;
}

/** Builds a public answer from a handler's result. */
export function publicBody(
  route: Route,
  result: Answer<unknown, unknown> | SerializedList<unknown> | SerializedDocument,
  mediaBaseUrl: string | undefined,
): PublicBody {
  const body = bodyOf(route, result, mediaBaseUrl);
  return { body, tag: tagOf(body) };
}

/** The HTTP response of a public answer. */
export function publicAnswer(
  route: Route,
  { body, tag }: PublicBody,
  request: { id: string; ifNoneMatch: string | undefined },
): HttpAnswer {
  const headers = { ...everyAnswer, "X-Request-Id": request.id, "Content-Type": json };
  const answer = cached(route, headers, tag, request.ifNoneMatch);
  return answer.statusCode === 304 ? answer : { ...answer, body };
}

/** A strong ETag. */
const tagOf = (body: string | Buffer): string =>
  `"${hash("sha256", body, "base64url").slice(0, 27)}"`;

/**
 * Status and headers by the route's cache setting; 304 if the caller has the same bytes.
 *
 * @param tag the ETag of a public answer
 */
function cached(
  route: Route,
  headers: Record<string, string>,
  tag: string,
  ifNoneMatch: string | undefined,
): HttpAnswer {
  const { status: statusCode } = route.response;
  if (route.cache !== "public") {
    return { statusCode, headers: { ...headers, "Cache-Control": "private, no-store" } };
  }
  const tagged: Record<string, string> = { ...headers, "Cache-Control": publicCache, ETag: tag };
  if (!matches(ifNoneMatch, tag)) return { statusCode, headers: tagged };
  delete tagged["Content-Type"];
  return { statusCode: 304, headers: tagged };
}

/** @throws AppError `payload_too_large` instead of the 500 with which Lambda would replace a larger body */
function bodyOf(...parts: Parameters<typeof serialized>): string {
  const body = serialized(...parts);
  if (fitsIntoResult(body)) return body;
  const message = "The response is too large. Ask for fewer records at once, with per_page.";
  throw new AppError("payload_too_large", { message });
}

/**
 * The response body. The route's schemas drop undeclared members. The rows of a serialized list are not parsed here,
 * because the index writer has already parsed them.
 */
function serialized(
  { response }: Route,
  result: Answer<unknown, unknown> | SerializedList<unknown> | SerializedDocument,
  mediaBaseUrl: string | undefined,
): string {
  if ("json" in result) return result.json;
  const toSend = (schema: Schema | undefined, value: unknown) => {
    const answer = schema?.parse(value);
    // Records store media addresses; responses contain URLs. Rows of serialized lists have URLs already.
    return mediaBaseUrl === undefined ? answer : withMediaUrls(answer, mediaBaseUrl);
  };
  const further = {
    ...(response.meta && { meta: toSend(response.meta, result.meta) }),
    ...(response.links && { links: result.links }),
  };
  if ("data" in result)
    return JSON.stringify({ data: toSend(response.data, result.data), ...further });
  const members = Object.entries(further).map(
    ([name, value]) => `,"${name}":${JSON.stringify(value)}`,
  );
  return `{"data":[${result.rows.join(",")}]${members.join("")}}`;
}

function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((candidate) => {
    const known = candidate.trim().replace(/^W\//, "");
    return known === "*" || known === tag;
  });
}

/** The HTTP response of a thrown error. For an unknown error it contains only the request id. */
export function errorAnswer(thrown: unknown, requestId: string): HttpAnswer {
  const error = refusalOf(thrown);
  const { errors, details, headers } = error.refusal;
  return {
    statusCode: error.status,
    headers: {
      ...everyAnswer,
      "Content-Type": json,
      "Cache-Control": "private, no-store",
      "X-Request-Id": requestId,
      ...(error.status === 401 && { "WWW-Authenticate": "Bearer" }),
      ...headers,
    },
    body: JSON.stringify({
      message: error.message,
      code: error.code,
      ...(errors && { errors }),
      ...(details && { details }),
      request_id: requestId,
    }),
  };
}

/** The error that the caller receives. */
export function refusalOf(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof Unavailable) {
    return new AppError("unavailable", {
      cause: thrown,
      headers: { "Retry-After": String(thrown.retryAfterSeconds) },
    });
  }
  const status = parserStatus(thrown);
  const forbidden = status === 422 ? forbiddenMember(thrown) : undefined;
  if (forbidden) return invalidField(forbidden, "This member is not allowed.");
  if (status === 415) return new AppError("unsupported_media_type");
  if (status === 422 || status === 400) return new AppError("malformed_json");
  return new AppError("server_error", { cause: thrown });
}

/** The status of a JSON parser error. Errors of other packages, such as Stripe's, also have statuses. */
function parserStatus(thrown: unknown): number | undefined {
  // Anything can be thrown, so each member may be missing.
  const { statusCode, cause } = (thrown ?? {}) as {
    statusCode?: number;
    cause?: { package?: unknown } | null;
  };
  return cause?.package === "@middy/http-json-body-parser" ? statusCode : undefined;
}

/** The name of the member for which the JSON parser refused a body (`__proto__`, `constructor`). */
function forbiddenMember(thrown: unknown): string | undefined {
  // `parserStatus` has recognized a parser error. If its cause has no `message`, `data` is a member's name or
  // undefined.
  const { cause } = thrown as { cause?: { data?: unknown; message?: unknown } };
  const data = cause?.message === undefined ? cause?.data : undefined;
  return data === "__proto__" || data === "constructor" ? data : undefined;
}
