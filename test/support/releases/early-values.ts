import { type NativeAttributeValue, unmarshall } from "@aws-sdk/util-dynamodb";
import { entitiesAt } from "../permissions/entities-at.ts";
import { type EnumValues, type StoredValue, next, valuesAt } from "./stored-enums.ts";

export interface EarlyValue {
  readonly entity: string;
  readonly path: readonly string[];
  readonly value: StoredValue;
}

/** Values that the coming release is the first to read: the previous release would fail on rows with them. */
export const earlyValuesOf = (enums: EnumValues): EarlyValue[] =>
  Object.entries(enums).flatMap(([name, byRelease]) => {
    const [entity = "", ...path] = name.split(".");
    return (byRelease[next] ?? []).map((value) => ({ entity, path, value }));
  });

/** The values of an enum that the previous release can read. */
export function earlierValues(
  enums: EnumValues,
  { entity, path }: Pick<EarlyValue, "entity" | "path">,
): StoredValue[] {
  const { [next]: _coming, ...earlier } = enums[[entity, ...path].join(".")] ?? {};
  return Object.values(earlier).flat();
}

type Attributes = Parameters<typeof unmarshall>[0];
interface Write {
  Item?: Attributes;
  Key?: Attributes;
  UpdateExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Attributes;
}
interface Request extends Write {
  TransactItems?: Record<string, Write>[];
  RequestItems?: Record<string, { PutRequest?: Write }[] | object>;
}

const writesIn = ({ TransactItems, RequestItems, ...request }: Request): Write[] => [
  request,
  ...(TransactItems ?? []).flatMap((item) => Object.values(item)),
  ...Object.values(RequestItems ?? {}).flatMap((each) =>
    Array.isArray(each)
      ? each.flatMap(({ PutRequest }: { PutRequest?: Write }) => PutRequest ?? [])
      : [],
  ),
];

/** A text that names an early value that the DynamoDB request writes; undefined if it writes none. */
export function earlyWrite(early: readonly EarlyValue[], body: Buffer): string | undefined {
  if (early.length === 0) return undefined;
  // The SDK has sent the body, so it has the type of a request.
  for (const write of writesIn(JSON.parse(body.toString()) as Request)) {
    const found = early.find((each) => writes(write, each));
    if (found) return `${found.entity}.${found.path.join(".")} = ${found.value}`;
  }
  return undefined;
}

function writes(write: Write, { entity, path, value }: EarlyValue): boolean {
  const { Item, Key, ExpressionAttributeValues } = write;
  if (Item) {
    const row = unmarshall(Item);
    return row["entity"] === entity && valuesAt(row, path).includes(value);
  }
  if (!Key || !ExpressionAttributeValues) return false;
  const { pk, sk } = unmarshall(Key) as { pk: string; sk: string };
  const isOfEntity = entitiesAt("table", { pk, from: sk, to: sk }).some((name) => name === entity);
  if (!isOfEntity) return false;
  // Null may be the new value of another member.
  if (value === null) return assigned(write).some((row) => valuesAt(row, path).includes(null));
  const values: NativeAttributeValue[] = Object.values(unmarshall(ExpressionAttributeValues));
  return values.includes(value);
}

/** The members that an update sets to values, each as an object with this member alone. */
function assigned({
  UpdateExpression = "",
  ExpressionAttributeNames: names = {},
  ExpressionAttributeValues = {},
}: Write): object[] {
  const values = unmarshall(ExpressionAttributeValues);
  return [...UpdateExpression.matchAll(/([#\w.]+) = (:\w+)/g)].map(([, place = "", value = ""]) =>
    place
      .split(".")
      .map((name) => names[name] ?? name)
      .reduceRight<object>((inner, name) => ({ [name]: inner }), values[value] as object),
  );
}
