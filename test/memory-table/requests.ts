import type { Expressions } from "./expressions.ts";

/** A request about one item, or about a partition. */
export interface ItemRequest extends Expressions {
  readonly TableName?: string;
  readonly Key?: Record<string, unknown>;
  readonly Item?: Record<string, unknown>;
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
  readonly Limit?: number;
  readonly ScanIndexForward?: boolean;
  readonly ExclusiveStartKey?: Record<string, unknown>;
  readonly ReturnValues?: string;
  readonly ReturnValuesOnConditionCheckFailure?: string;
}

/** The input of a command of the DocumentClient. */
export interface Input extends ItemRequest {
  readonly RequestItems?: Record<string, KeysToRead | readonly BatchedWrite[]>;
  readonly TransactItems?: readonly Partial<Record<TransactedKind, ItemRequest>>[];
}

export type KeysToRead = Expressions & {
  readonly Keys: readonly Record<string, unknown>[];
  readonly ConsistentRead?: boolean;
};

export interface BatchedWrite {
  readonly PutRequest?: { readonly Item: Record<string, unknown> };
  readonly DeleteRequest?: { readonly Key: Record<string, unknown> };
}

export type TransactedKind = "Put" | "Update" | "Delete" | "ConditionCheck";

export type Operation =
  | "GetItem"
  | "BatchGetItem"
  | "Query"
  | "PutItem"
  | "UpdateItem"
  | "DeleteItem"
  | "BatchWriteItem"
  | "TransactWriteItems";
