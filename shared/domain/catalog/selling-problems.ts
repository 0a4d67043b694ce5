import type { Problem } from "../base/names.ts";
import type { Product, Sellable } from "./product.ts";

type Before<Of extends Sellable> = Of | undefined;

const isSet = <Of extends Sellable>(before: Before<Of>, after: Of): boolean =>
  before?.status !== after.status;

/**
 * The problems of prices of 0. They are judged when a price or the status is written, so that a record stored before
 * stays editable.
 */
export function freeVariants(before: Before<Product>, after: Product): Problem[] {
  const prices = new Map(before?.variants.map(({ id, price }) => [id, price]));
  return after.variants.flatMap(({ id, price }, index) =>
    price === 0 && (isSet(before, after) || prices.get(id) !== 0)
      ? [{ path: `variants.${index}.price`, message: "The price must be at least 1." }]
      : [],
  );
}

/** Whether an edit publishes a record, or takes the HSN code of a published one. */
export const needsHsnCode = (before: Before<Sellable>, after: Sellable): boolean =>
  after.status === "published" &&
  after.hsn_code === null &&
  (isSet(before, after) || before?.hsn_code !== null);

/** The problem of a missing HSN code, which invoices in India must show. */
export const missingHsnCode: Problem = {
  path: "hsn_code",
  message: "The hsn code field is required to publish in India.",
};
