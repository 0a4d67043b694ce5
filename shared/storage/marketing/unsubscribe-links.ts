import * as z from "zod";
import { AlertKind } from "../../domain/marketing/product-alert.ts";
import { Email, Timestamp } from "../../domain/base/text.ts";
import { entity } from "../entity.ts";
import { type Write, put, remove } from "../writes.ts";
import { hash } from "node:crypto";

const UnsubscribeLink = z.object({
  email: Email,
  /** The product alert that the link ends; null: the subscription and every alert of the address. */
  alert: z.object({ product_id: z.string(), kind: AlertKind }).nullable(),
  expires_at: Timestamp.nullable(),
});
export type UnsubscribeLink = z.output<typeof UnsubscribeLink>;

/**
 * What a link in a marketing mail ends. It is stored with the record that contains the link's token, and expires with
 * that record.
 */
export const UnsubscribeLinks = entity({
  name: "unsubscribe_link",
  notExported: "credential",
  schema: UnsubscribeLink,
  key: ({ token_hash }: { token_hash: string }) => ({
    pk: `UNSUBSCRIBE#${token_hash}`,
    sk: "UNSUBSCRIBE",
  }),
  ttl: ({ expires_at }) =>
    expires_at === null ? undefined : Math.ceil(Date.parse(expires_at) / 1000),
});

export const namedLink = (token: string) => ({ token_hash: hash("sha256", token, "base64url") });

/** Stores the link of a subscription or an alert. */
export function linkOf({
  token,
  expires_at,
  ...link
}: Pick<UnsubscribeLink, "email" | "alert"> & {
  readonly token: string;
  readonly expires_at: Date | undefined;
}): Write {
  return put(UnsubscribeLinks, {
    ...namedLink(token),
    ...link,
    expires_at: expires_at?.toISOString() ?? null,
  });
}

export const removeLink = (token: string): Write => remove(UnsubscribeLinks, namedLink(token));
