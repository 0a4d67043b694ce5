import type { AttributeValue } from "@aws-sdk/client-dynamodb";

/** As DynamoDB's interface writes an item: each value under the name of its type. */
export type Attributes = Record<string, AttributeValue>;

/** Members that are undefined are left out. @throws TypeError for what the table keeps none of, such as a Date */
export function marshalled(item: object): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(item)) {
    if (value !== undefined) attributes[name] = attributeOf(value);
  }
  return attributes;
}

function attributeOf(value: unknown): AttributeValue {
  switch (typeof value) {
    case "string":
      return { S: value };
    case "number":
      if (Number.isSafeInteger(value) || isFraction(value)) return { N: String(value) };
      break;
    case "boolean":
      return { BOOL: value };
    case "object":
      if (value === null) return { NULL: true };
      if (Array.isArray(value)) {
        return { L: value.filter((element) => element !== undefined).map(attributeOf) };
      }
      if (isPlain(value)) return { M: marshalled(value) };
      break;
  }
  throw new TypeError(`The table keeps no ${typeof value} such as this`);
}

const isFraction = (value: number) => Number.isFinite(value) && !Number.isInteger(value);

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** @throws TypeError for types that this service stores nothing as */
export function unmarshalled(attributes: Attributes): Record<string, unknown> {
  const item: Record<string, unknown> = {};
  for (const name in attributes) item[name] = valueOf(attributes[name] as AttributeValue);
  return item;
}

function valueOf(attribute: AttributeValue): unknown {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.N !== undefined) return Number(attribute.N);
  if (attribute.M !== undefined) return unmarshalled(attribute.M);
  if (attribute.L !== undefined) return attribute.L.map(valueOf);
  if (attribute.BOOL !== undefined) return attribute.BOOL;
  if (attribute.NULL !== undefined) return null;
  throw new TypeError(`The table keeps nothing as ${Object.keys(attribute).join()}`);
}
