import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { consume } from "#functions/on-change/exports/consume.ts";
import { connect } from "#functions/on-change/exports/deps.ts";
import { consumers } from "#functions/consumers.ts";
import { openLinks } from "#shared/files/signed-link.ts";
import { advanced } from "#shared/domain/export-job.ts";
import type { ExportedOrder } from "#shared/domain/exported-records.ts";
import { ExportJobs, stepExport } from "#shared/storage/export-jobs.ts";
import { csvOf, downloaded, jsonOf } from "#test/support/exports.ts";
import { aWaitingJob, exportInProcess, startManyOrders } from "#test/support/many-orders.ts";
import { aMessage } from "#test/support/sqs-event.ts";

// `npm run bench exports` does the same with 50,000 orders, whose worker needs no more memory than for these.
// They fill a part of a file and begin the next: else no worker could stop halfway.
const orders = 2_000;
let many: Awaited<ReturnType<typeof startManyOrders>>;
beforeAll(async () => {
  many = await startManyOrders(orders);
});
afterAll(() => many.stop());

const lambda = consumers.find(({ name }) => name === "on-change-exports");
const stored = (job: Parameters<typeof exportInProcess>[1]) => many.table.get(ExportJobs, job);

/** What a job has made, or has so far. */
async function made(job: Parameters<typeof exportInProcess>[1]) {
  const after = await stored(job);
  if (!after?.result) throw new Error("The export is not ready");
  const linkTo = openLinks({ bucket: "exports", endpoint: many.environment.S3_ENDPOINT });
  const link = { filename: "orders", lifetimeSeconds: 900, now: new Date() };
  const url = linkTo(`${after.id}/${after.result.name}`, link);
  const { records, result } = after;
  const answer = { status: "ready", url, expires_at: "", records, ...result } as const;
  return { records, file: await downloaded(answer) };
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

describe("thousands of orders", () => {
  test("are exported in a small part of the function's memory, and their figures match", async () => {
    const job = await aWaitingJob(many.table, "json");
    const peakMb = await exportInProcess(many.environment, job);
    expect(peakMb).toBeLessThan((lambda?.memoryMb ?? 0) / 3);

    const { records, file } = await made(job);
    const rows = jsonOf<ExportedOrder>(file).records.map(({ data }) => data);
    expect([records, rows.length]).toEqual([orders, orders]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(orders);
    const { grandTotal, paid } = many.planted;
    expect(sumOf(rows.map(({ totals }) => totals.grand_total))).toBe(grandTotal);
    expect(sumOf(rows.map(({ totals }) => totals.paid))).toBe(paid);
    expect(rows.every(({ transactions }) => transactions.length === 1)).toBe(true);
  });

  test("come as a spreadsheet whose columns add up to the same", async () => {
    const job = await aWaitingJob(many.table, "csv");
    await consume({ Records: [aMessage(job)] }, connect(many.environment));
    const lines = csvOf((await made(job)).file);
    expect(sumOf(lines.map((line) => Number(line["grand_total"])))).toBe(many.planted.grandTotal);
    expect(sumOf(lines.map((line) => Number(line["paid"])))).toBe(many.planted.paid);
  });
});

test("a worker that dies is taken over by another, which goes on where it stopped", async () => {
  const job = await aWaitingJob(many.table, "json");
  const sent: unknown[] = [];
  const deps = {
    ...connect(many.environment),
    budgetMs: 0,
    queue: { send: async (messages: readonly unknown[]) => void sent.push(...messages) },
  };
  await consume({ Records: [aMessage(job)] }, deps);
  const paused = await stored(job);
  expect(paused).toMatchObject({ status: "running", unfinished: { etags: [expect.any(String)] } });
  expect(sent).toHaveLength(1);

  // Somebody takes it up and is not heard of again: nobody else does for a minute, then the next one may.
  if (!paused) return;
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await many.table.write(stepExport(paused, advanced(paused, {}, "alive", new Date())));
  await consume({ Records: [aMessage(job)] }, deps);
  const held = await stored(job);
  expect(held?.lease.holder).toBe("alive");
  if (held) await many.table.write(stepExport(held, advanced(held, {}, "dead", anHourAgo)));

  await consume({ Records: [aMessage(job)] }, { ...deps, budgetMs: 60_000 });
  expect((await stored(job))?.files[0]?.records).toBe(orders);
  const rows = jsonOf<ExportedOrder>((await made(job)).file).records;
  expect(new Set(rows.map(({ data }) => data.id)).size).toBe(orders);
});
