import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { consumers } from "#functions/consumers.ts";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import { authorizer, families } from "#functions/families.ts";
import { bundle, bundleFile, entryFile, laterFile } from "#infra/cloud/bundle.ts";
import { cacheOf } from "#infra/cloud/cached-script.ts";
import { addCodeCaches, lambdaFlags } from "#infra/cloud/code-cache.ts";
import { schemasAtImport } from "#test/support/schemas-at-import.ts";
import { barChart } from "./pictures.ts";
import { type Section, median } from "./report.ts";

/**
 * An empty handler with the SDK clients that a function of this reach has.
 * What only reads the view does so without a client, and so does what reads or replaces signing keys: over TLS, and
 * with what proves signatures. What makes pictures loads libvips, which every call of it wants.
 */
function floorOf({ reach, packages = [] }: DeployedFunction): string {
  if (packages.includes("sharp")) return "pictures";
  const keepsObjects = reach.view === "write" || reach.media || reach.exports === "write";
  if (reach.table && keepsObjects) return "table-and-objects";
  if (reach.table) return "table";
  if (reach.sendsTo) return "queues";
  return reach.signingKeys || reach.rotates ? "secrets" : "hashes";
}

interface Sizes {
  readonly name: string;
  readonly bytes: number;
  /** Of the packages that are read when they are wanted. */
  readonly laterBytes: number;
  readonly cacheBytes: number;
  readonly schemas: number;
  /** The empty handler that it is compared with. */
  readonly floor: string;
}

/** Every deployed function and its floor, bundled as they are deployed, with code caches. */
async function bundleAll(directory: string): Promise<Sizes[]> {
  const functions: readonly DeployedFunction[] = [authorizer, ...families, ...consumers];
  const floors = [...new Set(functions.map(floorOf))].map((name) => ({
    name: `floor-${name}`,
    entry: `test/bench/floors/${name}.ts`,
    packages: name === "pictures" ? ["sharp"] : [],
  }));
  await bundle([...functions, ...floors], directory);
  await addCodeCaches([...functions, ...floors], directory);
  const bytesOf = (file: string) => statSync(file).size;
  return functions.map((each) => {
    const { name, later = [] } = each;
    const file = bundleFile(directory, name);
    return {
      name,
      bytes: bytesOf(file),
      laterBytes: later.reduce((sum, part) => sum + bytesOf(laterFile(directory, name, part)), 0),
      cacheBytes: bytesOf(cacheOf(file)),
      schemas: schemasAtImport(file),
      floor: `floor-${floorOf(each)}`,
    };
  });
}

const runs = 9;
const importOnce =
  "const before=performance.now();require(process.argv[1]);process.stdout.write(String(performance.now()-before))";

/** Median of imports in fresh processes, in turns, so that a noisy moment meets all of them. @returns ms by file */
function importTimes(files: readonly string[]): Map<string, number> {
  const times = new Map(files.map((file) => [file, [] as number[]]));
  for (let run = 0; run < runs; run++) {
    for (const [file, samples] of times) {
      const args = [...lambdaFlags, "-e", importOnce, file];
      samples.push(Number(execFileSync(process.execPath, args)));
    }
  }
  return new Map([...times].map(([file, samples]) => [file, median(samples)]));
}

export async function bundlesSection(): Promise<Section> {
  const directory = mkdtempSync(join(tmpdir(), "bench-bundles-"));
  try {
    const sizes = await bundleAll(directory);
    const names = [...new Set(sizes.flatMap(({ name, floor }) => [name, floor]))];
    const cached = (name: string) => entryFile(directory, name);
    const plain = (name: string) => bundleFile(directory, name);
    const times = importTimes(names.flatMap((name) => [cached(name), plain(name)]));
    const ms = (file: string) => times.get(file) ?? Number.NaN;
    const kilobytes = (bytes: number) => bytes / 1000;
    return {
      title: "Cold start",
      note:
        `Import in a fresh process with the flags of Lambda, median of ${runs}, as deployed (with its code cache) and ` +
        "without a cache. The floor is an empty handler with the same SDK clients, in both ways; that of the authorizer " +
        "and of on-schedule-token-keys, which have none, loads what reading keys over TLS and signing take. Later: " +
        "packages in files of their own, read when they are wanted and not imported here. Schemas: those that zod " +
        "builds at import, with their checks, a count that no noise moves. Goals: catalog and checkout at most 400 KB " +
        "minified, import at most 1.3 × the floor that has no cache.",
      columns: [
        "function",
        "KB",
        "later KB",
        "cache KB",
        "schemas",
        "import ms",
        "without cache ms",
        "floor ms",
        "floor with cache ms",
        "× floor",
        "without cache ×",
        "× floor with cache",
      ],
      rows: sizes.map(({ name, bytes, laterBytes, cacheBytes, schemas, floor }) => [
        name,
        ...[bytes, laterBytes, cacheBytes].map(kilobytes),
        schemas,
        ms(cached(name)),
        ms(plain(name)),
        ms(plain(floor)),
        ms(cached(floor)),
        ms(cached(name)) / ms(plain(floor)),
        ms(plain(name)) / ms(plain(floor)),
        ms(cached(name)) / ms(cached(floor)),
      ]),
      pictures: {
        "cold-starts.svg": barChart({
          title: "Cold import of each function, ms",
          kinds: ["as deployed", "without code cache", "floor"],
          rows: Object.fromEntries(
            sizes.map(({ name, floor }) => [
              name,
              [ms(cached(name)), ms(plain(name)), ms(plain(floor))],
            ]),
          ),
        }),
      },
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
