import type { APIGatewayProxyEventV2 as Event } from "aws-lambda";
import { httpAnswer } from "./answers.ts";
import { callOf } from "./parse.ts";
import { type PipelineRequest, type PipelineStep, requiredPart } from "./pipeline-state.ts";
import { remember } from "./remembered.ts";
import type { HandlerResult, Route } from "./route.ts";

/** Answers from memory if the route is `remembered`. The memory keeps the finished answer, so it handles and replies. */
export const answerFromMemory: PipelineStep = (request) => {
  const { event, internal } = request;
  const { route, deps } = internal;
  if (!route.remembered || event.body || isPreview(route, event)) return undefined;
  const memory = requiredPart(deps.memory, route, "memory");
  return remember(memory, route, event, {
    ...replyContext(request),
    handle: () => handled(request),
  });
};

/** Calls the route's handler. */
export const handle: PipelineStep = async (request) => {
  request.internal.result = await handled(request);
};

async function handled({ event, internal }: PipelineRequest): Promise<HandlerResult> {
  const { route, deps } = internal;
  const call = callOf(event, internal);
  const [session, admission, first, opened] = await Promise.all([
    internal.session,
    internal.admission,
    route.first?.(call, deps),
    internal.opened,
  ]);
  const { permissions = [], maxDiscountBps = 0 } = session ?? {};
  return route.handle({ ...call, permissions, maxDiscountBps, first, opened, admission }, deps);
}

/** Answers with the handler's result. */
export const reply: PipelineStep = async (request) => {
  const { event, internal } = request;
  const { route, result } = internal;
  const admission = await internal.admission;
  await admission?.succeeded();
  const declared = isPreview(route, event) ? privately(route) : route;
  const answer = httpAnswer(declared, result, replyContext(request));
  Object.assign(answer.headers, admission?.headers);
  return answer;
};

const replyContext = ({ event, internal }: PipelineRequest) => ({
  id: event.requestContext.requestId,
  ifNoneMatch: event.headers["if-none-match"],
  mediaBaseUrl: internal.deps.mediaBaseUrl,
});

const isPreview = (route: Route, { queryStringParameters }: Event): boolean =>
  route.previewed === true && queryStringParameters?.["preview"] !== undefined;

/** The route without its public cache. */
const privately = ({ cache: _cache, ...route }: Route): Route => route;
