import { type StoredCart, picturesKeptUntil } from "#shared/domain/cart/cart.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import type { Table } from "#shared/storage/table.ts";
import {
  holdUploadUntil,
  renewPictures,
  staysUntil,
} from "#shared/storage/enquiry/upload-holds.ts";
import { Refused, type Write } from "#shared/storage/writes.ts";
import { type DraftLine, invalidItems } from "./draft-lines.ts";

/** A transaction takes 100 writes, one of which is the cart. */
const mostHolds = 99;

export interface CartToStore {
  /** The writes that store the cart; more than one only for a cart without lines, which has no pictures. */
  readonly writes: readonly Write[];
  readonly cart: StoredCart;
  readonly before: StoredCart | undefined;
  readonly drafts: readonly DraftLine[];
  readonly lifetimeDays: number;
  readonly now: Date;
}

interface Hold {
  readonly path: string;
  readonly write: Write;
}

/**
 * Stores a cart together with holds on the pictures of its lines. A hold keeps a picture from being deleted, and lasts
 * longer than the cart.
 *
 * @throws AppError `validation_failed` where a new line names a picture that does not exist
 * @throws Refused when the cart was written since it was read
 */
export async function storeWithPictures(table: Table, stored: CartToStore): Promise<void> {
  const { writes, cart, before, drafts, lifetimeDays, now } = stored;
  const until = picturesKeptUntil(now, lifetimeDays);
  const named = new Map(
    drafts.flatMap(({ line, path }) =>
      path !== null && line.kind === "sofa"
        ? line.upload_ids.map((id, position) => [id, `${path}.upload_ids.${position}`] as const)
        : [],
    ),
  );
  const holds = Array.from(named, ([id, path]) => ({
    path,
    write: holdUploadUntil(id, until, now),
  }));
  if (holds.length > mostHolds) throw invalidField("items", "The cart has too many pictures.");
  await Promise.all([
    storeHolding(table, writes, holds, until),
    before &&
      renewPictures(
        table,
        { lines: cart.lines, updated_at: before.updated_at },
        { lifetimeDays, now, held: named },
      ),
  ]);
}

/**
 * Stores a cart with holds on its pictures. A hold is refused if the picture is already held for longer; the cart is
 * then stored without that hold.
 */
async function storeHolding(
  table: Table,
  cart: readonly Write[],
  holds: readonly Hold[],
  until: string,
): Promise<void> {
  try {
    const writes = [...cart, ...holds.map(({ write }) => write)];
    await (writes.length === 1 ? table.write(writes[0]!) : table.transact(writes));
  } catch (error) {
    if (!(error instanceof Refused) || cart.includes(error.first.write)) throw error;
    const refused = new Set(error.failures.map(({ write }) => write));
    const kept = new Set(
      error.failures
        .filter(({ conflictingItem }) => staysUntil(conflictingItem, until))
        .map(({ write }) => write),
    );
    const lost = holds.find(({ write }) => refused.has(write) && !kept.has(write));
    if (lost) {
      throw invalidItems({
        [lost.path]: ["The picture does not exist or is not ready yet."],
      });
    }
    const others = holds.filter(({ write }) => !kept.has(write));
    await storeHolding(table, cart, others, until);
  }
}
