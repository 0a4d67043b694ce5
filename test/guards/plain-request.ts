import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Input } from "#test/memory-table/requests.ts";
import type { TableAnswer } from "./table-uses.ts";

type Attributes = Record<string, AttributeValue>;

const marshalledMembers = [
  "Key",
  "Item",
  "ExclusiveStartKey",
  "ExpressionAttributeValues",
] as const;

/** A request of DynamoDB's HTTP API as the input of a command of the DocumentClient. */
export function plainRequest(body: Buffer): Input {
  const { RequestItems, TransactItems, ...request } = JSON.parse(body.toString()) as {
    RequestItems?: Record<string, { Keys: Attributes[] } | Record<string, object>[]>;
    TransactItems?: Record<string, object>[];
  };
  return {
    ...plainMembers(request),
    ...(RequestItems && {
      RequestItems: mapped(RequestItems, (batch) =>
        "Keys" in batch
          ? { ...batch, Keys: batch.Keys.map((key) => unmarshall(key)) }
          : batch.map((member) => mapped(member, plainMembers)),
      ),
    }),
    ...(TransactItems && {
      TransactItems: TransactItems.map((member) => mapped(member, plainMembers)),
    }),
  };
}

/** What an answer of the HTTP API returned: of each item the members that tell which one it is. */
export function plainAnswer(body: Buffer): TableAnswer {
  const { Item, Items, Responses } = JSON.parse(body.toString()) as {
    Item?: Attributes;
    Items?: Attributes[];
    Responses?: Record<string, Attributes[]>;
  };
  return {
    ...(Item && { Item: named(Item) }),
    ...(Items && { Items: Items.map(named) }),
    ...(Responses && { Responses: mapped(Responses, (items) => items.map(named)) }),
  };
}

const named = ({ pk, sk, entity }: Attributes) => ({ pk: pk?.S, sk: sk?.S, entity: entity?.S });

const mapped = <Value, Mapped>(
  values: Record<string, Value>,
  of: (value: Value) => Mapped,
): Record<string, Mapped> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, of(value)]));

function plainMembers(request: object): object {
  const plain: Record<string, unknown> = { ...request };
  for (const name of marshalledMembers)
    if (plain[name]) plain[name] = unmarshall(plain[name] as Attributes);
  return plain;
}
