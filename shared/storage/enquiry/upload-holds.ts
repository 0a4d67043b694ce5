import { type StoredCart, picturesKeptUntil } from "../../domain/cart/cart.ts";
import { unfinishedLifetimeMs } from "../../domain/upload/upload.ts";
import type { FabricUpload } from "../../domain/upload/fabric-upload.ts";
import { absent, above, below, either, every, is } from "../conditions.ts";
import { projection } from "../entity.ts";
import { FabricUploads } from "../upload/fabric-uploads.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type Write, unlessRefused, update } from "../writes.ts";

/** The members that decide how long an upload is kept. */
const Holds = projection(FabricUploads, ["quotes", "ordered"]);

const permanent = { set: { expires_at: null }, remove: ["ttl"] } as const;

/** Keeps an upload permanently, for a quote. The write is refused unless the upload is ready and has not expired. */
export const holdUpload = (id: string, now: Date): Write =>
  update(
    FabricUploads,
    { id },
    { ...permanent, add: { quotes: 1 } },
    every(
      is("status", "ready"),
      either(is("expires_at", null), above("expires_at", now.toISOString())),
    ),
  );

/** Keeps an upload permanently, for an order. The write is refused if the upload's row no longer exists. */
export const keepUpload = (id: string): Write =>
  update(
    FabricUploads,
    { id },
    { ...permanent, set: { ...permanent.set, ordered: true } },
    is("status", "ready"),
  );

/**
 * Keeps an upload until `until`. The write is refused unless the upload is ready, has not expired, and would expire
 * earlier.
 */
export const holdUploadUntil = (id: string, until: string, now: Date): Write =>
  update(
    FabricUploads,
    { id },
    { set: { expires_at: until, ttl: Math.ceil(Date.parse(until) / 1000) } },
    every(
      is("status", "ready"),
      above("expires_at", now.toISOString()),
      below("expires_at", until),
    ),
  );

/**
 * Releases uploads from a quote. Include the writes in the transaction that removes them from the quote. An upload
 * without another holder expires like a new upload. Until then, an order that was just placed can keep it.
 *
 * @returns writes that are refused if another holder was added or removed meanwhile
 */
export async function releaseUploads(
  table: Table,
  ids: readonly string[],
  now: Date,
): Promise<Write[]> {
  const { held } = await table.getMany({ held: ids.map((id) => at(Holds, { id })) });
  const until = new Date(now.getTime() + unfinishedLifetimeMs);
  const expiring = { expires_at: until.toISOString(), ttl: Math.ceil(until.getTime() / 1000) };
  return ids.flatMap((id, position) => {
    const { quotes = 0, ordered } = held[position] ?? {};
    if (quotes === 0 || ordered) return [];
    const change = { ...(quotes === 1 && { set: expiring }), add: { quotes: -1 } };
    const none = quotes === 1 ? is("quotes", 1) : above("quotes", 1);
    return update(FabricUploads, { id }, change, every(none, absent("ordered")));
  });
}

/** Whether `holdUploadUntil` was refused because the upload is kept at least as long anyway. */
export function staysUntil(
  conflictingItem: Record<string, unknown> | undefined,
  until: string,
): boolean {
  // A refusal returns the row as stored; each member is checked below.
  const { status, expires_at } = (conflictingItem ?? {}) as Partial<FabricUpload>;
  return status === "ready" && (expires_at === null || (expires_at ?? "") >= until);
}

/**
 * Extends the expiry of a cart's pictures when the cart is written. Pictures outlast the cart by one cart lifetime,
 * so extending them on the first write of a day is enough.
 *
 * @param cart its lines, and when it was last written
 * @param options.held pictures that are already held
 */
export async function renewPictures(
  table: Table,
  { lines, updated_at }: Pick<StoredCart, "lines" | "updated_at">,
  options: { lifetimeDays: number; now: Date; held?: Pick<ReadonlySet<string>, "has"> },
): Promise<void> {
  const { lifetimeDays, now, held } = options;
  if (dayOf(updated_at) === dayOf(now.toISOString())) return;
  const until = picturesKeptUntil(now, lifetimeDays);
  const pictures = new Set(lines.flatMap((line) => (line.kind === "sofa" ? line.upload_ids : [])));
  // `holdUploadUntil` is refused for pictures that are kept longer anyway, and for those that have expired.
  await Promise.all(
    [...pictures]
      .filter((id) => !held?.has(id))
      .map((id) => unlessRefused(table.write(holdUploadUntil(id, until, now)))),
  );
}

const dayOf = (moment: string): string => moment.slice(0, 10);
