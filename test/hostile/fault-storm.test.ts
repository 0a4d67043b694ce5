// @module-tag emulator
// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { aftermathOf, stormChecks } from "#test/support/hostile/storm-checks.ts";
import type { Fault, FaultScript } from "#test/support/emulators/dynamodb-proxy.ts";
import { type FragileStack, startFragileStack } from "#test/support/stack/fragile-stack.ts";
import { allMails } from "#test/support/emulators/inbox.ts";
import { worldOf, staffClient } from "#test/support/people/people.ts";
import { plantCoupon, plantProduct, tableOf } from "#test/support/shop/plant.ts";
import { aPerson } from "#test/support/shop/shopping.ts";
import { openChat, type StormGround, dice, stormLoad } from "#test/support/hostile/storm-load.ts";
import { stripeAt } from "#test/support/emulators/stripe.ts";
import { waitUntil } from "#test/support/stack/wait-until.ts";

const concurrency = 12;
const units = 150;
const seed = 20_261_124;
/** The percentage of calls to the table that get a fault. */
const faultShare = 5;

let fragile: FragileStack;
let ground: StormGround;
beforeAll(async () => {
  fragile = await startFragileStack();
  const { baseUrl, environment } = fragile.stack;
  const table = tableOf(environment);
  ground = {
    baseUrl,
    environment,
    staff: await staffClient(baseUrl, worldOf(environment), "owner"),
    products: await Promise.all([1, 2, 3].map(() => plantProduct(table, { units }))),
    coupon: (await plantCoupon(table, { max_uses: 60, max_uses_per_customer: 50 })).code,
    people: Array.from({ length: 40 }, aPerson),
    seed,
  };
});
afterAll(() => fragile.stop());

const sorted = (texts: readonly string[]) =>
  texts.toSorted((one, other) => (one < other ? -1 : Number(one > other)));

/** Partitions of rows whose update failed, or may have failed for the worker, who only lost the response. */
const inDoubt = new Set<string>();

/** Some requests fail, some responses are lost, and some are slow. */
function bad(): FaultScript {
  const roll = dice(seed);
  const onTheWay: Fault[] = ["reset", "server-error", "throttled"];
  const onTheWayBack: Fault[] = ["answer-lost", "slow"];
  return ({ operation, partitions }) => {
    if (roll(100) >= faultShare) return undefined;
    const conflicts: Fault[] = operation === "TransactWriteItems" ? ["conflict"] : [];
    const faults = [...onTheWay, ...onTheWayBack, ...conflicts];
    if (operation === "UpdateItem") for (const partition of partitions) inDoubt.add(partition);
    return faults[roll(faults.length)];
  };
}

test("every confirmed order persists despite random storage faults, and counters and mails match the orders", async () => {
  const { stack, proxy } = fragile;
  const stripe = stripeAt(stack.environment.STRIPE_API_URL);
  const storm = stormLoad(ground);
  const checks = stormChecks(ground, units);
  const chat = await openChat(ground);
  const after = aftermathOf(stack.environment);

  /** Runs operations. Calls without a response are part of the storm and do not end it. */
  async function operations(count: number): Promise<void> {
    let left = count;
    const worker = async () => {
      while (left-- > 0) {
        const operate = storm.roll(5) === 0 ? storm.browse : storm.operate;
        await operate().catch((error: unknown) => lost.push(error));
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }
  const lost: unknown[] = [];

  const { calls } = await proxy.disturb(bad(), async () => {
    await operations(40);
    fragile.failMail();
    await Promise.all([chat.away(4), chat.write(), operations(30)]);
    await Promise.all([fragile.crashTable(), operations(10)]);
    await Promise.all([fragile.restartTable(), operations(30)]);
    fragile.recoverMail();
    await chat.write();
    for (const fault of ["reset", "server_error", "answer_lost", "too_many"] as const) {
      await stripe.fail({ fault, times: 5 });
    }
    await operations(30);
    await stack.pauseConsumers();
    await chat.write();
    await Promise.all([fragile.crashTable(), operations(10)]);
    await Promise.all([fragile.restartTable(), operations(30)]);
    stack.resumeConsumers();
    await operations(20);
  });
  await stripe.heal();
  await stripe.quiet();

  // The only server error is 503, which asks the caller to retry.
  const broken = storm.answers.filter(({ status }) => status >= 500 && status !== 503);
  expect(broken).toEqual([]);
  expect(storm.answers.filter(({ status }) => status === 503).length).toBeGreaterThan(0);

  // Every order exists once and belongs to its own cart.
  const there = (await Promise.all(ground.people.map(after.ordersOf))).flat();
  const carts = await Promise.all(storm.checkouts.map(({ cartToken }) => after.cart(cartToken)));
  const made = carts.flatMap((cart) =>
    cart?.status === "converted" ? [String(cart.order_id)] : [],
  );
  expect(sorted(made)).toEqual(sorted(there));
  const answered = storm.checkouts.flatMap(({ answered }) => answered ?? []);
  expect(there).toEqual(expect.arrayContaining(answered));
  expect(new Set(answered).size).toBe(answered.length);

  // Lets timers and claims come to their end, until no mail, message or order check is waiting.
  await after.checkOrders(there);
  await waitUntil(
    async () => {
      await stack.pauseConsumers();
      await after.endClaims();
      stack.resumeConsumers();
      await chat.expectSentOnce();
      const waiting = (await after.outbox()).filter(({ state }) => state === "waiting");
      expect([waiting.map(({ id }) => id), await after.overdue()]).toEqual([[], 0]);
    },
    { interval: 300 },
  );
  await stack.settled();
  expect(await after.deadLetters()).toEqual({});
  await checks.expectAllAgrees(await checks.settled(there));

  // Calls to the crashed table have no response.
  for (const { operation, partitions, arrivedAt, answeredAt } of calls) {
    if (operation !== "UpdateItem" || answeredAt > arrivedAt) continue;
    for (const partition of partitions) inDoubt.add(partition);
  }

  // Every outbox event was mailed, and again only by another attempt after the mark of the first may have been lost.
  const mailedEvents = (await after.outbox()).filter(({ state }) => state === "sent");
  const mails = await allMails(stack.environment.SES_ENDPOINT);
  const mailed = mails.map(
    ({ headers }) => headers.find(({ name }) => name === "X-Entity-Ref-ID")?.value ?? "",
  );
  expect(sorted([...new Set(mailed)])).toEqual(sorted(mailedEvents.map(({ id }) => id)));
  const copies = Map.groupBy(mailed, (id) => id);
  const repeated = mailedEvents.filter(({ id }) => (copies.get(id)?.length ?? 0) > 1);
  console.log(`${mailedEvents.length} events mailed, ${repeated.length} of them more than once`);
  for (const { id, attempts } of repeated) {
    expect([id, inDoubt.has(`OUTBOX#${id}`)]).toEqual([id, true]);
    expect(copies.get(id)?.length).toBeLessThanOrEqual(attempts);
  }
  await chat.expectSentOnce();
  after.close();
});
