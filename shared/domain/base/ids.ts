import { randomInt } from "node:crypto";
import { decodeTime, ulid } from "ulid";
import * as z from "zod";

/** The kind of record that each id prefix stands for. An id is its prefix, an underscore and a ULID. */
export const idPrefixes = {
  prd: "product",
  sofa: "sofa",
  mat: "material",
  var: "variant",
  cat: "category",
  cart: "cart",
  line: "cart or order line",
  ord: "order",
  txn: "payment or refund",
  shp: "shipment",
  chg: "change of an order",
  ret: "return or warranty case",
  cpn: "coupon",
  loc: "location",
  cus: "customer",
  addr: "address",
  stf: "staff user",
  role: "role",
  ses: "session",
  lead: "lead",
  qte: "quote",
  note: "note on a lead or a quote",
  upl: "fabric upload",
  med: "media item",
  page: "page",
  story: "interior story",
  faq: "question and answer",
  sec: "section or block of a document",
  conv: "conversation",
  msg: "message",
  qr: "quick reply",
  act: "activity record",
  exp: "export",
} as const;
export type IdPrefix = keyof typeof idPrefixes;

/** Node draws these numbers from a pool. `ulid` by itself would ask the system for each of an id's 16 characters. */
const secureRandom = () => randomInt(32) / 32;

/**
 * A new id that sorts by time, to the millisecond.
 *
 * @param random numbers in [0, 1) for reproducible ids; defaults to the platform's secure source
 */
export function newId(prefix: IdPrefix, now: Date, random: () => number = secureRandom): string {
  return `${prefix}_${ulid(now.getTime(), random)}`;
}

/** When a record with this id was created. */
export const createdAt = (id: string): Date => new Date(decodeTime(id.slice(id.indexOf("_") + 1)));

const ulidDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * The id of something that a record has at most once per version. It follows from the record's id and version, so a
 * repeat gets the same id.
 */
export function idWithin(prefix: IdPrefix, recordId: string, version: number, now: Date): string {
  const versionDigits = version.toString(32).padStart(4, "0");
  const digits = [
    ...Array.from(recordId.slice(-12), (digit) => Math.max(0, ulidDigits.indexOf(digit))),
    ...Array.from(versionDigits, (digit) => parseInt(digit, 32)),
  ];
  let next = 0;
  return newId(prefix, now, () => ((digits[next++] ?? 0) + 0.5) / 32);
}

/**
 * The schema of one kind of id.
 *
 * @param message the error for other texts; by default, that the field's format is invalid
 */
export function Id(prefix: IdPrefix, message?: string) {
  return z.string().regex(new RegExp(`^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`), message);
}
