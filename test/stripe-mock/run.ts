import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { freePort } from "#infra/local/emulators/free-port.ts";
import { NotToBeHad, said, startForeignServer } from "#test/support/emulators/foreign-server.ts";
import { type SentRequest, requestsIn, requestsOfWholeRun } from "./sent-requests.ts";

/**
 * Sends the requests that the functions sent to Stripe in a test run to Stripe's own mock server, which validates them
 * against Stripe's description of its API. The run is that of `STRIPE_REQUESTS`, or the last `npm run test:all`.
 *
 * Usage: npm run test:stripe-mock [-- --where-possible]
 */
const { values } = parseArgs({
  options: { "where-possible": { type: "boolean", default: false } },
});
const version = "v0.203.0";
const cache = join(import.meta.dirname, "../../node_modules/.cache", `stripe-mock-${version}`);
const program = join(cache, "stripe-mock");
const installMs = 10 * 60_000;

process.exitCode = await judge().catch((problem: unknown) => {
  if (!(problem instanceof NotToBeHad)) throw problem;
  console.error(`Stripe's mock server judged nothing: ${problem.message}`);
  return values["where-possible"] ? 0 : 1;
});

/** @returns the exit code */
async function judge(): Promise<number> {
  const file = process.env["STRIPE_REQUESTS"] ?? requestsOfWholeRun;
  const requests = requestsIn(file);
  if (!requests) throw new RangeError(`There is no ${file}: first run \`npm run test:all\`.`);
  await install();
  const port = await freePort();
  const mock = await startForeignServer(
    "stripe-mock",
    [program, "-http-addr", `127.0.0.1:${port}`],
    port,
  );
  try {
    const answers = await Promise.all(requests.map((request) => ask(mock.endpoint, request)));
    const refusals = answers.flatMap((answer) => answer ?? []);
    for (const refusal of refusals) console.error(refusal);
    console.log(`Stripe's mock server refused ${refusals.length} of ${requests.length} requests.`);
    return refusals.length > 0 || requests.length === 0 ? 1 : 0;
  } finally {
    await mock.stop();
  }
}

async function install(): Promise<void> {
  if (existsSync(program)) return;
  mkdirSync(cache, { recursive: true });
  await promisify(execFile)("go", ["install", `github.com/stripe/stripe-mock@${version}`], {
    env: { ...process.env, GOBIN: cache },
    timeout: installMs,
  }).catch((problem: unknown) => {
    throw new NotToBeHad(`Go could not install it: ${said(problem)}`);
  });
}

/** What the mock server has against a request; undefined if it accepts it. */
async function ask(
  endpoint: string,
  { method, url, content_type, body }: SentRequest,
): Promise<string | undefined> {
  const response = await fetch(endpoint + url, {
    method,
    headers: {
      authorization: "Bearer sk_test_123",
      ...(content_type && { "content-type": content_type }),
    },
    ...(body && { body }),
  });
  const answer = await response.text();
  return response.ok ? undefined : `${method} ${url} ${body}\n  ${response.status} ${answer}`;
}
