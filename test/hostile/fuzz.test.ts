// @module-tag emulator
// @module-tag slow
import { randomInt } from "node:crypto";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Stack, startStack } from "#infra/local/stack.ts";
import { type Reply, clientOf } from "#test/support/http/client.ts";
import { operationsOf, readDescription } from "#test/support/http/description.ts";
import { consumersOf, everyEffect } from "#test/support/stack/effects.ts";
import { type FuzzCallers, fuzzCallers, answersBy } from "#test/support/hostile/fuzz.ts";
import { type FuzzRequest, curlOf, fuzzRequests } from "#test/support/hostile/fuzz-requests.ts";

/** `FUZZ_SECONDS=600 FUZZ_SEED=… npm run test:hostile -- test/hostile/fuzz.test.ts` runs longer, or repeats a run. */
const seconds = Number(process.env["FUZZ_SECONDS"] ?? 20);
const seed = Number(process.env["FUZZ_SEED"] ?? randomInt(2 ** 31));

const mostAttempts = 60;

let stack: Stack;
let people: FuzzCallers;
beforeAll(async () => {
  stack = await startStack({ shop: "planted", consumers: consumersOf(everyEffect) });
  await stack.settled();
  people = await fuzzCallers(stack);
});
afterAll(() => stack.stop());

async function send(request: FuzzRequest): Promise<Reply> {
  const { described, path, headers, body } = request;
  const reply = await clientOf(stack.baseUrl).send(described.method, path, {
    ...(body !== undefined && { body }),
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(await people.headersFor(request)),
      ...headers,
    },
  });
  if (reply.status === 401) await people.renewFor(request);
  return reply;
}

test(
  `every response to random requests during ${seconds} s matches the OpenAPI document (FUZZ_SEED=${seed})`,
  async () => {
    const description = await readDescription(stack.baseUrl);
    const operations = operationsOf(description);
    const requestTo = fuzzRequests(description, await people.learn(operations));
    const wrongWith = answersBy(description);
    const requests = fc.oneof(...operations.map(requestTo));

    const end = performance.now() + seconds * 1000;
    const found = new Map<string, string>();
    const served = new Map(operations.map(({ name }) => [name, 0]));
    let sent = 0;

    // While fast-check shrinks a failing request, only attempts with the same error as that request count as failed.
    let first: string | undefined;
    let attempts = 0;
    const property = fc.asyncProperty(requests, async (request) => {
      if (first !== undefined && (attempts += 1) > mostAttempts) return;
      const reply = await send(request);
      sent += 1;
      const { name } = request.described;
      if (reply.status < 400) served.set(name, (served.get(name) ?? 0) + 1);
      const wrong = wrongWith(request, reply);
      const mistake = `${name}: ${wrong}`;
      if (wrong === undefined || found.has(mistake) || mistake !== (first ?? mistake)) return;
      first = mistake;
      throw new Error(`${mistake}\n${reply.text.slice(0, 500)}`);
    });

    for (let round = 0; performance.now() < end; round++) {
      first = undefined;
      attempts = 0;
      const outcome = await fc.check(property, {
        seed: seed + round,
        numRuns: 1_000_000,
        interruptAfterTimeLimit: Math.max(1, end - performance.now()),
      });
      const [request] = outcome.counterexample ?? [];
      if (!request || first === undefined) break;
      found.set(first, `${String(outcome.errorInstance)}\n${curlOf(stack.baseUrl, request)}`);
    }
    const never = [...served].flatMap(([name, times]) => (times === 0 ? [name] : []));
    const good = [...served.values()].reduce((sum, times) => sum + times, 0);
    console.log(
      `Seed ${seed}: ${sent} requests, ${good} served; never: ${never.join(", ") || "none"}`,
    );
    expect([...found.values()]).toEqual([]);
  },
  (seconds + 60) * 1000,
);
