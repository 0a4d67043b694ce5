import type { LoadResult } from "./load-driver.ts";
import type { Section } from "./report.ts";
import { scenarios } from "./scenarios.ts";
import type { CpuNews, StackNews } from "./server-process.ts";
import { emptyInbox } from "#test/support/emulators/inbox.ts";
import { start } from "./whole-stack.ts";

const connections = 8;
/** Minutes that the slope leaves out: memory grows while caches fill and code is compiled. */
const warmMinutes = 1;

/**
 * Sends visits of every kind without a pause, and measures the memory every minute. A leak shows as a slope.
 *
 * @param minutes whole minutes
 */
export async function soakSection(minutes: number): Promise<Section> {
  if (!Number.isInteger(minutes) || minutes < 1) {
    throw new RangeError(`A soak takes whole minutes, not "${minutes}".`);
  }
  const stack = start("./server-process.ts", ["--expose-gc"]);
  const driver = start("./load-driver.ts");
  try {
    const target = (await stack.news) as StackNews;
    const rows: (string | number)[][] = [];
    for (let minute = 1; minute <= minutes; minute++) {
      const visits = await visitAll(driver, target);
      // Mails in the emulator's mailbox would count as memory of the shop.
      await emptyInbox(target.mailbox);
      const { residentMb, heapMb, emulatorMb } = await stack.ask<CpuNews>({});
      rows.push([minute, visits, residentMb, heapMb, emulatorMb]);
      console.error(`${minute} min: ${visits} visits, heap ${heapMb.toFixed(1)} MB`);
    }
    const warm = rows.slice(Math.min(warmMinutes, rows.length - 1));
    const slopes = [2, 3, 4].map((column) => slopeOf(warm.map((row) => Number(row[column]))));
    return {
      title: "Soak",
      note:
        `Memory after each minute of visits of every kind over ${connections} connections, garbage collected. ` +
        `The last row is the slope in MB per minute, without the first ${warmMinutes}.`,
      columns: ["minute", "visits", "stack MB", "of it heap in use MB", "DynamoDB's emulator MB"],
      rows: [...rows, ["slope", "", ...slopes]],
    };
  } finally {
    await Promise.all([stack.stop(), driver.stop()]);
  }
}

/** @returns the number of visits in the minute */
async function visitAll(driver: ReturnType<typeof start>, target: StackNews): Promise<number> {
  const names = Object.keys(scenarios);
  const seconds = 60 / names.length;
  let visits = 0;
  for (const scenario of names) {
    const { baseUrl } = target;
    const load = { baseUrl, scenario, target, connections, seconds };
    const result = await driver.ask<LoadResult>(load);
    if (result.failure !== undefined) throw new Error(result.failure);
    visits += result.visits;
  }
  return visits;
}

/** The slope by least squares over equal steps. */
function slopeOf(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const rise = values.reduce((sum, value, step) => sum + (step - middle) * (value - mean), 0);
  const run = values.reduce((sum, _value, step) => sum + (step - middle) ** 2, 0);
  return rise / run;
}
