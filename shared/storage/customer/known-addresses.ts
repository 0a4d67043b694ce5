import { hash } from "node:crypto";
import * as z from "zod";
import type { Guard } from "../../domain/request/identity.ts";
import { Timestamp } from "../../domain/base/text.ts";
import { entity } from "../entity.ts";
import { partitionOf } from "../staff/sessions.ts";
import type { Table } from "../table.ts";
import { type Write, put } from "../writes.ts";

/** An IP address from which a customer or staff user signs in. */
export interface KnownAddressId {
  readonly guard: Guard;
  /** Id of the customer or staff user. */
  readonly subject: string;
  /** The IP address in the form in which rate limits count it. */
  readonly address: string;
}

const keptMs = 90 * 86_400_000;

const addressEntity = (guard: Guard) =>
  entity({
    name: `${guard}_known_address`,
    notExported: "credential",
    schema: z.object({ signed_in_at: Timestamp }),
    key: ({ subject, address }: Omit<KnownAddressId, "guard">) => ({
      pk: partitionOf(guard, subject),
      sk: `SIGNEDINFROM#${hash("sha256", address, "base64url").slice(0, 22)}`,
    }),
    patterns: {
      table: [[partitionOf(guard, "<subject>"), "SIGNEDINFROM#<hash of the address>"]],
    },
    ttl: ({ signed_in_at }) => Math.ceil((Date.parse(signed_in_at) + keptMs) / 1000),
  });

/** The IP addresses from which a customer has signed in, hashed. */
export const CustomerAddresses = addressEntity("customer");
/** The IP addresses from which a staff user has signed in, hashed. */
export const StaffAddresses = addressEntity("staff");

export const knownAddresses = (guard: Guard) =>
  guard === "staff" ? StaffAddresses : CustomerAddresses;

/** Remembers a sign-in address for 90 days. */
export function rememberAddress(id: KnownAddressId, now: Date): Write {
  return put(knownAddresses(id.guard), { ...id, signed_in_at: now.toISOString() });
}

/** Whether the subject has signed in from this address within 90 days. */
export async function isKnownAddress(
  table: Table,
  id: KnownAddressId,
  now: Date,
): Promise<boolean> {
  const known = await table.get(knownAddresses(id.guard), id);
  return known !== undefined && Date.parse(known.signed_in_at) + keptMs > now.getTime();
}
