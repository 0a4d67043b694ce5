import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { consumers } from "#functions/consumers.ts";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import { authorizer, families } from "#functions/families.ts";
import { type Bundled, bundle, bundleFile } from "#infra/bundle/bundle.ts";
import { declaredVariables } from "#infra/local/functions/load-function.ts";
import { type StackEnvironment, startStack } from "#infra/local/stack.ts";
import { type ColdStart, coldStart } from "./cold-start.ts";
import { type FirstCall, firstCalls } from "./first-calls.ts";
import { barChart } from "./pictures.ts";
import { type Section, median } from "./report.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const runs = 9;

/**
 * The SDK clients that a function with these permissions needs. The function cannot start faster than an empty handler
 * with the same clients, which is called its floor.
 */
function clientsOf({ permissions }: DeployedFunction): string[] {
  const has = {
    table: permissions.reads ?? permissions.writes,
    objects: permissions.buckets?.index,
    forms: permissions.buckets?.quarantine,
    links:
      permissions.buckets?.exports ??
      permissions.buckets?.inboxFiles ??
      permissions.buckets?.documents,
    queues: permissions.queues,
    mail: permissions.mails,
    // True for every family, because the framework reads the origin secret of CloudFront.
    secrets: true,
  };
  return Object.entries(has).flatMap(([client, value]) => (value ? [client] : []));
}

interface Floor extends Bundled {
  readonly clients: readonly string[];
}

const floorName = (clients: readonly string[], readsObjects: boolean) =>
  ["floor", ...clients, ...(readsObjects ? ["read"] : [])].join("-");

/** Writes a handler with these clients. It reads the table once and, with `readsObjects`, S3 once; nothing else. */
function writeFloor(folder: string, clients: readonly string[], readsObjects: boolean): Floor {
  const name = floorName(clients, readsObjects);
  const entry = join(folder, `${name}.ts`);
  const reads = clients.filter((each) => each === "table" || (each === "objects" && readsObjects));
  const imports = clients.map(
    (each) => `import * as ${each} from "#test/bench/floors/${each}.ts";`,
  );
  const handler =
    `export const commands = [${clients.map((each) => `${each}.commands`).join(", ")}];\n` +
    "export const handler = () => Promise.all([" +
    `${reads.map((each) => `${each}.read(process.env)`).join(", ")}]);`;
  writeFileSync(entry, [...imports, handler].join("\n"));
  return { name, entry, clients, parts: [], permissions: {} };
}

/** Medians over several processes per bundle. The bundles take turns, so that other load affects all of them. */
async function measure(starts: ReadonlyMap<string, ColdStart>): Promise<Map<string, number[]>> {
  const samples = new Map([...starts.keys()].map((name) => [name, [[], []] as number[][]]));
  for (let run = 0; run < runs; run++) {
    for (const [name, { file, event, environment }] of starts) {
      const { importedMs, answeredMs } = await coldStart({ file, event, environment });
      samples.get(name)?.[0]?.push(importedMs);
      samples.get(name)?.[1]?.push(answeredMs);
    }
  }
  return new Map([...samples].map(([name, lists]) => [name, lists.map(median)]));
}

/** The environment variables of a function in this stack, without the keys that a deployed function reads from AWS. */
const environmentOf = (of: DeployedFunction, environment: StackEnvironment) =>
  declaredVariables(of, environment);

/** The number of lines in `infra/bundle`, the code that makes bundles from the sources. */
const linesOfBundling = () =>
  globSync("infra/bundle/*.ts", { cwd: root })
    .map((file) => readFileSync(join(root, file), "utf8").split("\n").length - 1)
    .reduce((sum, lines) => sum + lines, 0);

export async function bundlesSection(): Promise<Section> {
  mkdirSync(join(root, ".local"), { recursive: true });
  // Inside the project, so that native packages are found.
  const directory = mkdtempSync(join(root, ".local/bench-"));
  const stack = await startStack({ shop: "planted" });
  try {
    const functions: readonly DeployedFunction[] = [authorizer, ...families, ...consumers];
    const calls = await firstCalls(stack.environment);
    const floors = new Map<string, Floor>();
    for (const { family, readsObjects } of calls) {
      const clients = clientsOf(family);
      const floor = writeFloor(directory, clients, readsObjects);
      floors.set(floor.name, floor);
    }
    await bundle([...functions, ...floors.values()], directory);
    const starts = new Map<string, ColdStart>();
    const nameOfFloor = ({ family, readsObjects }: FirstCall) =>
      floorName(clientsOf(family), readsObjects);
    for (const call of calls) {
      const environment = environmentOf(call.family, stack.environment);
      const { name } = call.family;
      starts.set(call.route, { file: bundleFile(directory, name), event: call.event, environment });
      const floor = nameOfFloor(call);
      starts.set(floor, {
        file: bundleFile(directory, floor),
        event: {},
        environment: { ...starts.get(floor)?.environment, ...environment },
      });
    }
    const times = await measure(starts);
    const of = (name: string) => times.get(name) ?? [Number.NaN, Number.NaN];
    const rows = calls.map((call) => {
      const [imported = 0, answered = 0] = of(call.route);
      const [floorImported = 0, floorAnswered = 0] = of(nameOfFloor(call));
      const { name } = call.family;
      return [
        name,
        call.route,
        statSync(bundleFile(directory, name)).size / 1000,
        imported,
        floorImported,
        imported / floorImported,
        answered,
        floorAnswered,
        answered / floorAnswered,
      ] as const;
    });
    return {
      title: "Cold start",
      note:
        `Medians of ${runs} new processes. Import is that of the bundle; first answer is import and first call, with ` +
        "its storage. The floor is an empty handler with the same SDK clients that reads the table once, and one " +
        "object if the call does. Goals for the first answer: at most 1.8 × the floor for GET /products, " +
        "GET /products/{slug} and GET /cart, 2.5 × for every other family; for the import, 2.6 ×. Lines of code that make the bundles " +
        `(infra/bundle): ${linesOfBundling()}.`,
      columns: [
        "function",
        "first call",
        "KB",
        "import ms",
        "floor ms",
        "× floor",
        "first answer ms",
        "floor ms",
        "× floor",
      ],
      rows,
      pictures: {
        "cold-starts.svg": barChart({
          title: "A new process to its first answer, ms",
          kinds: ["function", "floor"],
          rows: Object.fromEntries(
            rows.map(([name, route, , , , , answered, floor]) => [
              `${name} ${route}`,
              [answered, floor],
            ]),
          ),
        }),
      },
    };
  } finally {
    await stack.stop();
    rmSync(directory, { recursive: true });
  }
}
