import type { APIGatewayProxyEventV2 as Event } from "aws-lambda";
import { count } from "../runtime/count.ts";
import type { Log } from "../runtime/log.ts";
import { type HttpAnswer, errorAnswer, refusalOf } from "./answers.ts";
import type { PipelineStep } from "./pipeline-state.ts";

/**
 * Answers a request that a step has refused. An invalid session takes precedence over an exceeded rate limit, and both
 * take precedence over the errors of the steps that run meanwhile.
 */
export const replyWithError =
  (log: () => Log): PipelineStep =>
  async ({ event, error, internal: { session, admission } }) =>
    errorReply(
      log(),
      event,
      (await session?.then(() => undefined, refusalOf)) ??
        (await admission?.then(() => undefined, refusalOf)) ??
        error,
    );

/**
 * Builds the response of an error. If the error is ours, logs and counts it: Lambda's own metric does not count errors
 * that get a response, so the alarms that stop a release use this count.
 */
export async function errorReply(log: Log, event: Event, thrown: unknown): Promise<HttpAnswer> {
  const { requestId } = event.requestContext;
  const error = refusalOf(thrown);
  if (error.status >= 500) {
    await count("ServerErrors");
    log.error(error.message, {
      route: event.routeKey,
      request_id: requestId,
      cause: error.cause instanceof Error ? error.cause : String(error.cause),
    });
  }
  return errorAnswer(error, requestId);
}
