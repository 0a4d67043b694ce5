import { hash, randomUUID } from "node:crypto";
import middy from "@middy/core";
import httpErrorHandler from "@middy/http-error-handler";
import httpJsonBodyParser from "@middy/http-json-body-parser";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import type * as z from "zod";
import { withinDeadline } from "../runtime/deadline.ts";
import { type Log, plainLog } from "../runtime/log.ts";
import { byteLength, bytesOf, countValues, nestingOf } from "./body-size.ts";
import { callerAddress, openOriginKeys } from "./caller-address.ts";
import { type HttpAnswer, errorAnswer, httpAnswer, refusalOf } from "./answers.ts";
import type { Claims } from "../auth/claims.ts";
import type { KeySource } from "../runtime/key-ring.ts";
import { AppError, invalidField } from "../domain/request/app-error.ts";
import { actorOf, claimsOf, prove } from "./guard.ts";
import { type Identity, type SessionState } from "../auth/identity.ts";
import { type Admission, admit, callerOf } from "../auth/rate-limit.ts";
import { type RateCounters } from "../domain/request/rate-limits.ts";
import { type Resource, resourceOf } from "./resource.ts";
import {
  type Address,
  type Call,
  type FilledForm,
  type Route,
  fullPath,
  routeKey,
} from "./route.ts";
import { withMediaAddresses } from "../domain/upload/media.ts";
import { parsed, parsedHeaders, parsedQuery } from "../domain/request/validation.ts";

/** The dependencies that `serve` itself needs. */
export interface FrameDeps {
  log?: Log;
  /** Required if any route is not for guests. */
  identity?: Identity;
  /** Required if any route declares a `limit`. */
  rates?: RateCounters;
  /** Public URL of the media library. Without it, responses contain addresses as stored. */
  mediaBaseUrl?: string;
  /** Set in the function behind `$default`, which tells an unknown path from a wrong method. */
  everyRoute?: readonly Address[];
}

type Event = APIGatewayProxyEventV2;
export type HttpHandler = (event: Event, context: Context) => Promise<HttpAnswer>;

/** The state of one request in the pipeline. Middlewares store here what later ones need. */
interface RequestState<Deps> {
  requestId: string;
  deps: Deps;
  ip: string;
  now: Date;
  claims?: Claims | undefined;
  /** The session check and the rate counter. Both run while the request is parsed and its first read is pending. */
  session?: Promise<SessionState> | undefined;
  admission?: Promise<Admission> | undefined;
  /** The form that was sent instead of JSON. */
  form?: FilledForm | undefined;
}

const maxBodyBytes = 256 * 1024;
const maxBodyValues = 10_000;
const maxBodyNesting = 64;

/**
 * Creates the Lambda handler that serves the routes of these resources.
 *
 * @param connect builds the dependencies from the environment, once, on the first request
 * @param openOrigin likewise opens the keys of our CloudFront distribution, if there is one
 */
export function serve<Deps extends FrameDeps>(
  resources: readonly Resource<Deps>[],
  connect: (environment: NodeJS.ProcessEnv) => Deps,
  openOrigin: (environment: NodeJS.ProcessEnv) => KeySource | undefined = openOriginKeys,
): HttpHandler {
  let deps: Deps | undefined;
  let origin: KeySource | undefined;
  function connected(): Deps {
    if (!deps) {
      deps = connect(process.env);
      origin = openOrigin(process.env);
    }
    return deps;
  }
  const addressOf = (event: Event) => callerAddress(event, origin);
  const loading = new Map<Resource<Deps>, Promise<Map<string, HttpHandler>>>();
  function pipelinesOf(resource: Resource<Deps>): Promise<Map<string, HttpHandler>> {
    const pipelines = loading.get(resource) ?? loadPipelines(resource);
    loading.set(resource, pipelines);
    return pipelines;
  }
  async function loadPipelines(resource: Resource<Deps>): Promise<Map<string, HttpHandler>> {
    const { routes } = await resource.load();
    return new Map(routes.map((route) => [routeKey(route), pipeline(route, connected, addressOf)]));
  }
  return async (event, context) => {
    const resource = resourceOf(resources, event.routeKey);
    if (!resource) return answerNoRoute(connected().everyRoute ?? [], event);
    try {
      return await withinDeadline(context.getRemainingTimeInMillis(), async () => {
        const answer = (await pipelinesOf(resource)).get(event.routeKey);
        return answer ? answer(event, context) : answerNoRoute(connected().everyRoute ?? [], event);
      });
    } catch (error) {
      const { requestId } = event.requestContext;
      report(deps?.log ?? plainLog, event.routeKey, error, requestId);
      return errorAnswer(error, requestId);
    }
  };
}

function pipeline<Deps extends FrameDeps>(
  route: Route<Deps>,
  connected: () => Deps,
  addressOf: (event: Event) => Promise<string>,
): HttpHandler {
  const states = new WeakMap<Event, RequestState<Deps>>();
  // The first middleware has stored the state of every event.
  const stateOf = (event: Event) => states.get(event) as RequestState<Deps>;

  const stack = middy<Event, HttpAnswer>()
    // The last resort below our own error responses: handles errors while building one.
    .use(httpErrorHandler({ logger: false, fallbackMessage: '{"code":"server_error"}' }))
    .onError(async (request) => {
      const requestId = request.event.requestContext?.requestId ?? randomUUID();
      const { session, admission, deps } = states.get(request.event) ?? {};
      // An invalid session takes precedence over every other error, and an exceeded rate limit over the rest.
      const error =
        (await session?.then(() => undefined, refusalOf)) ??
        (await admission?.then(() => undefined, refusalOf)) ??
        request.error;
      report(deps?.log ?? plainLog, routeKey(route), error, requestId);
      request.response = errorAnswer(error, requestId);
    })
    .before(async ({ event }) => {
      const form = route.form?.matches(event) ? route.form : undefined;
      const { maxBytes = maxBodyBytes } = form ?? route.request.raw ?? {};
      if (byteLength(event) > maxBytes) {
        throw new AppError("payload_too_large");
      }
      const deps = connected();
      const now = new Date();
      const ip = await addressOf(event);
      const state: RequestState<Deps> = {
        requestId: event.requestContext.requestId,
        deps,
        ip,
        now,
      };
      states.set(event, state);
      const claims = await claimsOf(route.access, event, deps.identity, now);
      state.claims = claims;
      state.session = claims && awaitedLater(prove(route.access, claims, deps.identity, now));
      state.admission = startCounting(route, state);
    });

  if (route.request.body) {
    const json = httpJsonBodyParser<Event>();
    stack.before(async (request) => {
      const { event } = request;
      const state = stateOf(event);
      // A caller over the rate limit is refused before the body is parsed.
      await state.admission;
      if (route.form?.matches(event)) {
        state.form = await route.form.read(event);
        return undefined;
      }
      if (countValues(bytesOf(event).toString()) > maxBodyValues) {
        const message = `The body must contain at most ${maxBodyValues} values.`;
        throw new AppError("payload_too_large", { message });
      }
      if (nestingOf(bytesOf(event).toString()) > maxBodyNesting) {
        throw invalidField(
          "body",
          `The body must be nested at most ${maxBodyNesting} levels deep.`,
        );
      }
      return json.before?.(request);
    });
  }

  return stack.handler(async (event) => {
    const state = stateOf(event);
    const { deps, session, admission } = state;
    const call = callOf(route, event, state);
    const [proven, admitted, first] = await Promise.all([
      session,
      admission,
      route.first?.(call, deps),
    ]);
    const permissions = proven?.permissions ?? [];
    const result = await route.handle({ ...call, permissions, first }, deps);
    await admitted?.succeeded();
    const answer = httpAnswer(route, result, {
      id: state.requestId,
      ifNoneMatch: event.headers["if-none-match"],
      mediaBaseUrl: deps.mediaBaseUrl,
    });
    Object.assign(answer.headers, admitted?.headers);
    return answer;
    // Middy types further parameters, which Lambda no longer passes.
  }) as HttpHandler;
}

function startCounting(
  route: Route,
  { deps, ip, now }: RequestState<FrameDeps>,
): Promise<Admission> | undefined {
  if (!route.limit) return undefined;
  if (!deps.rates)
    throw new TypeError(`${routeKey(route)} has a limit, but its family has no rate counters`);
  return awaitedLater(admit(deps.rates, route.limit, callerOf(ip), now));
}

/** Keeps a failure from being an unhandled rejection until the promise is awaited. */
function awaitedLater<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined);
  return work;
}

function callOf(
  route: Route,
  event: Event,
  { requestId, ip, now, claims, form, deps }: RequestState<FrameDeps>,
): Omit<Call, "first" | "permissions"> {
  const { query, params, headers } = route.request;
  const address = params ? parsedPath(params, event.pathParameters ?? {}) : undefined;
  const sent = sentBody(route, event, form, deps);
  return {
    ...sent,
    query: query ? parsedQuery(query, sentQuery(event, query)) : noQuery(event),
    params: address,
    headers: headers ? parsedHeaders(headers, event.headers) : undefined,
    actor: actorOf(claims),
    ip,
    agent: event.requestContext.http.userAgent || null,
    requestId,
    now,
    ...idempotency(route, event, sent.body),
    file: form?.file,
  };
}

function sentBody(
  { access, request: { body, raw } }: Route,
  event: Event,
  form: FilledForm | undefined,
  { mediaBaseUrl }: FrameDeps,
): Pick<Call, "body" | "rawBody"> {
  if (raw) return { body: undefined, rawBody: bytesOf(event) };
  if (!body) return { body: noBody(event) };
  const sent = form?.body ?? event.body;
  // Staff send back the URLs they received; records store addresses.
  const isStored = access.guard === "staff" && mediaBaseUrl !== undefined;
  return { body: parsed(body, isStored ? withMediaAddresses(sent, mediaBaseUrl) : sent) };
}

/** A malformed path parameter is a 404, like an unknown one. */
function parsedPath(params: z.ZodType, path: Record<string, string | undefined>): unknown {
  const result = params.safeParse(path);
  if (!result.success) throw new AppError("not_found");
  return result.data;
}

/** Refuses members sent to a route without a body. An empty body is accepted. */
function noBody(event: Event): undefined {
  const text = bytesOf(event).toString("utf8");
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

/** An empty text filter counts as not sent. */
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

function noQuery(event: Event): undefined {
  const unknown = Object.keys(event.queryStringParameters ?? {})[0];
  if (unknown !== undefined) throw invalidField(unknown, `The ${unknown} field is not allowed.`);
  return undefined;
}

function idempotency(
  route: Route,
  event: Event,
  body: unknown,
): Pick<Call, "idempotencyKey" | "bodyHash"> {
  const key = event.headers["idempotency-key"];
  if (route.idempotent === "required" && key === undefined) {
    throw invalidField("Idempotency-Key", "The Idempotency-Key header is required.");
  }
  if (!route.idempotent || key === undefined) return { idempotencyKey: null, bodyHash: "" };
  if (key.length === 0 || key.length > 255) {
    throw invalidField(
      "Idempotency-Key",
      "The Idempotency-Key header must be 1 to 255 characters.",
    );
  }
  return {
    idempotencyKey: key,
    bodyHash: hash("sha256", JSON.stringify(body ?? null), "base64url"),
  };
}

function report(log: Log, route: string, thrown: unknown, requestId: string): void {
  const error = refusalOf(thrown);
  if (error.status < 500) return;
  log.error(error.message, {
    route,
    request_id: requestId,
    cause: error.cause instanceof Error ? error.cause : String(error.cause),
  });
}

/** Responds to requests to `$default`: 405 with `Allow` if the path is known, otherwise 404. */
function answerNoRoute(
  everyRoute: readonly Address[],
  { rawPath, requestContext }: Event,
): HttpAnswer {
  const matching = everyRoute.filter((route) => matchesPath(fullPath(route), rawPath));
  // A literal path, such as `/settings/checklist`, takes precedence over `/settings/{group}`.
  const fewest = Math.min(...matching.map(variablesOf));
  const methods = new Set(
    matching.flatMap((route) => (variablesOf(route) === fewest ? [route.method] : [])),
  );
  const error =
    methods.size === 0
      ? new AppError("not_found", { message: "There is nothing at this address." })
      : new AppError("method_not_allowed", { headers: { Allow: [...methods].join(", ") } });
  return errorAnswer(error, requestContext.requestId);
}

const variablesOf = ({ path }: Address): number => path.split("{").length;

function matchesPath(pattern: string, path: string): boolean {
  const parts = path.split("/");
  const expected = pattern.split("/");
  return (
    parts.length === expected.length &&
    expected.every(
      (part, position) =>
        part === parts[position] || (part.startsWith("{") && parts[position] !== ""),
    )
  );
}
