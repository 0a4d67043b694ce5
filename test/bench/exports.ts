import { isDeepStrictEqual } from "node:util";
import { consumers } from "#functions/consumers.ts";
import { ExportJobs } from "#shared/storage/export/export-jobs.ts";
import {
  aWaitingJob,
  exportInProcess,
  metricsOf,
  madeBy,
  startManyOrders,
} from "#test/support/shop/many-records.ts";
import type { Section } from "./report.ts";

const sizes = [1_000, 50_000];

/** Measures time and memory of exports by number of orders. Throws if an export's totals differ from the orders. */
export async function exportsSection(): Promise<Section> {
  const rows: (string | number)[][] = [];
  for (const size of sizes) {
    const many = await startManyOrders(size);
    for (const format of ["json", "csv"] as const) {
      const job = await aWaitingJob(many.table, format);
      const begun = performance.now();
      const peakMb = await exportInProcess(many.environment, job);
      const seconds = (performance.now() - begun) / 1000;
      const made = await many.table.get(ExportJobs, job);
      const totals = metricsOf(await madeBy(many, job), format);
      if (!isDeepStrictEqual([made?.records, totals], [size, many.planted])) {
        throw new Error(
          `Exported: ${JSON.stringify(totals)}; planted: ${JSON.stringify(many.planted)}`,
        );
      }
      rows.push([format, size, (made?.result?.bytes ?? 0) / 1e6, peakMb, seconds]);
    }
    await many.stop();
  }
  const memoryMb = consumers.find(({ name }) => name === "on-change-exports")?.memoryMb;
  return {
    title: "Exports of orders",
    note:
      `The worker runs in a separate process; its function has ${memoryMb} MB. Its peak memory ` +
      "depends on the size of an upload's parts, not on the number of orders. The seconds include the emulators. Number, totals and payments of the orders were the same in every file.",
    columns: ["format", "orders", "MB", "peak memory (MB)", "seconds"],
    rows,
  };
}
