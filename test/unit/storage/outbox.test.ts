import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OutboxEvent } from "#shared/domain/base/outbox-event.ts";
import {
  type OutboxStore,
  Outbox,
  openOutbox,
  outboxId,
  publishEvent,
} from "#shared/storage/outbox.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";

let fixture: TestTable;
let outbox: OutboxStore;
let number = 0;

beforeAll(async () => {
  fixture = await startTestTable();
  outbox = openOutbox(fixture.table);
});
afterAll(() => fixture.stop());

const seconds = (count: number) => new Date(noon.getTime() + count * 1000);

/** A mail that contains a link and waits to be sent. */
async function aWaitingLink() {
  const event: OutboxEvent = {
    type: "reset_password",
    to: "asha@example.com",
    name: "Asha Rao",
    token: `secret-${++number}`,
    expires_at: seconds(3600).toISOString(),
  };
  await fixture.table.write(publishEvent(event, noon));
  const id = outboxId(event);
  return { id, event, row: () => fixture.table.get(Outbox, { id }) };
}

async function claimed(id: string, now = noon) {
  const claim = await outbox.claim(id, now);
  if (claim.kind !== "claimed") throw new Error(`${id} is ${claim.kind}`);
  return claim.record;
}

describe("an outbox row", () => {
  test("can be claimed by one caller until the claim expires", async () => {
    const { id } = await aWaitingLink();
    const claims = await Promise.all(Array.from({ length: 5 }, () => outbox.claim(id, noon)));
    expect(claims.map(({ kind }) => kind).toSorted()).toEqual([
      "busy",
      "busy",
      "busy",
      "busy",
      "claimed",
    ]);
    expect((await outbox.claim(id, seconds(59))).kind).toBe("busy");
    expect((await claimed(id, seconds(61))).attempts).toBe(2);
  });

  test("can be claimed again after its release; an expired claim cannot release it", async () => {
    const { id } = await aWaitingLink();
    const first = await claimed(id);
    const second = await claimed(id, seconds(61));
    await outbox.release(first);
    expect((await outbox.claim(id, seconds(62))).kind).toBe("busy");
    await outbox.release(second);
    expect((await outbox.claim(id, seconds(62))).kind).toBe("claimed");
  });

  test.each(["sent", "stale", "bounced"] as const)(
    "cannot be claimed once it is %s, and no longer contains its secret",
    async (outcome) => {
      const { id, event, row } = await aWaitingLink();
      await outbox.settle(await claimed(id), outcome, seconds(1));
      expect((await outbox.claim(id, seconds(3600))).kind).toBe("settled");
      expect(await row()).toMatchObject({
        ...(outcome === "sent"
          ? { state: "sent", reason: null }
          : { state: "given_up", reason: outcome }),
        settled_at: seconds(1).toISOString(),
        claimed_until: null,
        event: { ...event, token: "" },
      });
    },
  );

  test("counts as finished once it has expired, and later updates do not recreate it", async () => {
    const { id, row } = await aWaitingLink();
    const held = await claimed(id);
    const gone = { ...held, id: "reset_password#gone" };
    await outbox.settle(gone, "sent", noon);
    await outbox.release(gone);
    expect(await outbox.claim(gone.id, noon)).toEqual({ kind: "settled" });
    expect(await fixture.table.get(Outbox, gone)).toBeUndefined();
    expect((await row())?.state).toBe("waiting");
  });

  test("is listed for the outbox sweep at ages that double each time, until it is finished", async () => {
    const { id, row } = await aWaitingLink();
    const toSweep = async (minutes: number) => {
      const { records } = await outbox.listToSweep(seconds(minutes * 60 + 1));
      return records.find((record) => record.id === id);
    };
    expect(await toSweep(14)).toBeUndefined();
    for (const [due, next] of [
      [15, 30],
      [30, 60],
      [60, 120],
    ] as const) {
      const waiting = await toSweep(due);
      expect(waiting).toBeDefined();
      if (waiting) await outbox.swept(waiting, seconds(due * 60));
      expect(await toSweep(next - 1)).toBeUndefined();
    }
    await outbox.settle(await claimed(id), "sent", noon);
    expect(await toSweep(10_000)).toBeUndefined();
    expect(await row()).toMatchObject({ state: "sent" });
  });
});

test("an outbox event's id is unique, deterministic, and contains no secret or address", () => {
  const addressee = { to: "asha@example.com", name: "Asha" };
  const link = { ...addressee, token: "the-secret", expires_at: noon.toISOString() };
  const events: OutboxEvent[] = [
    { type: "order_placed", order_id: anId("ord") },
    { type: "order_choose_slot", order_id: anId("ord"), at: noon.toISOString() },
    { type: "order_choose_slot", order_id: anId("ord"), at: seconds(1).toISOString() },
    { type: "order_slot_planned", order_id: anId("ord"), at: noon.toISOString() },
    { type: "order_slot_planned", order_id: anId("ord"), at: seconds(1).toISOString() },
    { type: "order_balance_reminder", order_id: anId("ord"), at: noon.toISOString() },
    { type: "order_balance_reminder", order_id: anId("ord"), at: seconds(1).toISOString() },
    { type: "verify_email", ...link },
    { type: "reset_password", ...link },
    { type: "password_changed", ...addressee, changed_at: noon.toISOString() },
    { type: "password_changed", ...addressee, changed_at: seconds(1).toISOString() },
    { type: "email_changed", ...addressee, changed_at: noon.toISOString() },
  ];
  const ids = events.map(outboxId);
  expect(new Set(ids).size).toBe(events.length);
  expect(ids).toEqual(events.map(outboxId));
  expect(ids.join()).not.toMatch(/the-secret|asha/);
});

test("an outbox row with a link expires with the link, other rows after 30 days", () => {
  const ttlOf = (event: OutboxEvent) => {
    const write = publishEvent(event, noon);
    return write.kind === "put" ? Number(write.item["ttl"]) - noon.getTime() / 1000 : undefined;
  };
  const expires_at = seconds(3600).toISOString();
  const link = { to: "a@example.com", name: "A", token: "t", expires_at };
  expect(ttlOf({ type: "verify_email", ...link })).toBe(3600);
  expect(ttlOf({ type: "order_placed", order_id: anId("ord") })).toBe(30 * 86_400);
});
