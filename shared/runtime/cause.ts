import { AsyncLocalStorage } from "node:async_hooks";
import type { SQSRecord } from "aws-lambda";

/**
 * What caused some work: requests by their ids, or a trigger if no request did. Work on several changes at once may
 * have several requests or triggers, separated by spaces.
 */
export interface Cause {
  readonly request_id?: string | undefined;
  /**
   * `schedule`, `upload`, `command` (of an operator), `mail_event` (SES reports a bounce or complaint), `expiry` (a
   * time to live has passed) or `deletion` (a deleted row names no request). `change` and `message` stand for a cause
   * that an older release did not store.
   */
  readonly trigger?: string | undefined;
}

const causes = new AsyncLocalStorage<Cause>();

/** Runs `work` with this cause: the log lines, stored rows and queue messages of the work contain the cause. */
export const because = <Result>(cause: Cause, work: () => Result): Result =>
  causes.run(cause, work);

/** The cause of the current work. Work outside an invocation belongs to an operator's command. */
export const currentCause = (): Cause => causes.getStore() ?? { trigger: "command" };

/**
 * The members of log lines that Powertools' logger does not write: the cause, and the id of the X-Ray trace. Lambda
 * sets a new trace id for each invocation.
 */
export function lineFacts(): Record<string, string> {
  const [, xray_trace_id] = /Root=([^;]+)/.exec(process.env["_X_AMZN_TRACE_ID"] ?? "") ?? [];
  const { request_id, trigger } = currentCause();
  return {
    ...(request_id !== undefined && { request_id }),
    ...(trigger !== undefined && { trigger }),
    ...(xray_trace_id !== undefined && { xray_trace_id }),
  };
}

/** Combines several causes into one. */
export function causeOfAll(all: readonly Cause[]): Cause {
  const named = (name: keyof Cause) => [
    ...new Set(all.flatMap((cause) => cause[name]?.split(" ") ?? [])),
  ];
  const [requests, triggers] = [named("request_id"), named("trigger")];
  return {
    ...(requests.length > 0 && { request_id: requests.join(" ") }),
    ...(triggers.length > 0 && { trigger: triggers.join(" ") }),
  };
}

/** The cause that the sender of a queue message named; undefined if it named none. */
export function causeOfMessage({
  messageAttributes,
}: Pick<SQSRecord, "messageAttributes">): Cause | undefined {
  const request_id = messageAttributes["request_id"]?.stringValue;
  const trigger = messageAttributes["trigger"]?.stringValue;
  if (!request_id && !trigger) return undefined;
  return { ...(request_id && { request_id }), ...(trigger && { trigger }) };
}

/** The cause of an invocation, read from its event. */
export function causeOfEvent(event: unknown): Cause {
  const { requestContext, Records } = event as {
    requestContext?: { requestId?: string };
    Records?: readonly Partial<SQSRecord>[];
  };
  if (requestContext?.requestId) return { request_id: requestContext.requestId };
  if (!Records) return { trigger: "schedule" };
  return causeOfAll(
    Records.map(({ messageAttributes }) =>
      messageAttributes
        ? (causeOfMessage({ messageAttributes }) ?? { trigger: "message" })
        : { trigger: "change" },
    ),
  );
}

/**
 * Processes one message of a batch. The rows and log lines of `work` get the cause that this message names (see
 * `Cause`), not the causes of the other messages.
 */
export const becauseOf = <Result>(
  record: SQSRecord,
  work: () => Promise<Result>,
): Promise<Result> => because(causeOfMessage(record) ?? currentCause(), work);
