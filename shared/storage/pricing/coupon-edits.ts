import * as z from "zod";
import type { Coupon } from "../../domain/pricing/coupon.ts";
import { AppError } from "../../domain/request/app-error.ts";
import { is, isNew } from "../conditions.ts";
import { CouponUses, Coupons } from "./coupons.ts";
import { entity } from "../entity.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type TransactionWrite, type Write, put, remove } from "../writes.ts";

/** Finds coupons by id. Their primary key is the code. */
export const CouponIds = entity({
  name: "coupon_id",
  notExported: "derived",
  schema: z.object({ code: z.string() }),
  key: ({ id }: { id: string }) => ({ pk: `COUPONID#${id}`, sk: "COUPON" }),
});

/** A coupon with its number of orders. */
export interface CountedCoupon {
  readonly coupon: Coupon;
  readonly uses: number;
}

/** Finds a coupon by its id, with two reads. */
export async function findCoupon(table: Table, id: string): Promise<CountedCoupon | undefined> {
  const row = await table.get(CouponIds, { id });
  return row && findUnder(table, id, row.code);
}

async function findUnder(
  table: Table,
  id: string,
  code: string,
): Promise<CountedCoupon | undefined> {
  const { coupons, uses } = await table.getMany({
    coupons: [at(Coupons, { code })],
    uses: [at(CouponUses, { code, by: "all" })],
  });
  const [coupon] = coupons;
  if (coupon?.id === id) return { coupon, uses: uses[0]?.uses ?? 0 };
  // The coupon has changed its code or was deleted after its code was read.
  const row = await table.get(CouponIds, { id });
  return row && row.code !== code ? findUnder(table, id, row.code) : undefined;
}

/**
 * Stores a coupon, if it is unchanged since it was read; its code may change.
 *
 * @param before undefined for a new coupon
 * @returns writes that throw AppError `already_exists` if another coupon has the code
 */
export function saveCoupon(before: Coupon | undefined, after: Coupon): TransactionWrite[] {
  if (before?.code === after.code) return [put(Coupons, after, is("version", before.version))];
  const { id, code } = after;
  const claim = {
    write: put(Coupons, after, isNew),
    refused: () =>
      new AppError("already_exists", {
        message: "Another coupon already has this code.",
        details: { path: "code", code },
      }),
  };
  const writes = [claim, put(CouponIds, { id, code }, before ? is("code", before.code) : isNew)];
  return before ? [...writes, leaveCode(before)] : writes;
}

export const deleteCoupon = (coupon: Coupon): Write[] => [
  leaveCode(coupon),
  remove(CouponIds, { id: coupon.id }),
];

/**
 * Removes the coupon's row, because the coupon gets another code or is deleted. The write is refused if an order has
 * used the coupon since it was read, because the first use raises the version.
 */
const leaveCode = ({ code, version }: Coupon): Write =>
  remove(Coupons, { code }, is("version", version));
