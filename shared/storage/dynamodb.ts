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
import { clientDefaults, isLoopback } from "../runtime/aws-client.ts";
import { Unavailable } from "../runtime/unavailable.ts";

/**
 * DynamoDB Local does one transaction after another: of 200 that come together the last waits for seconds. Trying
 * again would only make the queue longer.
 */
const emulatorTimeout = 8_000;

/**
 * Commands throw the SDK's exceptions for what DynamoDB refuses, and Unavailable when it throttles, does not answer in
 * time or cannot be reached.
 *
 * @param options.requestTimeout how long each attempt waits for an answer, in ms
 */
export function openDynamoDb(
  endpoint?: string,
  options: { readonly requestTimeout?: number | undefined } = {},
): DynamoDBDocumentClient {
  const isEmulator = endpoint !== undefined && isLoopback(endpoint);
  const { requestTimeout = isEmulator ? emulatorTimeout : undefined } = options;
  const client = new DynamoDBClient(clientDefaults(endpoint, requestTimeout));
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

/** The system's, such as ECONNRESET, and those of Node's own that are no mistakes in a program. */
const networkCode =
  /^(?:E(?!RR_)[A-Z0-9_]+|ERR_SOCKET_CLOSED(?:_BEFORE_CONNECTION)?|ERR_SOCKET_CONNECTION_TIMEOUT|ERR_STREAM_PREMATURE_CLOSE)$/;

function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  const isNetworkFault = networkCode.test(code);
  const isTheirFault = status !== undefined && status >= 500;
  return isNetworkFault || isTheirFault || unanswered.has(error.name);
}

/** A refused write: what stands in its place, and whether the SDK had sent it before, with its answer lost. */
export interface Refusal {
  readonly found: Record<string, unknown> | undefined;
  readonly isRepetition: boolean;
}

/** Of a single write whose condition did not hold; undefined for other errors. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof ConditionalCheckFailedException)) return undefined;
  return { found: plain(error.Item), isRepetition: (error.$metadata.attempts ?? 1) > 1 };
}

/** A single write met a transaction on its item. */
export const isTransactionConflict = (error: unknown): boolean =>
  error instanceof TransactionConflictException;

/** Why each item of a transaction was refused, in their order; undefined when it was not cancelled. */
export const cancellationOf = (error: unknown): readonly CancellationReason[] | undefined =>
  error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : undefined;

/** The DocumentClient leaves the items inside of errors marshalled. */
export function plain(
  item: Record<string, AttributeValue> | undefined,
): Record<string, unknown> | undefined {
  return item && unmarshall(item);
}
