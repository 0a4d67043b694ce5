import { NumberValue } from "@aws-sdk/lib-dynamodb";
import { invalid } from "./refusals.ts";

/**
 * A number as the table stores it: a bigint or a NumberValue only where a JavaScript number would not be exact, because
 * DynamoDB calculates with 38 decimal digits.
 */
export type StoredNumber = number | bigint | NumberValue;

const mostDigits = 38;
const smallest = 1e-130;

interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

export const isStoredNumber = (value: unknown): value is StoredNumber =>
  typeof value === "number" || typeof value === "bigint" || value instanceof NumberValue;

/** The number of a decimal text, such as `12`, `-0.5` or `1e-7`. */
export function numberOf(text: string): StoredNumber {
  const decimal = parsed(text);
  const { coefficient, exponent } = decimal;
  if (coefficient === 0n) return 0;
  const digits = digitsOf(coefficient);
  if (digits > mostDigits)
    throw invalid("Attempting to store more than 38 significant digits in a Number");
  const near = Number(text);
  if (Math.abs(near) < smallest)
    throw invalid(
      "Number underflow. Attempting to store a number with magnitude smaller than supported range",
    );
  if (digits + exponent > 126)
    throw invalid(
      "Number overflow. Attempting to store a number with magnitude larger than supported range",
    );
  if (exponent >= 0 && !Number.isSafeInteger(near)) return coefficient * 10n ** BigInt(exponent);
  return isSame(parsed(String(near)), decimal) ? near : NumberValue.from(textOf(decimal));
}

/** Adds exactly, as DynamoDB does. */
export function sumOf(one: StoredNumber, other: StoredNumber): StoredNumber {
  if (Number.isSafeInteger(one) && Number.isSafeInteger(other)) {
    const sum = Number(one) + Number(other);
    if (Number.isSafeInteger(sum)) return sum;
  }
  const [first, second] = aligned(parsed(String(one)), parsed(String(other)));
  const sum = { coefficient: first.coefficient + second.coefficient, exponent: first.exponent };
  return numberOf(textOf(sum));
}

/** Negative if `one` is the smaller number, 0 if both are equal. */
export function compareNumbers(one: StoredNumber, other: StoredNumber): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  const [first, second] = aligned(parsed(String(one)), parsed(String(other)));
  if (first.coefficient === second.coefficient) return 0;
  return first.coefficient < second.coefficient ? -1 : 1;
}

const format = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** A decimal without trailing zeros in its coefficient. */
function parsed(text: string): Decimal {
  const [, sign = "", whole = "", fraction = "", power = "0"] = format.exec(text) ?? [];
  if (whole === "") throw invalid("The parameter cannot be converted to a numeric value");
  const digits = (whole + fraction).replace(/0+$/, "");
  const coefficient = BigInt(digits === "" ? 0 : `${sign === "-" ? "-" : ""}${digits}`);
  const zeros = whole.length + fraction.length - digits.length;
  return { coefficient, exponent: Number(power) - fraction.length + zeros };
}

function aligned(one: Decimal, other: Decimal): [Decimal, Decimal] {
  const exponent = Math.min(one.exponent, other.exponent);
  const shifted = (of: Decimal) => ({
    coefficient: of.coefficient * 10n ** BigInt(of.exponent - exponent),
    exponent,
  });
  return [shifted(one), shifted(other)];
}

const digitsOf = (coefficient: bigint): number => String(coefficient).replace("-", "").length;

const isSame = (one: Decimal, other: Decimal): boolean =>
  one.coefficient === other.coefficient &&
  (one.coefficient === 0n || one.exponent === other.exponent);

const textOf = ({ coefficient, exponent }: Decimal): string => `${coefficient}e${exponent}`;
