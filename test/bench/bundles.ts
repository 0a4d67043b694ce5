import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DeployedFunction, authorizer, consumers, families } from "#functions/families.ts";
import { bundle, bundleFile, laterFile } from "#infra/cloud/bundle.ts";
import { type Section, median } from "./report.ts";

/**
 * An empty handler with the SDK clients that a function of this reach has.
 * What only reads the view, or signing keys, does so without a client.
 */
function floorOf({ reach }: DeployedFunction): string {
  if (reach.table && (reach.view === "write" || reach.media)) return "table-and-objects";
  if (reach.table) return "table";
  return reach.sendsTo ? "queues" : "nothing";
}

export interface BundleSize {
  readonly name: string;
  readonly bytes: number;
  /** Of the packages that are read when they are wanted. */
  readonly laterBytes: number;
  /** The empty handler that it is compared with. */
  readonly floor: string;
  readonly floorBytes: number;
}

/** Every deployed function and its floor, bundled as they are deployed. @returns sizes, minified */
export async function bundleAll(directory: string): Promise<BundleSize[]> {
  const functions: readonly DeployedFunction[] = [authorizer, ...families, ...consumers];
  const floors = [...new Set(functions.map(floorOf))];
  await bundle(
    [
      ...functions,
      ...floors.map((name) => ({ name: `floor-${name}`, entry: `test/bench/floors/${name}.ts` })),
    ],
    directory,
  );
  const bytes = (name: string) => statSync(bundleFile(directory, name)).size;
  const laterBytes = ({ name, later = [] }: DeployedFunction) =>
    later.reduce((sum, each) => sum + statSync(laterFile(directory, name, each)).size, 0);
  return functions.map((each) => {
    const floor = `floor-${floorOf(each)}`;
    return {
      name: each.name,
      bytes: bytes(each.name),
      laterBytes: laterBytes(each),
      floor,
      floorBytes: bytes(floor),
    };
  });
}

const runs = 15;
const importOnce =
  "const before=performance.now();require(process.argv[1]);process.stdout.write(String(performance.now()-before))";

export async function bundlesSection(): Promise<Section> {
  const directory = mkdtempSync(join(tmpdir(), "bench-bundles-"));
  try {
    const sizes = await bundleAll(directory);
    const names = [...new Set(sizes.flatMap(({ name, floor }) => [name, floor]))];
    const times = new Map(names.map((name) => [name, [] as number[]]));
    // In turns, so that a noisy moment meets all of them.
    for (let run = 0; run < runs; run++) {
      for (const [name, samples] of times) {
        samples.push(
          Number(execFileSync(process.execPath, ["-e", importOnce, bundleFile(directory, name)])),
        );
      }
    }
    const ms = (name: string) => median(times.get(name) ?? []);
    return {
      title: "Bundles",
      note:
        `Minified, SDK clients included; the floor is an empty handler plus its SDK clients. Later: packages in ` +
        `files of their own, read when they are wanted and not imported here. Import in a fresh process, ` +
        `median of ${runs}. Goals: catalog and checkout at most 400 KB, import at most 2 × the floor.`,
      columns: ["function", "KB", "later KB", "floor KB", "import ms", "floor ms", "× floor"],
      rows: sizes.map(({ name, bytes, laterBytes, floor, floorBytes }) => [
        name,
        bytes / 1000,
        laterBytes / 1000,
        floorBytes / 1000,
        ms(name),
        ms(floor),
        ms(name) / ms(floor),
      ]),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
