import type { SQSRecord } from "aws-lambda";
import { because, causeOfMessage, currentCause } from "#shared/runtime/cause.ts";

/**
 * Processes one message of a batch. Every row that the work writes records the cause that this message names, not the
 * cause of another message.
 */
export const becauseOf = <Result>(
  record: SQSRecord,
  work: () => Promise<Result>,
): Promise<Result> => because(causeOfMessage(record) ?? currentCause(), work);
