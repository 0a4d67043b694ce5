import type { ProductAlert } from "#shared/domain/marketing/product-alert.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import type { Write } from "#shared/storage/writes.ts";

/** How long a letter may wait for the mail server. After that it is outdated and is not sent. */
const freshMs = 24 * 3_600_000;

export const staleAt = (now: Date): string => new Date(now.getTime() + freshMs).toISOString();

/**
 * Publishes the letter of an alert. The caller stores in the same transaction that the person was told.
 *
 * @param variant_ids for `back_in_stock`, the available variants
 */
export function alertLetter(
  { email, product_id, kind, letter_at }: ProductAlert,
  now: Date,
  variant_ids: readonly string[] = [],
): Write {
  const at = letter_at ?? now.toISOString();
  return publishEvent(
    {
      type: kind,
      to: email,
      about: product_id,
      at,
      expires_at: staleAt(now),
      ...(variant_ids.length > 0 && { variant_ids: [...variant_ids] }),
    },
    now,
  );
}
