import type { PutRequest, TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { marshalled } from "./attribute-values.ts";
import { expressionScope } from "./conditions.ts";
import type { Write } from "./writes.ts";

/** A write as DynamoDB takes it. */
export function transactItem(TableName: string, write: Write): TransactWriteItem {
  const scope = expressionScope();
  const conditional = write.condition && {
    ConditionExpression: scope.condition(write.condition),
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
  switch (write.kind) {
    case "put": {
      const Item = marshalled(write.item);
      return { Put: { TableName, Item, ...conditional, ...attributesOf(scope) } };
    }
    case "update": {
      const Key = marshalled(write.key);
      const UpdateExpression = scope.update(write.changes);
      return {
        Update: { TableName, Key, UpdateExpression, ...conditional, ...attributesOf(scope) },
      };
    }
    case "remove": {
      const Key = marshalled(write.key);
      return { Delete: { TableName, Key, ...conditional, ...attributesOf(scope) } };
    }
    case "check": {
      const Key = marshalled(write.key);
      return {
        ConditionCheck: {
          TableName,
          Key,
          ConditionExpression: "",
          ...conditional,
          ...attributesOf(scope),
        },
      };
    }
  }
}

/** The names and values of a request's expressions, as DynamoDB takes them. */
export function attributesOf(scope: ReturnType<typeof expressionScope>) {
  const { ExpressionAttributeValues: values, ...names } = scope.attributes();
  return { ...names, ...(values && { ExpressionAttributeValues: marshalled(values) }) };
}

/** The same as part of a batch, which knows no conditions. */
export function putRequest(write: Write): PutRequest {
  if (write.kind === "put" && !write.condition) return { Item: marshalled(write.item) };
  throw new TypeError("Many are stored only as they are");
}
