import type { SQSRecord } from "aws-lambda";
import { because, causeOfMessage, currentCause } from "#shared/runtime/cause.ts";

/**
 * Processes one message of a batch. The rows and log lines of `work` get the cause that this message names (see
 * `Cause`), not the causes of the other messages.
 */
export const becauseOf = <Result>(
  record: SQSRecord,
  work: () => Promise<Result>,
): Promise<Result> => because(causeOfMessage(record) ?? currentCause(), work);
