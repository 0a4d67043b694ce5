import {
  type AttributeValue,
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
} from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { clientDefaults } from "../runtime/aws-client.ts";
import { Unavailable } from "../runtime/unavailable.ts";

/**
 * Opens a DynamoDB client. Its commands throw the SDK's exceptions for requests that DynamoDB refuses, and
 * Unavailable when DynamoDB throttles, does not answer in time or cannot be reached.
 *
 * @param options.requestTimeout how long each attempt waits for an answer, in ms
 */
export function openDynamoDb(
  endpoint?: string,
  { requestTimeout }: { readonly requestTimeout?: number | undefined } = {},
): DynamoDBDocumentClient {
  const client = new DynamoDBClient(clientDefaults(endpoint, { requestTimeout }));
  client.middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        if (!isUnanswered(error)) throw error;
        throw new Unavailable("Storage did not answer", { cause: error });
      }
    },
    { step: "initialize", priority: "high", name: "unavailable" },
  );
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

const unanswered = new Set([
  "ThrottlingException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "InternalServerError",
  "ServiceUnavailable",
  "TransactionInProgressException",
  "TimeoutError",
]);

/** Codes of the operating system, such as ECONNRESET, and those Node.js codes that are not programming errors. */
const networkCode =
  /^(?:E(?!RR_)[A-Z0-9_]+|ERR_SOCKET_CLOSED(?:_BEFORE_CONNECTION)?|ERR_SOCKET_CONNECTION_TIMEOUT|ERR_STREAM_PREMATURE_CLOSE)$/;

function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  // Errors of the SDK have `$metadata`; network errors do not.
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  const isNetworkFault = networkCode.test(code);
  const isTheirFault = status !== undefined && status >= 500;
  return isNetworkFault || isTheirFault || unanswered.has(error.name);
}

/** A refused write: the conflicting item, and whether this was an SDK retry after a lost answer. */
export interface FailedCondition {
  readonly conflictingItem: Record<string, unknown> | undefined;
  readonly isRepetition: boolean;
}

/** The refusal of a single write whose condition failed; undefined for other errors. */
export function failedConditionOf(error: unknown): FailedCondition | undefined {
  if (!(error instanceof ConditionalCheckFailedException)) return undefined;
  return { conflictingItem: plain(error.Item), isRepetition: (error.$metadata.attempts ?? 1) > 1 };
}

/** Whether a single write conflicted with a transaction on its item. */
export const isTransactionConflict = (error: unknown): boolean =>
  error instanceof TransactionConflictException;

/** The cancellation reason of each item of a transaction, in order; undefined for other errors. */
export const cancellationOf = (error: unknown): readonly CancellationReason[] | undefined =>
  error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : undefined;

/** Unmarshalls an item. The DocumentClient leaves the items inside errors marshalled. */
export function plain(
  item: Record<string, AttributeValue> | undefined,
): Record<string, unknown> | undefined {
  return item && unmarshall(item);
}
