import { hash, randomUUID } from "node:crypto";
import middy from "@middy/core";
import httpErrorHandler from "@middy/http-error-handler";
import httpJsonBodyParser from "@middy/http-json-body-parser";
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import type * as z from "zod";
import { because } from "../runtime/cause.ts";
import { count } from "../runtime/count.ts";
import { withinDeadline } from "../runtime/deadline.ts";
import { type Log, plainLog } from "../runtime/log.ts";
import { byteLength, bytesOf, requireSimple } from "./body-size.ts";
import { callerAddress } from "./caller-address.ts";
import { type OriginKeys, openOriginKeys, requireOrigin } from "./origin.ts";
import { type HttpAnswer, errorAnswer, httpAnswer, refusalOf } from "./answers.ts";
import type { Claims } from "../auth/claims.ts";
import { AppError, invalidField } from "../domain/request/app-error.ts";
import { actorOf, claimsOf, prove } from "./guard.ts";
import { type Identity, type SessionState } from "../auth/identity.ts";
import { type Admission, admit, callerOf } from "../auth/rate-limit.ts";
import { type RateCounters } from "../domain/request/rate-limits.ts";
import { type Resource, resourceOf } from "./resource.ts";
import type { Remember } from "./remembered.ts";
import { noBody, noQuery, sentQuery } from "./sent-members.ts";
import { type Call, type CallBefore, type FilledForm, type Route, routeKey } from "./route.ts";
import { withMediaAddresses } from "../domain/upload/media.ts";
import { parsed, parsedHeaders, parsedQuery } from "../domain/request/validation.ts";

/** The dependencies that `serve` itself uses. */
export interface FrameDeps {
  log?: Log;
  /** Required if the access of any route is not `anyone`. */
  identity?: Identity;
  /** Required if any route declares a `limit`. */
  rates?: RateCounters;
  /** Public URL of the media library. Without it, responses contain addresses as stored. */
  mediaBaseUrl?: string;
  /** Required if any route is `remembered`. */
  remember?: Remember;
  /** Set in the function of API Gateway's route `$default`. Answers requests with an unknown path or a wrong method. */
  answerNoRoute?: (event: Event) => HttpAnswer;
}

type Event = APIGatewayProxyEventV2;
export type HttpHandler = (event: Event, context: Context) => Promise<HttpAnswer>;

/** The state of one request in the pipeline. Middlewares store here the values that later middlewares need. */
interface RequestState<Deps> {
  requestId: string;
  deps: Deps;
  ip: string;
  now: Date;
  claims?: Claims | undefined;
  /** The session check, the rate counter and the route's `open` read, which run while the request is parsed. */
  session?: Promise<SessionState> | undefined;
  admission?: Promise<Admission> | undefined;
  opened?: Promise<unknown> | undefined;
  /** The form that was sent instead of JSON. */
  form?: FilledForm | undefined;
}

const maxBodyBytes = 256 * 1024;

/**
 * Creates the Lambda handler that serves the routes of these resources.
 *
 * @param connect builds the dependencies from the environment, once, on the first request
 * @param openOrigin opens the keys of our CloudFront distribution, if there is one; also called once
 */
export function serve<Deps extends FrameDeps>(
  resources: readonly Resource<Deps>[],
  connect: (environment: NodeJS.ProcessEnv) => Deps,
  openOrigin: (environment: NodeJS.ProcessEnv) => OriginKeys | undefined = openOriginKeys,
): HttpHandler {
  let deps: Deps | undefined;
  function connected(): Deps {
    if (!deps) {
      void count("ColdStarts");
      deps = connect(process.env);
    }
    return deps;
  }
  let origin: { readonly keys: OriginKeys | undefined } | undefined;
  const originKeys = () => (origin ??= { keys: openOrigin(process.env) }).keys;
  const addressOf = (event: Event) => callerAddress(event, originKeys() !== undefined);
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
  const answerEvent: HttpHandler = async (event, context) => {
    try {
      return await withinDeadline(context.getRemainingTimeInMillis(), async () => {
        const resource = resourceOf(resources, event.routeKey);
        const [pipelines] = await Promise.all([
          resource && pipelinesOf(resource),
          requireOrigin(event.headers, originKeys()),
        ]);
        const answer = pipelines?.get(event.routeKey);
        if (answer) return answer(event, context);
        return (
          connected().answerNoRoute?.(event) ??
          errorAnswer(new AppError("not_found"), event.requestContext.requestId)
        );
      });
    } catch (error) {
      const { requestId } = event.requestContext;
      await report(deps?.log ?? plainLog, event.routeKey, error, requestId);
      return errorAnswer(error, requestId);
    }
  };
  return (event, context) =>
    because({ request_id: event.requestContext.requestId }, () => answerEvent(event, context));
}

function pipeline<Deps extends FrameDeps>(
  route: Route<Deps>,
  connected: () => Deps,
  addressOf: (event: Event) => string,
): HttpHandler {
  const states = new WeakMap<Event, RequestState<Deps>>();
  // The first middleware has stored the state of every event.
  const stateOf = (event: Event) => states.get(event) as RequestState<Deps>;

  const stack = middy<Event, HttpAnswer>()
    // Handles errors that occur while our own error response is built.
    .use(httpErrorHandler({ logger: false, fallbackMessage: '{"code":"server_error"}' }))
    .onError(async (request) => {
      const requestId = request.event.requestContext?.requestId ?? randomUUID();
      const { session, admission, deps } = states.get(request.event) ?? {};
      // An invalid session takes precedence over an exceeded rate limit, and both take precedence over all other
      // errors.
      const error =
        (await session?.then(() => undefined, refusalOf)) ??
        (await admission?.then(() => undefined, refusalOf)) ??
        request.error;
      await report(deps?.log ?? plainLog, routeKey(route), error, requestId);
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
      const state: RequestState<Deps> = {
        requestId: event.requestContext.requestId,
        deps,
        ip: addressOf(event),
        now,
      };
      states.set(event, state);
      const claims = await claimsOf(route.access, event, deps.identity, now);
      state.claims = claims;
      state.session = claims && awaitedLater(prove(route.access, claims, deps.identity, now));
      state.admission = startCounting(route, state);
      if (route.open) state.opened = awaitedLater(openWith(route, event, state));
    });

  if (route.request.body) {
    const json = httpJsonBodyParser<Event>();
    stack.before(async (request) => {
      const { event } = request;
      const state = stateOf(event);
      // A caller over the rate limit is refused before the body is parsed.
      if (!route.parsesEarly) await state.admission;
      if (route.form?.matches(event)) {
        state.form = await route.form.read(event);
        return undefined;
      }
      return afterRefusalBy(state.admission, async () => {
        requireSimple(bytesOf(event).toString());
        return json.before?.(request);
      });
    });
  }

  return stack.handler(async (event) => {
    const state = stateOf(event);
    const { deps, session, admission, opened } = state;
    const isPreview = route.previewed && event.queryStringParameters?.["preview"] !== undefined;
    const request = {
      id: state.requestId,
      ifNoneMatch: event.headers["if-none-match"],
      mediaBaseUrl: deps.mediaBaseUrl,
    };
    const handle = async () => {
      const call = await afterRefusalBy(admission, async () => callOf(route, event, state));
      const [proven, admitted, first, open] = await Promise.all([
        session,
        admission,
        route.first?.(call, deps),
        opened,
      ]);
      const permissions = proven?.permissions ?? [];
      return route.handle({ ...call, permissions, first, opened: open, admission: admitted }, deps);
    };
    if (route.remembered && !event.body && !isPreview) {
      const remember = required(deps.remember, route, "remember");
      return remember(route, event, { ...request, now: state.now, handle });
    }
    const result = await handle();
    const admitted = await admission;
    await admitted?.succeeded();
    const answer = httpAnswer(isPreview ? privately(route) : route, result, request);
    Object.assign(answer.headers, admitted?.headers);
    return answer;
    // Middy's handler type has further parameters, which Lambda no longer passes.
  }) as HttpHandler;
}

/** Does work while a request is counted. If the limit refuses the request, its error replaces that of the work. */
async function afterRefusalBy<Result>(
  admission: Promise<Admission> | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (problem) {
    await admission;
    throw problem;
  }
}

/** The route without its public cache. */
const privately = ({ cache: _cache, ...route }: Route): Route => route;

/** A dependency that the route's declaration requires. */
function required<Value>(value: Value | undefined, route: Route, name: string): Value {
  if (value) return value;
  throw new TypeError(`${routeKey(route)} needs its function to have \`${name}\``);
}

function startCounting(
  route: Route,
  { deps, ip, now }: RequestState<FrameDeps>,
): Promise<Admission> | undefined {
  if (!route.limit) return undefined;
  const rates = required(deps.rates, route, "rates");
  return awaitedLater(admit(rates, route.limit, callerOf(ip), now));
}

/** Keeps a failure from being an unhandled rejection until the promise is awaited. */
function awaitedLater<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined);
  return work;
}

/**
 * Runs the route's `open` read. Rejects if the path, query or headers are invalid. The caller then receives the same
 * error when the whole request is parsed, or the parser's error if the body is malformed too.
 */
const openWith = async <Deps extends FrameDeps>(
  route: Route<Deps>,
  event: Event,
  state: RequestState<Deps>,
): Promise<unknown> => route.open?.(headOf(route, event, state), state.deps);

function callOf(route: Route, event: Event, state: RequestState<FrameDeps>): CallBefore<Call> {
  const head = headOf(route, event, state);
  const sent = sentBody(route, event, state.form, state.deps);
  const bodyHash =
    head.idempotencyKey === null
      ? ""
      : hash("sha256", JSON.stringify(sent.body ?? null), "base64url");
  return { ...head, ...sent, bodyHash, file: state.form?.file };
}

function headOf(
  route: Route,
  event: Event,
  { requestId, ip, now, claims }: RequestState<FrameDeps>,
) {
  const { query, params, headers } = route.request;
  return {
    params: params ? parsedPath(params, event.pathParameters ?? {}) : undefined,
    query: query ? parsedQuery(query, sentQuery(event, query)) : noQuery(event),
    headers: headers ? parsedHeaders(headers, event.headers) : undefined,
    actor: actorOf(claims),
    ip,
    agent: event.requestContext.http.userAgent || null,
    requestId,
    now,
    idempotencyKey: idempotencyKeyOf(route, event),
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

function idempotencyKeyOf(route: Route, event: Event): string | null {
  const key = event.headers["idempotency-key"];
  if (route.idempotent === "required" && key === undefined) {
    throw invalidField("Idempotency-Key", "The Idempotency-Key header is required.");
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

/** Lambda's own metric does not count errors that get a response, so the alarms that stop a release use this count. */
async function report(log: Log, route: string, thrown: unknown, requestId: string): Promise<void> {
  const error = refusalOf(thrown);
  if (error.status < 500) return;
  await count("ServerErrors");
  log.error(error.message, {
    route,
    request_id: requestId,
    cause: error.cause instanceof Error ? error.cause : String(error.cause),
  });
}
