import * as z from "zod";
import { Timestamp } from "../../domain/base/text.ts";
import { hasPassed } from "../claims.ts";
import { entity } from "../entity.ts";
import { type Write, put, remove } from "../writes.ts";

/**
 * The claim of the worker that requests the refunds of a batch from the gateway and responds to the first call. A
 * repeated call waits until the claim ends. The claim affects only responses: the gateway itself refunds nothing twice.
 */
export const RefundClaims = entity({
  name: "refund_claim",
  notExported: "transient",
  schema: z.object({ batch_id: z.string(), until: Timestamp }),
  key: ({ batch_id }: { batch_id: string }) => ({ pk: `REFUNDCLAIM#${batch_id}`, sk: "CLAIM" }),
  ttl: ({ until }) => Math.ceil(Date.parse(until) / 1000),
});

/**
 * How long a claim lasts: longer than the function may run. So a claim that has expired belongs to a worker that died.
 */
const claimMs = 20_000;

/** Claims the refunds of a batch. The write is refused while another worker holds the claim. */
export function claimRefund(batch_id: string, now: Date): Write {
  const until = new Date(now.getTime() + claimMs).toISOString();
  return put(RefundClaims, { batch_id, until }, hasPassed("until", now));
}

export const endRefundClaim = (batch_id: string): Write => remove(RefundClaims, { batch_id });
