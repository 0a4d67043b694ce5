import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** What a function's call needs of the table. Uses are texts, such as `writes order`. */
export interface RecordedUse {
  /** The function's name. */
  readonly name: string;
  /** What the call may have used, according to its keys. Several entities may match the same keys. */
  readonly possible: readonly string[];
  /** What it surely used, according to its keys and to the items that the table returned. */
  readonly seen: readonly string[];
}

/** The file in which `npm run generate grants` lets the guards of its tests record uses; undefined in other runs. */
const file = process.env["RECORDED_USES"];

/** Whether this run records what functions use of the table, instead of refusing what they do not declare. */
export const isRecording = file !== undefined;

const recorded = new Set<string>();

/** Records a use once for each process. */
export function recordUse(use: RecordedUse): void {
  const line = JSON.stringify(use);
  if (file === undefined || recorded.has(line)) return;
  recorded.add(line);
  appendFileSync(file, `${line}\n`);
}

/** The uses that `recordUse` wrote to a file. */
export function recordedUses(path: string): RecordedUse[] {
  const lines = existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
  // `recordUse` made each line from a use.
  return lines.map((line) => JSON.parse(line) as RecordedUse);
}
