import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { smoke } from "#infra/cli/smoke.ts";
import { startStack } from "#infra/local/stack.ts";
import {
  failedChangeIsCounted,
  failedMessages,
  invokeSchedules,
  loggedErrors,
  settled,
} from "./checks.ts";
import { compareReads } from "./compare.ts";
import {
  type Outputs,
  bootstrap,
  deploy,
  destroy,
  owner,
  plantShop,
  regions,
  restore,
  signUpOwner,
  synthesize,
  synthesizeForAws,
} from "./deployment.ts";
import { type MiniStack, NoMiniStack, inRegion, startMiniStack } from "./ministack.ts";
import { stripTemplates } from "./strip-templates.ts";
import { type DeploymentForm, strips } from "./strips.ts";

const { values } = parseArgs({
  options: {
    /** Only deploys, plants the demo shop and runs the smoke test. */
    short: { type: "boolean", default: false },
    /** In CI, a machine without Python is no failure. */
    "where-possible": { type: "boolean", default: false },
    /** Deploys once without each strip, to see what a new version of MiniStack has learnt. */
    "without-strips": { type: "boolean", default: false },
  },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => process.exit(1));

const startedAt = performance.now();
const print = (line: string) =>
  console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s  ${line}`);

/** Prints the duration of a step, and what it found. */
async function step<Result>(
  name: string,
  act: () => Promise<Result>,
  found: (result: Result) => string = () => "",
): Promise<Result> {
  const result = await act();
  print(name + found(result));
  return result;
}

/** @throws Error with the findings, if there are any */
function expectNone(what: string, findings: readonly string[]): void {
  if (findings.length > 0) throw new Error(`${what}:\n${findings.join("\n")}`);
}

async function expectSmoke({ baseUrl: url }: Outputs): Promise<void> {
  const options = { postalCode: "560001", staff: { ...owner, totpSecret: undefined } };
  const lines: string[] = [];
  if (!(await smoke({ url, ...options }, (line) => lines.push(line)))) {
    throw new Error(`The smoke test failed:\n${lines.join("\n")}`);
  }
}

/**
 * Calls the shop until the work is done.
 *
 * @returns the number of calls
 * @throws Error with the answers that failed meanwhile
 */
async function whileCalling({ baseUrl: url }: Outputs, work: Promise<unknown>): Promise<number> {
  const failures: string[] = [];
  let sent = 0;
  const done = new AbortController();
  const calls = ["bootstrap", "products", "search?q=sofa", "sofas"].map(async (path) => {
    while (!done.signal.aborted) {
      const outcome = await fetch(`${url}/api/v1/${path}`).then(({ status }) => status, String);
      sent += 1;
      if (outcome !== 200) failures.push(`${path}: ${outcome}`);
    }
  });
  await work.finally(() => done.abort());
  await Promise.all(calls);
  expectNone("Calls failed during the release", failures);
  return sent;
}

/** The local stack with the same demo shop answers every GET as the deployed shop does. */
async function expectSameReads({ baseUrl: url }: Outputs): Promise<number> {
  const local = await startStack({ shop: "planted" });
  try {
    await local.settled();
    const { compared, differences } = await compareReads(url, local.baseUrl);
    expectNone("Answers differ from the local stack's", differences);
    return compared;
  } finally {
    await local.stop();
  }
}

/** MiniStack's CloudFront calls no API, so only calls past it can be tried. */
async function expectRefused({ baseUrl }: Outputs): Promise<void> {
  const { status } = await fetch(`${baseUrl}/api/v1/products`);
  if (status !== 403) throw new Error(`A call past CloudFront was answered with ${status}.`);
}

/** Runs every schedule once. Returns what was checked, in words. */
async function expectNoFailures(): Promise<string> {
  await settled();
  const { invoked, failures } = await invokeSchedules();
  expectNone("Scheduled functions failed", failures);
  await settled();
  const { queues, messages } = await failedMessages();
  expectNone("Messages have failed", messages);
  const { groups, errors } = await loggedErrors();
  expectNone("Functions have logged errors", errors);
  return `${invoked} schedules ran, 0 messages in ${queues} dead letter queues, 0 errors in ${groups} logs`;
}

async function rehearse(aws: MiniStack, scratch: string): Promise<void> {
  const out = (name: string) => join(scratch, name);
  await step("bundled and synthesized", () => synthesize(out("first"), "plain"));
  await step("bootstrapped", () => bootstrap(out("first"), aws));
  const first = await step("deployed", () => deploy(out("first"), aws));
  await step("first owner signed up", () => signUpOwner(first));
  await step("demo shop planted", async () => {
    await plantShop(first, aws);
    await settled();
  });
  if (!values.short) {
    await step(
      "GETs answered as by the local stack: ",
      () => expectSameReads(first),
      (compared) => `${compared}, of which 0 differ`,
    );
  }
  await step("smoke test passed", () => expectSmoke(first));
  if (!values.short) {
    await step("a failed change is counted", () => failedChangeIsCounted(first));
    await synthesize(out("second"), "plain", ["release=2"]);
    await step(
      "second release deployed meanwhile: ",
      () => whileCalling(first, deploy(out("second"), aws)),
      (sent) => `${sent} calls, 0 failed`,
    );
    const table = await step("restored", () => restore(first, aws));
    await synthesize(out("restored"), "plain", [`table=${table}`, "release=3"]);
    const restored = await step("restored table deployed", () => deploy(out("restored"), aws));
    await step("smoke test passed on it", () => expectSmoke(restored));
  }
  print(await expectNoFailures());
  if (values.short) return;

  const edge = inRegion(aws, regions.cdn);
  await synthesize(out("cdn"), "cdn");
  await bootstrap(out("cdn"), edge);
  const behindCdn = await step("deployed behind CloudFront", () => deploy(out("cdn"), edge));
  await step("calls past CloudFront are refused", () => expectRefused(behindCdn));
  await step("destroyed", () => destroy(out("cdn"), edge));
  await step("deployed again", () => deploy(out("cdn"), edge));
}

/** What shows that a deployment works: an owner, the demo shop, the smoke test, and no failure. */
async function tryShop(shop: Outputs, aws: MiniStack): Promise<void> {
  await signUpOwner(shop);
  await plantShop(shop, aws);
  await settled();
  await expectSmoke(shop);
  await expectNoFailures();
}

/** Deploys without one strip at a time, and prints which are still needed. */
async function tryWithoutStrips(scratch: string): Promise<void> {
  const asForAws = (form: DeploymentForm) => join(scratch, form);
  for (const form of new Set(strips.map((strip) => strip.form)))
    await synthesizeForAws(asForAws(form), form);
  for (const { name, form, reason } of strips) {
    const out = join(scratch, name.replaceAll(" ", "-"));
    cpSync(asForAws(form), out, { recursive: true });
    stripTemplates(out, form, [name]);
    const log = join(scratch, "ministack.log");
    const aws = inRegion(await startMiniStack({ log }), regions[form]);
    const problem = await bootstrap(out, aws)
      .then(() => deploy(out, aws))
      .then((shop) => (form === "cdn" ? undefined : tryShop(shop, aws)))
      .then(() => undefined, String)
      .finally(() => aws.stop());
    rmSync(out, { recursive: true });
    print(problem === undefined ? `needless: ${name}` : `needed: ${name} (${reason})`);
  }
}

createRequire(import.meta.url)("./host-names.cjs");
// The local stack's functions log into this process.
process.env["POWERTOOLS_LOG_LEVEL"] ??= "WARN";
const scratch = mkdtempSync(join(tmpdir(), "furniture-rehearsal-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
let aws: MiniStack | undefined;
try {
  if (values["without-strips"]) await tryWithoutStrips(scratch);
  else {
    aws = await startMiniStack({ log: join(scratch, "ministack.log") });
    await rehearse(inRegion(aws, regions.plain), scratch);
  }
} catch (problem) {
  if (problem instanceof NoMiniStack) {
    console.error(`Nothing was rehearsed: MiniStack cannot be had here (${problem.message}).`);
    process.exitCode = values["where-possible"] ? 0 : 1;
  } else {
    console.error(problem);
    process.exitCode = 1;
  }
} finally {
  await aws?.stop();
}
