import { expect, test } from "vitest";
import * as z from "zod";
import type { InternationalPhone } from "#shared/domain/contact/international-phone.ts";
import { PhoneProofs } from "#shared/storage/customer/phone-proofs.ts";
import { entity, itemOf, recordOf } from "#shared/storage/entity.ts";
import { GatewayEvents } from "#shared/storage/payment/gateway-events.ts";

const Notes = entity({
  name: "note",
  schema: z.object({
    id: z.string(),
    author: z.string().nullable(),
    text: z.string().trim(),
    pinned: z.boolean().default(false),
    expires: z.int(),
  }),
  key: ({ id }: { id: string }) => ({ pk: `NOTE#${id}`, sk: "NOTE" }),
  indexes: {
    gsi1: ({ author, id }) => (author === null ? undefined : { pk: `AUTHOR#${author}`, sk: id }),
  },
  ttl: ({ expires }) => expires,
});
const phoneProof = {
  number: "+919812345678" as InternationalPhone,
  customer_id: "cus_1",
  phone: "+919812345678",
  code_hash: "hash",
  tries: 0,
  expires_at: "2026-11-21T09:15:00.001Z",
};
const aNote = { id: "n1", author: "ada", text: " hello ", expires: 1_800_000_000 };

test("a stored item has its keys, kind, index keys and time to live", () => {
  expect(itemOf(Notes, aNote)).toEqual({
    pk: "NOTE#n1",
    sk: "NOTE",
    entity: "note",
    gsi1pk: "AUTHOR#ada",
    gsi1sk: "n1",
    ttl: 1_800_000_000,
    id: "n1",
    author: "ada",
    text: "hello",
    pinned: false,
    expires: 1_800_000_000,
  });
});

test("an item that the stream's reader passes on names the cause of its write", () => {
  const Streamed = entity({ ...Notes, key: ({ id }) => ({ pk: `PAGE#${id}`, sk: "NOTE" }) });
  expect(itemOf(Streamed, aNote)).toMatchObject({ cause: { trigger: "command" } });
  expect(recordOf(Streamed, itemOf(Streamed, aNote))).not.toHaveProperty("cause");
});

test.each([
  [
    "a phone's code not before it ends",
    itemOf(PhoneProofs, phoneProof),
    "2026-11-21T09:15:01.000Z",
  ],
  [
    "a processed gateway event after 30 days",
    itemOf(GatewayEvents, { event_id: "evt_1", at: "2026-11-21T09:00:00.001Z" }),
    "2026-12-21T09:00:01.000Z",
  ],
])("DynamoDB removes %s", (_what, { ttl }, until) => {
  expect(ttl).toBe(Date.parse(until) / 1000);
});

test("a record without an index key is not in the index", () => {
  const item = itemOf(Notes, { ...aNote, author: null });
  expect(item).not.toHaveProperty("gsi1pk");
  expect(item).not.toHaveProperty("gsi1sk");
});

test("a record that was read has no storage attributes", () => {
  expect(recordOf(Notes, itemOf(Notes, aNote))).toEqual({ ...aNote, text: "hello", pinned: false });
});

test("members outside the entity's schema are not stored", () => {
  expect(itemOf(Notes, { ...aNote, cost: 12 } as typeof aNote)).not.toHaveProperty("cost");
});

test("a record that does not match its schema is never stored", () => {
  expect(() => itemOf(Notes, { ...aNote, expires: 1.5 })).toThrow(z.ZodError);
});
