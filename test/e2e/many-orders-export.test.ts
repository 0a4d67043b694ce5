// @module-tag emulator
// @module-tag slow
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onChangeExports } from "#functions/on-change/queue-consumers.ts";
import { openers } from "#infra/generated/entries/on-change-exports.ts";
import { openShop } from "#shared/application/shop.ts";
import { makeExport } from "#shared/application/export/make-export.ts";
import { consumers } from "#functions/consumers.ts";
import { advanced } from "#shared/domain/export/export-job.ts";
import type { ExportedOrder } from "#shared/domain/export/exported-records.ts";
import { ExportJobs, stepExport } from "#shared/storage/export/export-jobs.ts";
import { jsonOf } from "#test/support/back-office/exports.ts";
import {
  type ManyOrders,
  aWaitingJob,
  exportInProcess,
  metricsOf,
  madeBy,
  startManyOrders,
} from "#test/support/shop/many-records.ts";
import { aMessage } from "#test/support/emulators/queues.ts";

// An export of 50,000 orders takes no more memory (see `npm run bench -- exports`). This number of orders fills the first
// uploaded part of a file and begins the second, so that a worker can stop between the parts.
const orders = 2_000;
let many: ManyOrders;
beforeAll(async () => {
  many = await startManyOrders(orders);
});
afterAll(() => many.stop());

const lambda = consumers.find(({ name }) => name === "on-change-exports");
const stored = (job: Parameters<typeof exportInProcess>[1]) => many.table.get(ExportJobs, job);

describe("an export of thousands of orders", () => {
  test("uses less than a third of the function's memory and has the sums of the stored orders", async () => {
    const job = await aWaitingJob(many.table, "json");
    const peakMb = await exportInProcess(many.environment, job);
    expect(peakMb).toBeLessThan((lambda?.memoryMb ?? 0) / 3);

    expect((await stored(job))?.records).toBe(orders);
    const file = await madeBy(many, job);
    expect(metricsOf(file, "json")).toEqual(many.planted);
    const rows = jsonOf<ExportedOrder>(file).records;
    expect(rows.every(({ data }) => data.transactions.length === 1)).toBe(true);
  });

  test("as CSV has columns with the sums of the stored orders", async () => {
    const job = await aWaitingJob(many.table, "csv");
    await onChangeExports({ Records: [aMessage(job)] }, openShop(many.environment, openers));
    expect(metricsOf(await madeBy(many, job), "csv")).toEqual(many.planted);
  });
});

test("an export is continued by another worker where a crashed worker stopped", async () => {
  const job = await aWaitingJob(many.table, "json");
  const sent: unknown[] = [];
  const exportsQueue = {
    send: async (messages: readonly unknown[]) => void sent.push(...messages),
    postpone: async () => undefined,
  };
  const shop = { ...openShop(many.environment, openers), exportsQueue };
  const work = (budgetMs: number) => makeExport(job, randomUUID(), shop, budgetMs);
  await work(0);
  const paused = await stored(job);
  expect(paused).toMatchObject({ status: "running", unfinished: { etags: [expect.any(String)] } });
  expect(sent).toHaveLength(1);

  // A worker claims the job and crashes. No other worker can claim the job for a minute.
  if (!paused) return;
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await many.table.write(stepExport(paused, advanced(paused, {}, "alive", new Date())));
  await work(0);
  const held = await stored(job);
  expect(held?.lease.holder).toBe("alive");
  if (held) await many.table.write(stepExport(held, advanced(held, {}, "dead", anHourAgo)));

  await work(60_000);
  expect((await stored(job))?.files[0]?.records).toBe(orders);
  expect(metricsOf(await madeBy(many, job), "json")).toEqual(many.planted);
});
