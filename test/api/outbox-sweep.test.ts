// @module-tag slow
import { expect, onTestFinished, test } from "vitest";
import { newId } from "#shared/domain/base/ids.ts";
import { Outbox, outboxId } from "#shared/storage/outbox.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { table } = await useShop({ effects: ["outbox-sweep"] });

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

test("the outbox sweep finds an event that was not sent within a quarter of an hour, and postpones the next sweep of that event", async () => {
  const event = { type: "lead_received", lead_id: newId("lead", new Date()) } as const;
  const id = outboxId(event);
  onTestFinished(async () => {
    await table.write(remove(Outbox, { id }));
  });
  await table.write(
    put(Outbox, {
      id,
      event,
      at: inMinutes(-20).toISOString(),
      state: "waiting",
      attempts: 1,
      // Another worker's claim keeps the event waiting until the sweep finds it.
      claimed_until: inMinutes(10).toISOString(),
      settled_at: null,
      sweep_at: inMinutes(-5).toISOString(),
    }),
  );
  await waitFor("outbox-sweep", async () => {
    const { sweep_at = "" } = (await table.get(Outbox, { id })) ?? {};
    expect(Date.parse(sweep_at)).toBeGreaterThan(inMinutes(15).getTime());
  });
});
