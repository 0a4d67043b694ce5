import { NumberValue } from "@aws-sdk/lib-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import { numberOf } from "./decimals.ts";
import { invalid } from "./refusals.ts";

/** An item as the table stores it. It is never changed: a write replaces it. */
export type Item = Readonly<Record<string, unknown>>;

const mostLevels = 32;

/** A copy of a value as the DocumentClient and DynamoDB store it, without undefined members. */
export function storedValue(value: unknown, level = 0): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
      return exotic(value);
    case "object":
      if (value === null) return null;
      if (level > mostLevels) throw invalid("Nesting Levels have exceeded supported limits");
      if (Array.isArray(value))
        return value
          .filter((element) => element !== undefined)
          .map((element) => storedValue(element, level + 1));
      return isPlain(value) ? storedMembers(value, level) : exotic(value);
    default:
      return exotic(value);
  }
}

export const storedItem = (item: object): Item => storedMembers(item, 0);

function storedMembers(object: object, level: number): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined && typeof value !== "function")
      members[name] = storedValue(value, level + 1);
  }
  return members;
}

/** Sets, binary data and numbers that are not safe integers: the SDK itself says what it makes of them. */
const exotic = (value: unknown): unknown =>
  unmarshall(marshall({ value }, { removeUndefinedValues: true }), { wrapNumbers: numberOf })[
    "value"
  ];

/** A copy of a stored value for a caller, as the DocumentClient returns it. */
export function plainValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plainValue);
  return isPlain(value) ? plainItem(value as Item) : unmarshall(marshall({ value }))["value"];
}

export function plainItem(item: Item): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const name in item) members[name] = plainValue(item[name]);
  return members;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * The size of an item by DynamoDB's rules:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function bytesOf(item: Item): number {
  let bytes = 0;
  for (const name in item) bytes += Buffer.byteLength(name) + bytesOfValue(item[name]);
  return bytes;
}

function bytesOfValue(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value === "number" || typeof value === "bigint" || value instanceof NumberValue)
    return bytesOfNumber(String(value));
  if (typeof value !== "object" || value === null) return 1;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (value instanceof Set) return [...value].reduce((sum, each) => sum + bytesOfValue(each), 0);
  if (Array.isArray(value)) return value.reduce((sum, each) => sum + 1 + bytesOfValue(each), 3);
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + 1 + Buffer.byteLength(name) + bytesOfValue(member),
    3,
  );
}

/** A byte for two significant digits, and one more. */
function bytesOfNumber(text: string): number {
  const digits = text.replace(/e.*$/i, "").replace(".", "").replace(/^-?0*/, "").replace(/0+$/, "");
  return Math.ceil(digits.length / 2) + 1 + (text.startsWith("-") ? 1 : 0);
}

const isSurrogate = (unit: number) => unit >= 0xd8_00 && unit <= 0xdf_ff;

/** Compares two texts by their UTF-8 bytes, as DynamoDB orders keys. JavaScript compares UTF-16 units. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  const shorter = Math.min(one.length, other.length);
  for (let position = 0; position < shorter; position++) {
    const [first, second] = [one.charCodeAt(position), other.charCodeAt(position)];
    if (first === second) continue;
    if (isSurrogate(first) !== isSurrogate(second)) return isSurrogate(first) ? 1 : -1;
    return first - second;
  }
  return one.length - other.length;
}
