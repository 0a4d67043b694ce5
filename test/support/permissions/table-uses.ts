/** Items of one partition whose sort keys are from `from` to `to`, inclusive. */
export interface KeyRange {
  readonly pk: string;
  readonly from: string;
  readonly to: string;
  /** The item's `entity` member, if it is known. */
  readonly entity?: string | undefined;
}

/** A function's use of the table, as IAM sees it. */
export interface TableUse {
  readonly action: string;
  /** The accessed keys, in the table or in the queried index. */
  readonly ranges: readonly KeyRange[];
  readonly index: "gsi1" | "gsi2" | undefined;
}

type Attributes = Record<string, { S?: string }>;
interface Named {
  Key?: Attributes;
  Item?: Attributes;
}
type QueryRequest = Pick<Request, "KeyConditionExpression" | "ExpressionAttributeValues">;
interface Request extends Named {
  IndexName?: "gsi1" | "gsi2";
  KeyConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Attributes;
  RequestItems?: Record<string, { Keys: Attributes[] } | Record<string, Named>[]>;
  TransactItems?: Record<string, Named>[];
}

interface Answer {
  Item?: Attributes;
  Items?: Attributes[];
  Responses?: Record<string, Attributes[]>;
}

const inTransactions: Record<string, string> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
};

/** Sorts after every sort key. */
const last = "\u{10FFFF}";

function rangeOf({ Key, Item }: Named): KeyRange {
  const { pk, sk, entity } = Key ?? Item ?? {};
  return { pk: pk?.S ?? "?", from: sk?.S ?? "?", to: sk?.S ?? "?", entity: entity?.S };
}

/** Parses the key conditions that `table.ts` writes: the partition first, then the sort key's prefix or range. */
export function queriedRange(request: QueryRequest): KeyRange {
  const { KeyConditionExpression = "", ExpressionAttributeValues = {} } = request;
  const values = [...KeyConditionExpression.matchAll(/:\w+/g)].map(
    ([name]) => ExpressionAttributeValues[name]?.S ?? "?",
  );
  const [pk = "?", from = "", to = from + last] = values;
  return { pk, from, to };
}

/** The items that a DynamoDB call returned. */
export function itemsIn(answer: Buffer): KeyRange[] {
  const { Item, Items = [], Responses = {} } = JSON.parse(answer.toString()) as Answer;
  return [...(Item ? [Item] : []), ...Items, ...Object.values(Responses).flat()].map((each) =>
    rangeOf({ Item: each }),
  );
}

/** The uses of the table in a DynamoDB call. A transaction requires the same permissions as its writes do alone. */
export function tableUsesOf(operation: string, body: Buffer): TableUse[] {
  const request = JSON.parse(body.toString()) as Request;
  const { RequestItems, TransactItems, IndexName: index } = request;
  if (TransactItems) {
    return TransactItems.flatMap((item) =>
      Object.entries(item).map(([kind, named]) => ({
        action: inTransactions[kind] ?? kind,
        ranges: [rangeOf(named)],
        index,
      })),
    );
  }
  if (RequestItems) {
    const named = Object.values(RequestItems).flatMap((of): Named[] =>
      "Keys" in of ? of.Keys.map((Key) => ({ Key })) : of.flatMap((each) => Object.values(each)),
    );
    return [{ action: operation, ranges: named.map(rangeOf), index }];
  }
  const range = operation === "Query" ? queriedRange(request) : rangeOf(request);
  return [{ action: operation, ranges: [range], index }];
}
