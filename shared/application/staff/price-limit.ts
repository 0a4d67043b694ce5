import { lowestPrice } from "#shared/domain/pricing/line-discount.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { covers } from "#shared/domain/staff/permission.ts";
import type { StaffCaller } from "./privilege-escalation.ts";

/** A line that staff price. */
interface StaffPrice {
  readonly name: string;
  /** The catalog's price of one unit; null for a custom line. */
  readonly regular_price: number | null;
  readonly quantity: number;
  /** What all units cost, less the line's discount, without a coupon's. */
  readonly total: number;
}

/**
 * Refuses a price below the catalog's, and any price of a custom line, to staff who may not give such a discount. Each
 * line is judged by itself, and its lowest price is rounded up, so lines together are never lower than the role allows.
 *
 * @throws AppError `forbidden`
 */
export function requirePrice(
  { name, regular_price, quantity, total }: StaffPrice,
  { permissions, maxDiscountBps }: StaffCaller,
): void {
  if (regular_price !== null && total >= regular_price * quantity) return;
  const permission = "orders.discount";
  if (!covers(permissions, permission)) {
    throw new AppError("forbidden", {
      message: "You do not have permission to set prices.",
      details: { permission },
    });
  }
  if (regular_price === null) return;
  const lowest_price = lowestPrice(regular_price, maxDiscountBps);
  if (total >= lowest_price * quantity) return;
  throw new AppError("forbidden", {
    message: `This discount on ${name} is higher than your role allows.`,
    details: { permission, max_discount_bps: maxDiscountBps, lowest_price },
  });
}
