import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { freePort } from "#infra/local/emulators/free-port.ts";
import { NotToBeHad } from "#test/support/emulators/foreign-server.ts";
import { manyProducts } from "./growing-catalog.ts";
import { barChart } from "./pictures.ts";
import { recentOrders } from "./recent-orders.ts";
import { type Cell, type Section, median } from "./report.ts";
import type { Target } from "./scenarios.ts";
import type { StackNews } from "./server-process.ts";
import { type Start, measuredStart } from "./start.ts";
import { environment, installVendure, version } from "./vendure/install.ts";
import { ask, vendureVisits } from "./vendure/visits.ts";
import { sendTo } from "./visit-calls.ts";
import { type Child, busy, connectionCounts, costOf, start } from "./whole-stack.ts";

const seconds = 4;
const starts = 3;
const rest = "the same, consumers at rest";

/** How many times less CPU time than Vendure a visit shall take, with 16 connections. */
const goals: Readonly<Record<string, number>> = {
  list: 20,
  facets: 19,
  search: 19,
  detail: 44,
  "new cart with a line": 3.5,
  "change a line": 1.4,
  "staff's order list": 1.5,
  "whole checkout": 1.2,
  [rest]: 1.8,
};

interface Shop {
  readonly process: Child;
  readonly target: Target & { readonly baseUrl: string };
}

/** Compares this service with Vendure. Both are measured in this run, by the same driver. */
export async function peersSection(): Promise<Section[]> {
  try {
    const folder = await installVendure();
    return [await visitsSection(folder), await startsSection(folder)];
  } catch (problem) {
    if (!(problem instanceof NotToBeHad)) throw problem;
    const note = `Skipped, because Vendure cannot run here: ${problem.message}`;
    return [{ title: "Beside Vendure", note, columns: ["visit"], rows: [] }];
  }
}

async function visitsSection(folder: string): Promise<Section> {
  const driver = start("./load-driver.ts");
  const [stack, vendure] = [start("./server-process.ts", [], ["many"]), await vendureIn(folder)];
  try {
    const ours: Shop = { process: stack, target: (await stack.news) as StackNews };
    const theirs: Shop = { process: vendure, target: await vendureTarget(vendure) };
    const rows: Cell[][] = [];
    for (const scenario of Object.keys(vendureVisits)) {
      for (const connections of connectionCounts)
        rows.push(...(await rowsOf(scenario, connections, { driver, ours, theirs })));
    }
    return {
      title: `Beside Vendure ${version} with SQLite`,
      note:
        "CPU time per visit in milliseconds, over HTTP, of all processes with their consumers and jobs; the driver is " +
        `another process. Both shops have ${manyProducts.toLocaleString("en")} products, this one also its demo shop, and ` +
        `${recentOrders} orders. Here a checkout is five calls, there seven; Vendure sends no mails. ${machine()}.`,
      columns: [
        "visit",
        "connections",
        "Vendure",
        "here",
        "of it DynamoDB's emulator",
        "times less",
        "goal",
      ],
      rows,
      pictures: { "beside-vendure.svg": picture(rows) },
    };
  } finally {
    await Promise.all([stack.stop(), vendure.stop(), driver.stop()]);
  }
}

async function rowsOf(
  scenario: string,
  connections: number,
  { driver, ours, theirs }: { driver: Child; ours: Shop; theirs: Shop },
): Promise<Cell[][]> {
  const load = { scenario, connections, seconds };
  const loadOf = ({ target }: Shop) => ({ ...load, target, baseUrl: target.baseUrl });
  const vendure = await costOf(theirs.process, driver, { ...loadOf(theirs), isVendure: true });
  const rowOf = (name: string, { ms, emulator }: { ms: number; emulator: number }): Cell[] => {
    const goal = connections === busy ? (goals[name] ?? null) : null;
    return [name, connections, vendure.ms, ms, emulator, vendure.ms / ms, goal];
  };
  const whole = rowOf(scenario, await costOf(ours.process, driver, loadOf(ours)));
  if (scenario !== "whole checkout") return [whole];
  return [whole, rowOf(rest, await costOf(ours.process, driver, loadOf(ours), { rest: true }))];
}

const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, ${new Date().toISOString().slice(0, 10)}`;

const picture = (rows: readonly Cell[][]): string =>
  barChart({
    title: `CPU ms per visit, all processes, ${busy} connections (${machine()})`,
    kinds: ["this service", `Vendure ${version} with SQLite`],
    rows: Object.fromEntries(
      rows
        .filter(([, connections]) => connections === busy)
        .map(([name, , theirs, ours]) => [String(name), [Number(ours), Number(theirs)]]),
    ),
  });

async function vendureIn(folder: string): Promise<Child> {
  const env = { ...environment, PORT: String(await freePort()) };
  const program = pathToFileURL(join(folder, "server.mjs")).href;
  return start(program, [], [], { cwd: folder, env, execPath: "node" });
}

/** Signs in, finds what the visits need, and places as many orders as this service has. */
async function vendureTarget(vendure: Child): Promise<Shop["target"]> {
  const { baseUrl } = (await vendure.news) as { baseUrl: string };
  const send = sendTo(baseUrl);
  const login = `mutation { login(username: "owner", password: "owner-bench-password") { __typename } }`;
  const { token = "" } = await ask(send, "admin-api", login);
  const { data } = await ask(
    send,
    "shop-api",
    "{ search(input: { take: 40 }) { items { slug productVariantId } } }",
  );
  const { items } = data["search"] as { items: { slug: string; productVariantId: string }[] };
  const skus = items.map(({ productVariantId }) => productVariantId);
  const target = { baseUrl, skus, slug: items[0]?.slug ?? "", sofa: "", staffToken: token };
  for (let order = 0; order < recentOrders; order++)
    await vendureVisits["whole checkout"]?.(send, target);
  return target;
}

/** How soon both are ready after `npm start`, and how much memory they hold at rest. */
async function startsSection(folder: string): Promise<Section> {
  const clone = mkdtempSync(join(tmpdir(), "bench-first-start-"));
  try {
    // A clone has nothing of earlier starts.
    execFileSync("git", ["clone", "-q", "--shared", ".", clone]);
    symlinkSync(join(process.cwd(), "node_modules"), join(clone, "node_modules"));
    const ours = { cwd: clone, env: { ...process.env, PORT: "0", DATA_DIR: "" } };
    const first = await measuredStart(ours);
    const later = await repeated(() => measuredStart(ours));
    const port = String(await freePort());
    const there = { cwd: folder, env: { ...environment, PORT: port } };
    const theirs = await repeated(() => measuredStart(there));
    return {
      title: "Starts, beside Vendure",
      note: `\`npm start\`; medians of ${starts}, but one first start, which also plants the demo shop. ${machine()}.`,
      columns: ["what", "Vendure", "here", "goal"],
      rows: [
        ["seconds until ready, first start", null, first.readySeconds, 5],
        ["seconds until ready", theirs("readySeconds"), later("readySeconds"), 2.5],
        ["resident MB at rest", theirs("restMb"), later("restMb"), 200],
        ["MB of DynamoDB's emulator beside it", null, later("emulatorMb"), null],
      ],
    };
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

async function repeated(measure: () => Promise<Start>) {
  const measured: Start[] = [];
  for (let run = 0; run < starts; run++) measured.push(await measure());
  return (name: keyof Start) => median(measured.map((each) => each[name]));
}
