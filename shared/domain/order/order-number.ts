import * as z from "zod";
import { machineText } from "../base/machine-text.ts";

/** 32 characters without 0, O, 1 and I, which people confuse: five bits each. */
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const length = 12;

/** An order number: `FS-7K3M-92QX-4HT8`. */
export const OrderNumber = z
  .string()
  .regex(/^FS(?:-[2-9A-HJ-NP-Z]{4}){3}$/)
  .meta({ description: "Order number", example: "FS-7K3M-92QX-4HT8" });
export type OrderNumber = z.output<typeof OrderNumber>;

function written(signs: string): OrderNumber {
  return `FS-${signs.slice(0, 4)}-${signs.slice(4, 8)}-${signs.slice(8)}`;
}

/**
 * A new order number. Each of its twelve characters stands for five random bits.
 *
 * @param random at least 12 bytes from a secure source; five bits of each are used
 */
export function orderNumber(random: Uint8Array): OrderNumber {
  if (random.length < length) throw new RangeError(`An order number takes ${length} random bytes.`);
  return written(readableSigns(random.subarray(0, length)));
}

/** One readable character for each random byte, from five of the byte's bits. */
export const readableSigns = (random: Uint8Array): string =>
  Array.from(random, (byte) => alphabet.charAt(byte % 32)).join("");

/** Parses an order number as a person typed it: any case; dashes, spaces and the `FS` are optional. */
export function parseOrderNumber(typed: string): OrderNumber | null {
  const signs = machineText(typed)
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "");
  // S and F are valid characters too, so only the length tells the prefix from the number itself.
  const number = written(signs.length === length ? signs : signs.replace(/^FS/, ""));
  return OrderNumber.safeParse(number).success ? number : null;
}
