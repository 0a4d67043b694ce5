import type { TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { expressionScope } from "./conditions.ts";
import type { Item, Key } from "./entity.ts";
import { checkExpression } from "./limits.ts";
import type { Write } from "./writes.ts";

type TransactItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** A write in the format of TransactWriteItems. */
export function transactItem(TableName: string, write: Write): TransactItem {
  const scope = expressionScope();
  const valid = (expression: string) => {
    checkExpression(write.entity.name, expression);
    return expression;
  };
  const conditional = write.condition && {
    ConditionExpression: valid(scope.condition(write.condition)),
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
  switch (write.kind) {
    case "put":
      return { Put: { TableName, Item: write.item, ...conditional, ...scope.attributes() } };
    case "update": {
      const { key: Key } = write;
      const UpdateExpression = valid(scope.update(write.changes));
      return {
        Update: { TableName, Key, UpdateExpression, ...conditional, ...scope.attributes() },
      };
    }
    case "remove":
      return { Delete: { TableName, Key: write.key, ...conditional, ...scope.attributes() } };
    case "check":
      return {
        ConditionCheck: {
          TableName,
          Key: write.key,
          ConditionExpression: "",
          ...conditional,
          ...scope.attributes(),
        },
      };
  }
}

/** A write in the format of BatchWriteItem, which supports no conditions and no updates. */
export function batchRequest(
  write: Write,
): { PutRequest: { Item: Item } } | { DeleteRequest: { Key: Key } } {
  if (write.condition === undefined) {
    if (write.kind === "put") return { PutRequest: { Item: write.item } };
    if (write.kind === "remove") return { DeleteRequest: { Key: write.key } };
  }
  throw new TypeError("A batch takes only puts and removals without a condition");
}
