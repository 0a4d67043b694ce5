import middy from "@middy/core";
import httpErrorHandler from "@middy/http-error-handler";
import type { APIGatewayProxyEventV2 as Event, Context } from "aws-lambda";
import { because } from "../runtime/cause.ts";
import { count } from "../runtime/count.ts";
import { withinDeadline } from "../runtime/deadline.ts";
import { plainLog } from "../runtime/log.ts";
import type { HttpAnswer } from "./answers.ts";
import { checkSize } from "./body-size.ts";
import { countRequest, proveSession, readToken } from "./guard.ts";
import { answerFromMemory, handle, reply } from "./handle.ts";
import { type OriginKeys, checkOrigin, openOriginKeys } from "./origin.ts";
import { parseBody, startOpenRead } from "./parse.ts";
import type { FrameDeps, PipelineState, PipelineStep } from "./pipeline-state.ts";
import { errorReply, replyWithError } from "./report.ts";
import { calledKey } from "./route.ts";
import { type DepsOf, type Resource, findRoute, startLoading } from "./resource.ts";

export type { FrameDeps } from "./pipeline-state.ts";

export type HttpHandler = (event: Event, context: Context) => Promise<HttpAnswer>;

/**
 * Creates the Lambda handler that serves the routes of these resources.
 *
 * @param connect builds the dependencies from the environment, once, on the first request
 * @param openOrigin opens the keys of our CloudFront distribution, if there is one; also called once
 */
export function serve<const Resources extends readonly Resource[]>(
  served: Resources,
  connect: (environment: NodeJS.ProcessEnv) => DepsOf<Resources> & FrameDeps,
  openOrigin: (environment: NodeJS.ProcessEnv) => OriginKeys | undefined = openOriginKeys,
): HttpHandler {
  // `connect` returns what every one of the routes takes.
  const resources = served as readonly Resource<FrameDeps>[];
  let deps: FrameDeps | undefined;
  function connected(): FrameDeps {
    if (!deps) {
      void count("ColdStarts");
      deps = connect(process.env);
    }
    return deps;
  }
  const log = () => deps?.log ?? plainLog;

  // The steps of a request, in the order of their checks. The numbers are the statuses with which a step refuses.
  const pipeline = middy<Event, HttpAnswer, Error, Context, PipelineState>()
    // Replies if `replyWithError` itself fails.
    .use(httpErrorHandler({ logger: false, fallbackMessage: '{"code":"server_error"}' }))
    .onError(replyWithError(log))
    .before(startLoading(resources))
    .before(checkOrigin(() => openOrigin(process.env))) // 403
    .before(findRoute(resources, connected)) // 404, 405
    .before(checkSize) // 413
    .before(connectDeps(connected))
    .before(readToken) // 401
    // These three start together. `replyWithError` keeps the order of the first two.
    .before(proveSession) // 401, 403
    .before(countRequest) // 429
    .before(startOpenRead)
    .before(parseBody) // 415, 400
    .before(answerFromMemory)
    .before(handle) // 422, and what the route itself refuses
    .before(reply);

  const answer: HttpHandler = async (event, context) => {
    try {
      const remainingMs = context.getRemainingTimeInMillis();
      return await withinDeadline(remainingMs, () => pipeline(event, context));
    } catch (error) {
      return errorReply(log(), event, error);
    }
  };
  return (event, context) =>
    because({ request_id: event.requestContext.requestId }, () =>
      answer({ ...withoutNulls(event), routeKey: calledKey(event) }, context),
    );
}

/** Tools write null for members that API Gateway leaves out. */
function withoutNulls(event: Event): Event {
  const members = Object.entries(event);
  if (members.every(([, value]) => value !== null)) return event;
  const present = members.filter(([, value]) => value !== null);
  return { headers: {}, ...Object.fromEntries(present) } as Event;
}

/** Sets the dependencies and the request's time: an oversized body costs no connection. */
const connectDeps =
  (connected: () => FrameDeps): PipelineStep =>
  ({ internal }) => {
    internal.deps = connected();
    internal.now = new Date();
  };
