import { createHash } from "node:crypto";
import { type IdPrefix, newId } from "#shared/domain/base/ids.ts";

/** When the demo shop was founded: the time part of every id, so that ids are the same at every start. */
export const founded = new Date("2026-01-05T04:30:00.000Z");

/** The id of the demo record with this name, the same at every start. */
export function demoId(prefix: IdPrefix, name: string): string {
  const seed = createHash("sha256").update(`${prefix}:${name}`).digest();
  let drawn = 0;
  return newId(prefix, founded, () => seed.readUInt8(drawn++ % seed.length) / 256);
}

/** A point in time before now. Relative times keep the order of events the same at every start. */
export const daysBefore = (now: Date, days: number): string =>
  new Date(now.getTime() - days * 86_400_000).toISOString();

/** `Kaveri Lounge Chair` → `kaveri-lounge-chair`. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036F'’]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

export const productId = (name: string): string => demoId("prd", slugOf(name));

export const sofaId = (name: string): string => demoId("sofa", slugOf(name));

/** Converts an amount in rupees to paise, in which amounts are stored. */
export const rupees = (amount: number): number => Math.round(amount * 100);

export const currency = "INR";
