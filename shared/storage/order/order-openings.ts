import { hash } from "node:crypto";
import * as z from "zod";
import { openingsWindowMs, recentOpenings } from "../../domain/checkout/open-order.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type Write, put } from "../writes.ts";

declare const hashed: unique symbol;
/** The hash of an IP address. No IP address is stored. */
export type CallerHash = string & { readonly [hashed]: true };
export const callerHash = (ip: string): CallerHash =>
  // No other code creates a CallerHash.
  hash("sha256", ip, "base64url").slice(0, 22) as CallerHash;

/** When open orders were placed from one IP address within the last 24 hours. */
export const OrderOpenings = entity({
  name: "order_openings",
  notExported: "derived",
  schema: z.object({
    /** Unix seconds. */
    opened: z.array(z.int()),
    version: z.int().min(1),
  }),
  key: ({ caller }: { caller: CallerHash }) => ({ pk: `OPENINGS#${caller}`, sk: "OPENINGS" }),
  patterns: { table: [["OPENINGS#<hash of the caller>", "OPENINGS"]] },
  ttl: ({ opened }) => Math.max(...opened) + openingsWindowMs / 1000,
});
export type OrderOpenings = z.output<typeof OrderOpenings.schema>;

/**
 * Counts one more order of an IP address. The write is refused if another order was placed from the address since
 * `before` was read.
 *
 * @param before the stored count; undefined if there was none
 */
export function countOpening(
  caller: CallerHash,
  before: OrderOpenings | undefined,
  now: Date,
): Write {
  const opened = [...recentOpenings(before?.opened ?? [], now), Math.floor(now.getTime() / 1000)];
  const version = (before?.version ?? 0) + 1;
  return put(
    OrderOpenings,
    { caller, opened, version },
    before ? is("version", before.version) : isNew,
  );
}
