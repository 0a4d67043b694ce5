import { consumers } from "#functions/consumers.ts";
import { authorizer, families } from "#functions/families.ts";
import { storefront } from "#infra/cloud/app.ts";
import { localBundles } from "#infra/local/local-bundles.ts";
import { resourcesOf } from "#test/infra/template.ts";
import cdk from "../../cdk.json" with { type: "json" };
import { prices } from "./prices.ts";
import type { Section } from "./report.ts";
import { aftermath, requestMix, supposed } from "./request-mix.ts";
import type { StorageCost } from "./storage-costs.ts";
import { measureDemoShop } from "./demo-shop-costs.ts";

const volumes = [10_000, 1_000_000, 100_000_000] as const;

/** The cost of a month, computed from the steps, capacity units and bytes that this run measured. */
export async function costsSection(): Promise<Section> {
  const perCall = averageCall(await measureDemoShop());
  const fixed = await fixedCosts();
  const items = volumes.map((calls) => monthOf(calls, perCall, fixed));
  const names = Object.keys(items[0] ?? {});
  const of = (name: string) => items.map((month) => dollars(month[name] ?? 0));
  const total = (counted: readonly string[]) =>
    items.map((month) => dollars(sum(counted.map((name) => month[name] ?? 0))));
  const own = names.filter((name) => !behindCdn.has(name));
  return {
    title: "What a month costs",
    note:
      `${prices.currency}, by the prices of ${prices.region} in ${prices.as_of}, on demand, without free tiers. ` +
      `The mix of calls and what has to be supposed stand in \`test/bench/request-mix.ts\`. ` +
      `An average call: ${perCall.steps.toFixed(2)} steps, ${perCall.readUnits.toFixed(2)} read and ` +
      `${perCall.writeUnits.toFixed(2)} write units with what follows from it, ${perCall.ms.toFixed(1)} ms, ` +
      `${(perCall.bytes / 1000).toFixed(1)} KB.`,
    columns: ["calls a month", ...volumes.map((calls) => calls.toLocaleString("en"))],
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
 * The average call of the mix.
 *
 * @throws Error when the mix names a call that was not measured, or its shares do not add up to a thousand
 */
function averageCall(measured: readonly StorageCost[]): Call {
  const costs = new Map(measured.map((cost) => [cost.endpoint, cost]));
  const shares = Object.entries(requestMix);
  const all = sum(shares.map(([, share]) => share));
  if (all !== 1000) throw new Error(`The mix is of ${all} calls and not of a thousand.`);
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

/** MB of memory at which a function gets a whole core. */
const coreMb = 1769;

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

interface FixedCosts {
  /** Dollars a month that do not depend on traffic. */
  readonly own: number;
  readonly firewall: number;
}

async function fixedCosts(): Promise<FixedCosts> {
  const context = { ...cdk.context, cdn: true, region: "us-east-1" };
  const { data, functions, operations, firewall } = await storefront(
    { authorizer, families, consumers },
    { context, bundles: await localBundles() },
  );
  const alarms = [functions, operations].flatMap((stack) =>
    resourcesOf(stack).of("AWS::CloudWatch::Alarm"),
  );
  const { month, gb } = prices;
  const rules = firewall?.ruleCount ?? 0;
  return {
    own:
      alarms.length * month.alarm +
      month.dashboard +
      resourcesOf(data).of("AWS::SecretsManager::Secret").length * month.secret +
      supposed.tableGb * (gb.tableMonth + gb.tableBackupMonth),
    firewall: month.firewall + rules * month.firewallRule + month.secret,
  };
}

const behindCdn: ReadonlySet<string> = new Set(["CloudFront", "firewall"]);

/** Dollars a month by cost item. */
function monthOf(calls: number, call: Call, fixed: FixedCosts): Record<string, number> {
  const { million, gb, lambdaGbSecond } = prices;
  const millions = calls / 1_000_000;
  const sentGb = (calls * call.bytes) / 1e9;
  const invocations = millions * (1 + call.messages);
  return {
    "API Gateway": millions * million.httpApiCalls,
    Lambda: invocations * million.lambdaCalls + calls * call.gbSeconds * lambdaGbSecond,
    "DynamoDB, reads": millions * call.readUnits * million.readUnits,
    "DynamoDB, writes": millions * call.writeUnits * million.writeUnits,
    queues: millions * call.messages * supposed.queueRequestsPerMessage * million.queueRequests,
    mails: millions * call.mails * million.mails,
    "logs and traces":
      ((calls * supposed.logBytes) / 1e9) * gb.logsTaken +
      millions * supposed.traced * million.traces,
    "data sent": sentGb * gb.sentByApi,
    "table, alarms, dashboard, secrets": fixed.own,
    CloudFront: millions * million.cdnCalls + sentGb * (gb.sentByCdn - gb.sentByApi),
    firewall: millions * million.firewallCalls + fixed.firewall,
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const dollars = (amount: number) => Math.round(amount * 100) / 100;
