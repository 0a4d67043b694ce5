import type { Stack } from "aws-cdk-lib";
import { consumers } from "#functions/consumers.ts";
import { authorizer, families } from "#functions/families.ts";
import { storefront } from "#infra/cloud/app.ts";
import { localBundles } from "#infra/local/functions/local-bundles.ts";
import { resourcesOf } from "#test/infra/template.ts";
import cdk from "../../cdk.json" with { type: "json" };
import { prices } from "./prices.ts";
import type { Section } from "./report.ts";
import { aftermath, coreMb, requestMix, supposed } from "./request-mix.ts";
import type { StorageCost } from "./storage-costs.ts";
import { measureDemoShop } from "./demo-shop-costs.ts";

const million = 1_000_000;
const volumes = [10_000, 1_000_000, 100_000_000] as const;

/** The cost of a month, computed from the steps, capacity units and bytes that this run measured. */
export async function costsSection(): Promise<Section> {
  const perCall = averageCall(await measureDemoShop());
  const fixed = await fixedCosts();
  const month = (calls: number) => monthOf(calls, perCall, fixed);
  const before = month(9 * million);
  const tenth = Object.entries(month(10 * million)).map(
    ([name, amount]) => [name, amount - (before[name] ?? 0)] as const,
  );
  const items = [...volumes.map(month), Object.fromEntries(tenth)];
  const names = Object.keys(items[0] ?? {});
  const of = (name: string) => items.map((item) => dollars(item[name] ?? 0));
  const total = (counted: readonly string[]) =>
    items.map((item) => dollars(sum(counted.map((name) => item[name] ?? 0))));
  const own = names.filter((name) => !behindCdn.has(name));
  return {
    title: "What a month costs",
    note:
      `${prices.currency}, by the prices of ${prices.region} in ${prices.as_of}, on demand, without free tiers. ` +
      `\`test/bench/request-mix.ts\` states the mix of calls and the assumptions. ` +
      `An average call: ${perCall.steps.toFixed(2)} steps, ${perCall.readUnits.toFixed(2)} read and ` +
      `${perCall.writeUnits.toFixed(2)} write units including consumers, ${perCall.ms.toFixed(1)} ms, ` +
      `${(perCall.bytes / 1000).toFixed(1)} KB.`,
    columns: [
      "calls a month",
      ...volumes.map((calls) => calls.toLocaleString("en")),
      "the tenth million alone",
    ],
    rows: [
      ...own.map((name) => [name, ...of(name)]),
      ["total", ...total(own)],
      ...[...behindCdn].map((name) => [name, ...of(name)]),
      ["total, with CloudFront and firewall", ...total(names)],
    ],
  };
}

interface Call {
  readonly steps: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly bytes: number;
  readonly ms: number;
  readonly gbSeconds: number;
  readonly messages: number;
  readonly mails: number;
}

/**
 * The average call of the request mix.
 *
 * @throws Error when the mix names a call that was not measured, or its shares do not add up to a thousand
 */
function averageCall(measured: readonly StorageCost[]): Call {
  const costs = new Map(measured.map((cost) => [cost.endpoint, cost]));
  const shares = Object.entries(requestMix);
  const all = sum(shares.map(([, share]) => share));
  if (all !== 1000) throw new Error(`The request mix must have 1,000 calls, but has ${all}.`);
  const calls = shares.map(([endpoint, share]) => {
    const cost = costs.get(endpoint);
    if (!cost) throw new Error(`${endpoint} was not measured.`);
    return { share: share / all, call: callOf(cost) };
  });
  const average = (of: (call: Call) => number) =>
    sum(calls.map(({ share, call }) => share * of(call)));
  return {
    steps: average(({ steps }) => steps),
    readUnits: average(({ readUnits }) => readUnits),
    writeUnits: average(({ writeUnits }) => writeUnits),
    bytes: average(({ bytes }) => bytes),
    ms: average(({ ms }) => ms),
    gbSeconds: average(({ gbSeconds }) => gbSeconds),
    messages: average(({ messages }) => messages),
    mails: average(({ mails }) => mails),
  };
}

function callOf({ endpoint, steps, readUnits, writeUnits, bytes }: StorageCost): Call {
  const later = aftermath[endpoint] ?? { messages: 0, readUnits: 0, writeUnits: 0, mails: 0 };
  const { messages, mails } = later;
  const memoryMb = memoryOf(endpoint);
  const ms =
    steps * supposed.stepMs +
    supposed.ownMs * Math.max(1, coreMb / memoryMb) +
    supposed.coldStarts * supposed.coldStartMs;
  return {
    steps,
    readUnits: readUnits + later.readUnits,
    writeUnits: writeUnits + later.writeUnits,
    bytes,
    ms,
    gbSeconds:
      (ms / 1000) * (memoryMb / 1024) + messages * (supposed.messageMs / 1000) * supposed.messageGb,
    messages,
    mails,
  };
}

function memoryOf(endpoint: string): number {
  const [key] = endpoint.split(",");
  const family = families.find(({ routes }) =>
    routes.some(({ method, path }) => `${method} ${path}` === key),
  );
  if (!family) throw new Error(`No family answers ${endpoint}.`);
  return family.memoryMb;
}

/** Costs that do not depend on traffic, in dollars a month. */
interface FixedCosts {
  readonly alarms: number;
  readonly dashboards: number;
  readonly stored: number;
  readonly polling: number;
  readonly feeds: number;
  readonly cdnAlarms: number;
  readonly firewall: number;
}

async function fixedCosts(): Promise<FixedCosts> {
  const context = { ...cdk.context, cdn: true, region: "us-east-1" };
  const { data, functions, operations, firewall, edge } = await storefront(
    { authorizer, families, consumers },
    { context, bundles: await localBundles() },
  );
  const count = (type: string, ...stacks: (Stack | undefined)[]) =>
    sum(stacks.map((stack) => (stack ? resourcesOf(stack).of(type).length : 0)));
  const alarm = "AWS::CloudWatch::Alarm";
  const { month, gb } = prices;
  return {
    alarms: count(alarm, functions, operations) * month.alarm,
    dashboards: count("AWS::CloudWatch::Dashboard", operations) * month.dashboard,
    stored:
      count("AWS::SecretsManager::Secret", data) * month.secret +
      supposed.tableGb * (gb.tableMonth + gb.tableBackupMonth),
    polling: pollingCost(),
    feeds: feedsCost(),
    cdnAlarms: count(alarm, edge) * month.alarm,
    firewall: month.firewall + (firewall?.ruleCount ?? 0) * month.firewallRule + month.secret,
  };
}

const monthMinutes = 30 * 24 * 60;

/** The cost of polling empty queues and of idle schedules, in dollars a month. Lambda reads streams for free. */
function pollingCost(): number {
  const { million: per, lambdaGbSecond } = prices;
  const costs = consumers.map(({ source, memoryMb }) => {
    if (source.kind === "queue")
      return (monthMinutes * supposed.pollsPerMinute * per.queueRequests) / million;
    if (source.kind === "stream") return 0;
    const runs = monthMinutes / source.everyMinutes;
    const perRun = (per.lambdaCalls + supposed.scheduleUnits * per.readUnits) / million;
    return runs * (perRun + (supposed.scheduleMs / 1000) * (memoryMb / 1024) * lambdaGbSecond);
  });
  return sum(costs);
}

/** The cost of writing the sitemaps and the product feed after changes, in dollars a month. */
function feedsCost(): number {
  const { million: per, lambdaGbSecond } = prices;
  const { feedProducts, feedUnitsPerProduct, feedMsPerProduct, feedFiles } = supposed;
  const { memoryMb = coreMb } = consumers.find(({ name }) => name === "on-schedule-feeds") ?? {};
  const seconds = (feedProducts * feedMsPerProduct) / 1000;
  const perRun =
    (feedProducts * feedUnitsPerProduct * per.readUnits + feedFiles * per.objectWrites) / million +
    seconds * (memoryMb / 1024) * lambdaGbSecond;
  return 30 * supposed.feedRunsPerDay * perRun;
}

/** How many of a month's calls X-Ray traces. */
function tracedOf(calls: number): number {
  const seconds = monthMinutes * 60;
  const first = Math.min(calls, seconds);
  return first + (calls - first) * supposed.tracedShare;
}

/** The read units that instances use to check whether the records in their memory are current. */
const checkUnits = (calls: number) =>
  2 * Math.min(calls, (supposed.rememberingInstances * monthMinutes * 60) / 2);

const behindCdn: ReadonlySet<string> = new Set(["CloudFront", "firewall (WAF)"]);

/** Dollars a month by cost item. */
function monthOf(calls: number, call: Call, fixed: FixedCosts): Record<string, number> {
  const { million: per, gb, lambdaGbSecond } = prices;
  const millions = calls / million;
  const sentGb = (calls * call.bytes) / 1e9;
  const invocations = millions * (1 + call.messages);
  return {
    "API Gateway": millions * per.httpApiCalls,
    Lambda: invocations * per.lambdaCalls + calls * call.gbSeconds * lambdaGbSecond,
    "DynamoDB, reads": (millions * call.readUnits + checkUnits(calls) / million) * per.readUnits,
    "DynamoDB, writes": millions * call.writeUnits * per.writeUnits,
    queues: millions * call.messages * supposed.queueRequestsPerMessage * per.queueRequests,
    mails: millions * call.mails * per.mails,
    logs: ((calls * supposed.logBytes) / 1e9) * gb.logsTaken,
    "traces (X-Ray)": (tracedOf(calls) / million) * per.traces,
    "data sent": sentGb * gb.sentByApi,
    "polling of queues, schedules": fixed.polling,
    "sitemaps, product feed": fixed.feeds,
    alarms: fixed.alarms,
    dashboards: fixed.dashboards,
    "table's storage and backup, secrets": fixed.stored,
    CloudFront: millions * per.cdnCalls + sentGb * (gb.sentByCdn - gb.sentByApi) + fixed.cdnAlarms,
    "firewall (WAF)": millions * per.firewallCalls + fixed.firewall,
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const dollars = (amount: number) => Math.round(amount * 100) / 100;
