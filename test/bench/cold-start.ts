import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** A function's first call in a new process. */
export interface ColdStart {
  /** The function's bundle. */
  readonly file: string;
  readonly event: unknown;
  readonly environment: Readonly<Record<string, string>>;
}

interface ColdStartCost {
  /** From the start of the import to its end. */
  readonly importedMs: number;
  /** From the start of the import to the answer. */
  readonly answeredMs: number;
  /** The most memory that the process had. */
  readonly peakMb: number;
}

const script = `
  const start = performance.now();
  const { handler } = require(process.argv[1]);
  const importedMs = performance.now() - start;
  handler(JSON.parse(process.argv[2]), { getRemainingTimeInMillis: () => 10_000 }).then(() => {
    const answeredMs = performance.now() - start;
    const peakMb = process.resourceUsage().maxRSS / 1024;
    process.stdout.write(JSON.stringify({ importedMs, answeredMs, peakMb }));
    process.exit(0);
  });`;

/** Starts a process, which imports the bundle and calls it once. */
export async function coldStart({ file, event, environment }: ColdStart): Promise<ColdStartCost> {
  const credentials = {
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "key",
  };
  // Asynchronous, because the emulators run in this process and must respond meanwhile.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["-e", script, file, JSON.stringify(event)],
    { env: { ...credentials, ...environment } },
  );
  return JSON.parse(stdout.slice(stdout.lastIndexOf("{"))) as ColdStartCost;
}
