import { afterAll, beforeAll, expect, test } from "vitest";
import { sweepOutbox } from "#shared/application/mail/sweep-outbox.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { publishErasedId, settleErasedId } from "#shared/storage/customer/erased-ids.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { aShop, silentLog } from "#test/support/shop/parts.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

// A table without a stream: only the sweep can enqueue its rows.
let fixture: TestTable;

beforeAll(async () => {
  fixture = await startTestTable();
});
afterAll(() => fixture.stop());

/** Publishes the id of a customer who was erased this many minutes before noon. */
async function anErasedId(minutes: number): Promise<string> {
  const at = new Date(noon.getTime() - minutes * 60_000);
  const id = newId("cus", at);
  await fixture.table.write(publishErasedId(id, at));
  return id;
}

async function sweep(): Promise<unknown[]> {
  const messages: unknown[] = [];
  await sweepOutbox(
    aShop<Parameters<typeof sweepOutbox>[0]>({
      table: fixture.table,
      outboxQueue: { send: async () => undefined },
      erasedIdsQueue: { send: async (some) => void messages.push(...some) },
      log: silentLog,
      now: () => noon,
    }),
  );
  return messages;
}

test("the outbox sweep enqueues the id of an erased customer again if the ledger of erased ids does not contain it after a quarter of an hour", async () => {
  const [oldest, late] = [await anErasedId(60), await anErasedId(16)];
  await anErasedId(14);
  expect(await sweep()).toEqual([{ changes: [{ id: oldest }, { id: late }] }]);
  await fixture.table.write(settleErasedId(oldest));
  expect(await sweep()).toEqual([{ changes: [{ id: late }] }]);
  await fixture.table.write(settleErasedId(late));
  expect(await sweep()).toEqual([]);
});
