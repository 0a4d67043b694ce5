import { type Family, families } from "#functions/families.ts";
import { sourceFunctions } from "#infra/local/functions/load-function.ts";
import type { StackEnvironment } from "#infra/local/stack.ts";
import { type Route, routeKey } from "#shared/http/route.ts";
import { everyRoute, guestSends } from "../http/every-route.ts";
import { aContext, anEvent, type EventParts, type invoke } from "../http/in-process.ts";
import { type World, signedIn, worldOf } from "../people/people.ts";

/** The CPU time of a call in the function's thread, and its response. */
interface Priced {
  readonly micros: number;
  readonly status: number;
  readonly bytes: number;
}

export type PricedCall = (parts: EventParts) => Promise<Priced>;

/** Calls route handlers in this thread, where their CPU time can be measured. */
export function pricedCalls(environment: StackEnvironment): (route: Route) => Promise<PricedCall> {
  const world = worldOf(environment);
  const handlers = new Map<Family, Promise<Handler>>();
  let calls = 0;

  return async (route) => {
    const family = families.find(({ routes }) => routes.includes(route as never));
    if (!family) throw new Error(`No family has ${routeKey(route)}`);
    const loaded = handlers.get(family) ?? load(family, environment);
    handlers.set(family, loaded);
    const handler = await loaded;
    const verdict = await verdictFor(world, route);
    // Not a proof of any order, so that a guest's request is read although it is refused.
    const proof = Object.fromEntries(guestSends(route).map((name) => [name, "x"]));
    return async (parts) => {
      calls += 1;
      // Each call uses its own IP address, to stay below rate limits.
      const ip = `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`;
      const headers = { ...proof, ...parts.headers };
      const event = anEvent(routeKey(route), {
        ip,
        ...parts,
        headers,
        ...(verdict && { verdict }),
      });
      const context = aContext();
      const before = process.threadCpuUsage();
      const { statusCode = 0, body = "" } = await handler(event, context);
      const { user, system } = process.threadCpuUsage(before);
      return { micros: user + system, status: statusCode, bytes: Buffer.byteLength(body) };
    };
  };
}

/** The least CPU time of several equal calls, in microseconds. */
export async function cheapest(
  call: PricedCall,
  parts: EventParts,
  times: number,
): Promise<number> {
  let least = Infinity;
  for (let turn = 0; turn < times; turn++) least = Math.min(least, (await call(parts)).micros);
  return least;
}

/** The cost of refusing a body with as many values as a body may hold, in an unknown member. */
export async function referenceRefusal(callsOf: ReturnType<typeof pricedCalls>): Promise<number> {
  const plain = everyRoute.find(({ key }) => key === "POST /api/v1/leads");
  if (!plain) throw new Error("The route for the reference measurement does not exist");
  const surprise = Array.from({ length: 9_990 }, () => 0);
  return cheapest(await callsOf(plain.route), { body: { surprise } }, 10);
}

type Handler = Parameters<typeof invoke>[0];

const load = async (family: Family, environment: StackEnvironment): Promise<Handler> =>
  (await sourceFunctions.family(family, environment)).handler as Handler;

async function verdictFor(world: World, { access }: Route) {
  if (access.guard !== "customer" && access.guard !== "staff") return undefined;
  const { claims } = await signedIn(world, access.guard);
  const { guard, subject, session, role } = claims;
  return { guard, subject, session, ...(role !== null && { role }) };
}
