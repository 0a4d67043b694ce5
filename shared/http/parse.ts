import httpJsonBodyParser from "@middy/http-json-body-parser";
import type * as z from "zod";
import { hash } from "node:crypto";
import type { APIGatewayProxyEventV2 as Event } from "aws-lambda";
import { AppError, invalidField, keyRequired } from "../domain/request/app-error.ts";
import { parsed, parsedHeaders, parsedQuery } from "../domain/request/validation.ts";
import { withMediaAddresses } from "../domain/upload/media.ts";
import { bodyBytes, requireSimple } from "./body-size.ts";
import { actorOf } from "./guard.ts";
import { type PipelineState, type PipelineStep, awaitedLater } from "./pipeline-state.ts";
import type { Call, CallBefore, Route } from "./route.ts";

/**
 * Starts the route's `open` read. It rejects if the path, query or headers are invalid. The caller then receives the
 * same error when the whole request is parsed, or the parser's error if the body is malformed too.
 */
export const startOpenRead: PipelineStep = ({ event, internal }) => {
  const { route, deps } = internal;
  if (!route.open) return;
  const read = async (): Promise<unknown> => route.open?.(headOf(event, internal), deps);
  internal.opened = awaitedLater(read());
};

const json = httpJsonBodyParser<Event>();

/** Checks the body's content type and parses its JSON or form. A caller over the rate limit is refused before that. */
export const parseBody: PipelineStep = async (request) => {
  const { event, internal } = request;
  const { route } = internal;
  if (!route.request.body) return;
  if (!route.parsesEarly) await internal.admission;
  if (route.form?.matches(event)) {
    internal.form = await route.form.read(event);
    return;
  }
  requireSimple(bodyBytes(event).toString());
  await json.before?.(request);
};

/**
 * The request as its handler receives it.
 *
 * @throws AppError `not_found` for a malformed path, `validation_failed` for anything else
 */
export function callOf(event: Event, state: PipelineState): CallBefore<Call> {
  const head = headOf(event, state);
  const sent = sentBody(event, state);
  const bodyHash =
    head.idempotencyKey === null
      ? ""
      : hash("sha256", JSON.stringify(sent.body ?? null), "base64url");
  return { ...head, ...sent, bodyHash, file: state.form?.file };
}

function headOf(event: Event, { route, ip, now, claims }: PipelineState) {
  const { query, params, headers } = route.request;
  return {
    params: params ? parsedPath(params, event.pathParameters ?? {}) : undefined,
    query: query ? parsedQuery(query, sentQuery(event, query)) : noQuery(event),
    headers: headers ? parsedHeaders(headers, event.headers) : undefined,
    actor: actorOf(claims),
    ip,
    host: event.requestContext.domainName,
    agent: event.requestContext.http.userAgent || null,
    requestId: event.requestContext.requestId,
    now,
    idempotencyKey: idempotencyKeyOf(route, event),
  };
}

function sentBody(
  event: Event,
  { route, form, deps: { mediaBaseUrl } }: PipelineState,
): Pick<Call, "body" | "rawBody"> {
  const { body, raw } = route.request;
  if (raw) return { body: undefined, rawBody: bodyBytes(event) };
  if (!body) return { body: noBody(event) };
  const sent = form?.body ?? event.body;
  // Staff send back the URLs they received; records store addresses.
  const isStored = route.access.guard === "staff" && mediaBaseUrl !== undefined;
  return { body: parsed(body, isStored ? withMediaAddresses(sent, mediaBaseUrl) : sent) };
}

/** A malformed path parameter is a 404, like an unknown one, that says what is wrong if its rule does. */
function parsedPath(params: z.ZodType, path: Record<string, string | undefined>): unknown {
  const result = params.safeParse(path);
  if (result.success) return result.data;
  const ruled = result.error.issues.find(({ code }) => code === "custom");
  throw new AppError("not_found", ruled && { message: ruled.message });
}

function idempotencyKeyOf(route: Route, event: Event): string | null {
  const key = event.headers["idempotency-key"];
  const { preview } = event.queryStringParameters ?? {};
  const isPreview = route.previewed === true && (preview === "true" || preview === "1");
  if (route.idempotent === "required" && key === undefined && !isPreview) {
    throw keyRequired();
  }
  if (!route.idempotent || key === undefined) return null;
  if (key.length === 0 || key.length > 255) {
    throw invalidField(
      "Idempotency-Key",
      "The Idempotency-Key header must be 1 to 255 characters.",
    );
  }
  return key;
}

/** Refuses members sent to a route without a body. An empty body is accepted. */
function noBody(event: Event): undefined {
  const text = bodyBytes(event).toString("utf8");
  if (text.trim() === "") return undefined;
  const unknown = membersOf(text)[0];
  if (unknown !== undefined) throw invalidField(unknown, `The ${unknown} field is not allowed.`);
  return undefined;
}

/** The member names of a JSON object; anything else counts as one unknown member. */
function membersOf(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return Object.keys(value);
    }
  } catch {
    // The body is not JSON.
  }
  return ["body"];
}

/** The query parameters that were sent. An empty text filter counts as not sent. */
function sentQuery({ queryStringParameters }: Event, query: z.ZodType): Record<string, unknown> {
  // Only objects have a shape.
  const known = "shape" in query ? (query.shape as object) : {};
  const typed = (name: string) => (name === "q" || name === "tag") && name in known;
  return Object.fromEntries(
    Object.entries(queryStringParameters ?? {}).filter(
      ([name, value]) => !typed(name) || value?.trim() !== "",
    ),
  );
}

/** Refuses query parameters sent to a route that has none. */
function noQuery(event: Event): undefined {
  const unknown = Object.keys(event.queryStringParameters ?? {})[0];
  if (unknown !== undefined) throw invalidField(unknown, `The ${unknown} field is not allowed.`);
  return undefined;
}
