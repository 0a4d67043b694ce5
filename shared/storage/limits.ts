import type { Changes } from "./conditions.ts";
import type { Key } from "./entity.ts";
import type { Write } from "./writes.ts";

/**
 * A request that DynamoDB would always refuse, or the SDK would change: a programming error. The message names the
 * entity and the rule, never a value, because values may be personal data.
 */
export class InvalidRequest extends TypeError {
  override readonly name = "InvalidRequest";

  constructor(entity: string, rule: string) {
    super(`DynamoDB would refuse this request for ${entity}: ${rule}`);
  }
}

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const keyBytes = { pk: 2_048, sk: 1_024 } as const;
const itemBytes = 400 * 1_024;
const transactionBytes = 4 * 1_024 * 1_024;
const transactionWrites = 100;
const expressionBytes = 4 * 1_024;
const expressionOperators = 300;
const deepest = 32;
const smallestNumber = 1e-130;
const digitsOfNumber = 38;
/** The SDK builds maps as plain objects, where an assignment to this name sets the prototype, and the member is lost. */
const lostName = "__proto__";

/** Every key attribute of the table and its indexes, with its maximum length in bytes. */
const keyAttributes = new Map<string, number>(
  ["", "gsi1", "gsi2"].flatMap((index) => [
    [`${index}pk`, keyBytes.pk] as const,
    [`${index}sk`, keyBytes.sk] as const,
  ]),
);

/** @throws InvalidRequest when a part of the key is empty or too long */
export function checkKey(entity: string, { pk, sk }: Key): void {
  checkKeyValue(entity, "pk", pk);
  checkKeyValue(entity, "sk", sk);
}

/** The key condition of a query. */
interface KeyCondition {
  readonly index?: string | undefined;
  readonly partition: string;
  readonly prefix?: string | undefined;
  readonly between?: readonly [string, string] | undefined;
  readonly limit?: number | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
}

/** @throws InvalidRequest when a key is empty or too long, the bounds are reversed, or the limit is below 1 */
export function checkQuery(entity: string, query: KeyCondition): void {
  const { index = "", partition, prefix, between, limit, after = {} } = query;
  checkKeyValue(entity, `${index}pk`, partition);
  if (prefix !== undefined) checkKeyValue(entity, `${index}sk`, prefix);
  if (between) {
    for (const bound of between) checkKeyValue(entity, `${index}sk`, bound);
    const [low, high] = between;
    if (Buffer.compare(Buffer.from(low), Buffer.from(high)) > 0) {
      throw new InvalidRequest(entity, "the upper bound of a range is below its lower bound");
    }
  }
  if (limit !== undefined && !(limit >= 1)) {
    throw new InvalidRequest(entity, "a page holds at least one record");
  }
  for (const [name, value] of Object.entries(after)) checkKeyValue(entity, name, value);
}

/**
 * Checks a write against DynamoDB's limits.
 *
 * @returns the size in bytes of the item or of the update's changes; 0 for a delete or a check
 * @throws InvalidRequest when DynamoDB would refuse the write, alone or in a transaction
 */
export function checkWrite(write: Write): number {
  const { name } = write.entity;
  if (write.kind === "put") return checkItem(name, write.item);
  checkKey(name, write.key);
  return write.kind === "update" ? checkChanges(name, write.changes) : 0;
}

/**
 * @throws InvalidRequest when a write is invalid, there are no writes or too many, or two writes target the same item
 */
export function checkTransaction(writes: readonly Write[]): void {
  const entities = [...new Set(writes.map(({ entity }) => entity.name))].join(", ");
  if (writes.length === 0 || writes.length > transactionWrites) {
    const count = `a transaction holds 1 to ${transactionWrites} writes, not ${writes.length}`;
    throw new InvalidRequest(entities || "no entity", count);
  }
  checkDistinct(writes);
  const bytes = writes.reduce((sum, write) => sum + checkWrite(write), 0);
  if (bytes > transactionBytes) {
    throw new InvalidRequest(entities, "a transaction holds at most 4 MB");
  }
}

/** @throws InvalidRequest when two writes target the same item */
export function checkDistinct(writes: readonly Write[]): void {
  const items = new Set<string>();
  for (const write of writes) {
    const { pk, sk } = write.kind === "put" ? write.item : write.key;
    const item = `${pk}\n${sk}`;
    if (items.has(item)) {
      throw new InvalidRequest(write.entity.name, "the same item is written twice in one request");
    }
    items.add(item);
  }
}

/** @throws InvalidRequest when the expression is empty, too long or has too many operators */
export function checkExpression(entity: string, expression: string): void {
  if (expression === "") throw new InvalidRequest(entity, "an expression is empty");
  if (Buffer.byteLength(expression) > expressionBytes) {
    throw new InvalidRequest(entity, "an expression is longer than 4 KB");
  }
  // An operator takes at least three characters of an expression.
  if (expression.length <= expressionOperators * 3) return;
  const operators = expression.match(/ (?:=|<>|[<>]=?|AND|OR) |\battribute_/g) ?? [];
  if (operators.length > expressionOperators) {
    throw new InvalidRequest(
      entity,
      `an expression has more than ${expressionOperators} operators`,
    );
  }
}

function checkItem(entity: string, item: Readonly<Record<string, unknown>>): number {
  let bytes = 0;
  for (const name in item) {
    const value = item[name];
    if (keyAttributes.has(name)) checkKeyValue(entity, name, value);
    bytes += bytesOfAttribute(entity, name, value);
  }
  return withinItem(entity, bytes);
}

function checkChanges(entity: string, { set = {}, add = {}, remove = [] }: Changes): number {
  const paths = [...Object.keys(set), ...Object.keys(add), ...remove];
  checkPaths(entity, paths);
  let bytes = 0;
  for (const [path, value] of [...Object.entries(set), ...Object.entries(add)]) {
    if (value === undefined) throw new InvalidRequest(entity, `${path} is set to undefined`);
    if (keyAttributes.has(path)) checkKeyValue(entity, path, value);
    bytes += bytesOfAttribute(entity, path, value);
  }
  return withinItem(entity, bytes);
}

const emptyPart = /(?:^|\.)(?:\.|$)/;

function checkPaths(entity: string, paths: readonly string[]): void {
  if (paths.every((path) => path === "cause")) {
    throw new InvalidRequest(entity, "an update changes nothing");
  }
  const known = new Set(paths);
  if (known.has("pk") || known.has("sk")) {
    throw new InvalidRequest(entity, "an update cannot change the primary key");
  }
  const overlaps = (path: string) => {
    for (let dot = path.indexOf("."); dot !== -1; dot = path.indexOf(".", dot + 1)) {
      if (known.has(path.slice(0, dot))) return true;
    }
    return false;
  };
  if (paths.some((path) => emptyPart.test(path))) {
    throw new InvalidRequest(entity, "an attribute has no name");
  }
  if (known.size < paths.length || paths.some(overlaps)) {
    throw new InvalidRequest(entity, "an update changes the same attribute twice");
  }
}

function checkKeyValue(entity: string, name: string, value: unknown): void {
  const longest = keyAttributes.get(name);
  if (longest === undefined) throw new InvalidRequest(entity, `${name} is not a key attribute`);
  if (typeof value !== "string") throw new InvalidRequest(entity, `${name} is not a string`);
  if (value === "") throw new InvalidRequest(entity, `${name} is an empty string`);
  // No character takes more than three bytes for each of its UTF-16 units.
  if (value.length * 3 > longest && Buffer.byteLength(value) > longest) {
    throw new InvalidRequest(entity, `${name} is longer than ${longest} bytes`);
  }
}

function withinItem(entity: string, bytes: number): number {
  if (bytes > itemBytes) throw new InvalidRequest(entity, "an item is larger than 400 KB");
  return bytes;
}

function bytesOfAttribute(entity: string, name: string, value: unknown): number {
  if (value === undefined) return 0;
  const rule = (what: string) => new InvalidRequest(entity, `the attribute ${name} holds ${what}`);
  if (name === "") throw new InvalidRequest(entity, "an attribute has no name");
  if (name.split(".").includes(lostName)) {
    throw new InvalidRequest(entity, `an attribute is named ${lostName}`);
  }
  return Buffer.byteLength(name) + bytesOfValue(value, rule, 1);
}

type Rule = (what: string) => InvalidRequest;

/**
 * The size of a value by DynamoDB's rules:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
function bytesOfValue(value: unknown, rule: Rule, depth: number): number {
  switch (typeof value) {
    case "string":
      return Buffer.byteLength(value);
    case "number":
      return bytesOfNumber(value, rule);
    case "bigint":
      return bytesOfDigits(String(value).replace("-", "").length, rule);
    case "object":
      return value === null ? 1 : bytesOfObject(value, rule, depth);
    default:
      return 1;
  }
}

function bytesOfNumber(value: number, rule: Rule): number {
  if (!Number.isFinite(value)) throw rule("a number that is not finite");
  const size = Math.abs(value);
  // The SDK also refuses numbers beyond the safe integers.
  if (size > Number.MAX_SAFE_INTEGER) throw rule("a number beyond the safe integers");
  if (size !== 0 && size < smallestNumber) throw rule("a number too close to 0");
  return bytesOfDigits(String(size).length, rule);
}

function bytesOfDigits(digits: number, rule: Rule): number {
  if (digits > digitsOfNumber) throw rule(`a number of more than ${digitsOfNumber} digits`);
  return Math.ceil(digits / 2) + 1;
}

function bytesOfObject(value: object, rule: Rule, depth: number): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (value instanceof Set) return bytesOfSet(value, rule, depth);
  if (depth === deepest) throw rule(`more than ${deepest} levels of lists and maps`);
  let bytes = 3;
  if (Array.isArray(value)) {
    for (const element of value) bytes += 1 + bytesOfValue(element, rule, depth + 1);
    return bytes;
  }
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    if (name === "") throw rule("a map with an empty name");
    if (name === lostName) throw rule(`a map with the name ${lostName}`);
    bytes += 1 + Buffer.byteLength(name) + bytesOfValue(member, rule, depth + 1);
  }
  return bytes;
}

function bytesOfSet(values: ReadonlySet<unknown>, rule: Rule, depth: number): number {
  if (values.size === 0) throw rule("an empty set");
  let bytes = 0;
  for (const value of values) bytes += bytesOfValue(value, rule, depth);
  return bytes;
}
