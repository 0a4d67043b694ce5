import type {
  BatchGetItemInput,
  BatchGetItemOutput,
  BatchWriteItemInput,
  BatchWriteItemOutput,
  CancellationReason,
  DeleteItemInput,
  DeleteItemOutput,
  GetItemInput,
  GetItemOutput,
  PutItemInput,
  PutItemOutput,
  QueryInput,
  QueryOutput,
  TransactWriteItemsInput,
  TransactWriteItemsOutput,
  UpdateItemInput,
  UpdateItemOutput,
} from "@aws-sdk/client-dynamodb";
import { AwsRefusal, awsJson } from "../runtime/aws-json.ts";
import { awsDomain } from "../runtime/aws-domain.ts";
import type { Attributes } from "./attribute-values.ts";

/** What the table is asked, and what it answers. */
interface Operations {
  BatchGetItem: [BatchGetItemInput, BatchGetItemOutput];
  BatchWriteItem: [BatchWriteItemInput, BatchWriteItemOutput];
  DeleteItem: [DeleteItemInput, DeleteItemOutput];
  GetItem: [GetItemInput, GetItemOutput];
  PutItem: [PutItemInput, PutItemOutput];
  Query: [QueryInput, QueryOutput];
  TransactWriteItems: [TransactWriteItemsInput, TransactWriteItemsOutput];
  UpdateItem: [UpdateItemInput, UpdateItemOutput];
}

/** Throws AwsRefusal, or Unavailable when DynamoDB throttles, does not answer in time or cannot be reached. */
export type DynamoDb = <Name extends keyof Operations>(
  operation: Name,
  request: Operations[Name][0],
) => Promise<Operations[Name][1]>;

/**
 * DynamoDB without its SDK client, which takes eight times the CPU of the call itself: every request of ours waits for
 * one at least.
 */
export const openDynamoDb = (endpoint?: string): DynamoDb =>
  awsJson({
    service: "dynamodb",
    target: "DynamoDB_20120810",
    base: (region) => endpoint ?? `https://dynamodb.${region}.${awsDomain(region)}`,
  }) as DynamoDb;

/** A refused write's condition did not hold for the item. */
export const isConditionFailure = (error: unknown): error is AwsRefusal =>
  error instanceof AwsRefusal && error.name === "ConditionalCheckFailedException";

/** A single write met a transaction on its item. */
export const isTransactionConflict = (error: unknown): boolean =>
  error instanceof AwsRefusal && error.name === "TransactionConflictException";

/** Of a refused write, what stands in its place. */
export const itemIn = (refusal: AwsRefusal): Attributes | undefined =>
  (refusal.answer as { Item?: Attributes }).Item;

/** Why each item of a transaction was refused, in their order; undefined when it was not cancelled. */
export const cancellationOf = (error: unknown): readonly CancellationReason[] | undefined =>
  error instanceof AwsRefusal && error.name === "TransactionCanceledException"
    ? ((error.answer as { CancellationReasons?: CancellationReason[] }).CancellationReasons ?? [])
    : undefined;
