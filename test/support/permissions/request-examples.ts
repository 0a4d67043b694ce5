import type { AttributeValue } from "@aws-sdk/client-dynamodb";

export type Attributes = Record<string, AttributeValue>;

/** A request to DynamoDB about an item or a partition, or a member of a transaction or a batch. */
export interface WireRequest {
  TableName?: string;
  Key?: Attributes;
  Item?: Attributes;
  IndexName?: "gsi1" | "gsi2";
  ConsistentRead?: boolean;
  Limit?: number;
  ScanIndexForward?: boolean;
  ExclusiveStartKey?: Attributes;
  ProjectionExpression?: string;
  KeyConditionExpression?: string;
  UpdateExpression?: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Attributes;
  ReturnValues?: string;
  ReturnValuesOnConditionCheckFailure?: string;
}

/**
 * Texts that are different in each run, with what stands for them: the first of a request gets the number 0, and so on.
 * Their order in a request stays.
 */
const changing: readonly (readonly [RegExp, (position: number) => string])[] = [
  [
    /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
    (position) => `00000000-0000-4000-8000-${padded(position, 12)}`,
  ],
  [
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g,
    (position) => `2026-01-01T00:00:00.${padded(position, 3)}Z`,
  ],
  [/\d{4}-\d\d-\d\d(?!T)/g, (position) => `2026-${padded(1 + position, 2)}-01`],
  [/[0-9A-HJKMNP-TV-Z]{26}/g, (position) => padded(position, 26)],
  [/[0-9a-f]{32,}/g, (position) => padded(position, 32)],
  [/[\w-]{40,}/g, (position) => `token-${position}`],
];

const padded = (position: number, length: number) => String(position).padStart(length, "0");

const longestText = 60;
const longestList = 2;

/** An example of a request that is short and that other runs of the tests would send as well. */
export function exampleOf({ TableName: _any, ...request }: WireRequest): WireRequest {
  const stable = changing.reduce((text, [pattern, standIn]) => {
    const known = new Map<string, string>();
    return text.replaceAll(pattern, (found) => {
      const name = known.get(found) ?? standIn(known.size);
      known.set(found, name);
      return name;
    });
  }, JSON.stringify(request));
  const { Item, ...rest } = JSON.parse(stable) as WireRequest;
  return { ...rest, ...(Item && { Item: shortened(Item) }) };
}

const shortened = (members: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, shortenedValue(name, value)]),
  );

function shortenedValue(name: string, value: AttributeValue): AttributeValue {
  // A key keeps its form.
  if (value.S !== undefined && !/[ps]k$/.test(name)) return { S: value.S.slice(0, longestText) };
  if (value.L) return { L: value.L.slice(0, longestList).map((each) => shortenedValue("", each)) };
  if (value.M) return { M: shortened(value.M) };
  return value;
}
