import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import type { TakenNumber } from "../../domain/order/invoice.ts";
import { randomPauseAfter } from "../../runtime/back-off.ts";
import { Unavailable } from "../../runtime/unavailable.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { Refused, type Write, replace } from "../writes.ts";

/** The last invoice number of each financial year. */
export const InvoiceNumbers = entity({
  name: "invoice_numbers",
  notExported: "derived",
  schema: z.object({ last: z.int().min(1) }),
  key: ({ series }: { series: string }) => ({ pk: `INVOICES#${series}`, sk: "INVOICES" }),
});

/**
 * Claims an invoice number in the transaction that assigns it to an order. The write is refused if another order has
 * the number.
 */
export const takeNumber = ({ series, position }: TakenNumber): Write =>
  replace(
    InvoiceNumbers,
    { series, last: position },
    position === 1 ? isNew : is("last", position - 1),
  );

/** How long a request competes for a number, in ms. */
const deadlineMs = 8_000;
const pausesMs = { first: 60, longest: 60 };

/**
 * Runs an attempt with the last number of a series, and retries it while other orders take the number first.
 *
 * @param attempt throws Refused when its read is outdated
 * @throws Unavailable when other orders take the number at every attempt; Refused when another write of the attempt is
 * refused
 */
export async function withLastNumber<Result>(
  table: Table,
  series: string,
  attempt: (last: number) => Promise<Result>,
): Promise<Result> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const last = (await table.get(InvoiceNumbers, { series }))?.last ?? 0;
    try {
      return await attempt(last);
    } catch (error) {
      if (!onlyNumberTaken(error)) throw error;
      if (Date.now() >= deadline) {
        throw new Unavailable("Too many invoices are issued concurrently", { cause: error });
      }
      await wait(randomPauseAfter(1, pausesMs));
    }
  }
}

const onlyNumberTaken = (error: unknown): boolean =>
  error instanceof Refused &&
  error.failures.every(({ write }) => write.entity.name === InvoiceNumbers.name);
