import {
  type AttributeValue,
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  ResourceNotFoundException,
  TransactionCanceledException,
  TransactionConflictException,
} from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import type { Item } from "./values.ts";

const metadata = (attempts: number) => ({ httpStatusCode: 400, attempts });

/** DynamoDB's answer to a request that breaks one of its rules. The SDK has no class for it. */
export const invalid = (message: string): DynamoDBServiceException =>
  new DynamoDBServiceException({
    name: "ValidationException",
    $fault: "client",
    $metadata: metadata(1),
    message,
  });

/** Ends a test whose request DynamoDB may accept, but for which the table in memory has no rule. */
export const unsupported = (what: string): TypeError =>
  new TypeError(`The table in memory does not know ${what}: describe it in test/memory-table`);

export const noSuchTable = (): ResourceNotFoundException =>
  new ResourceNotFoundException({
    $metadata: metadata(1),
    message: "Requested resource not found",
  });

/** An item in the format in which errors and streams carry it. */
export const marshalled = (item: Item): Record<string, AttributeValue> => marshall(item);

/** @param attempts of the SDK, including this one */
export const conditionFailed = (
  item: Item | undefined,
  attempts: number,
): ConditionalCheckFailedException =>
  new ConditionalCheckFailedException({
    $metadata: metadata(attempts),
    message: "The conditional request failed",
    ...(item && { Item: marshalled(item) }),
  });

export const conflict = (): TransactionConflictException =>
  new TransactionConflictException({
    $metadata: metadata(1),
    message: "Transaction is ongoing for the item",
  });

export const cancelled = (reasons: readonly CancellationReason[]): TransactionCanceledException =>
  new TransactionCanceledException({
    $metadata: metadata(1),
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons
      .map(({ Code }) => Code)
      .join(", ")}]`,
    CancellationReasons: [...reasons],
  });
