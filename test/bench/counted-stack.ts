import { consumers } from "#functions/consumers.ts";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import { startDynamoDb } from "#infra/local/emulators/dynamodb.ts";
import type { Environment } from "#infra/local/functions/load-consumer.ts";
import { sourceFunctions } from "#infra/local/functions/load-function.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import { type CountingProxy, startCountingProxy } from "./counting-proxy.ts";
import { type StorageCall, totalUnits } from "#test/support/emulators/dynamodb-calls.ts";
import { type DynamoDbProxy, startDynamoDbProxy } from "#test/support/emulators/dynamodb-proxy.ts";
import { consumersOf, everyEffect } from "#test/support/stack/effects.ts";
import { coreMb, supposed } from "./request-mix.ts";

/** What some work needed of each service, with the effects that it caused. */
export interface Used {
  readonly apiCalls: number;
  readonly invocations: number;
  readonly gbSeconds: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly queueRequests: number;
  readonly objectReads: number;
  readonly objectWrites: number;
  readonly mails: number;
}

interface Watched {
  readonly memoryMb: number;
  readonly isApi: boolean;
  /** Whether Lambda receives its events from a queue, and deletes them. */
  readonly isQueued: boolean;
  readonly proxy: DynamoDbProxy;
  invocations: number;
}

const sharedParts = ["S3_ENDPOINT", "SQS_ENDPOINT", "SES_ENDPOINT"] as const;
/** What runs at its own times is not caused by the work. */
const withoutSchedules = consumersOf(everyEffect).filter(
  ({ source }) => source.kind !== "schedule",
);
const queued = new Set(
  consumers.filter(({ source }) => source.kind === "queue").map(({ name }) => name),
);

/** Starts the service without its schedules, with proxies that count what each function needs. */
export async function startCountedStack(): Promise<{
  stack: Stack;
  /** Does the work, waits for its effects, and returns what both needed. */
  used(work: () => Promise<void>): Promise<Used>;
  stop(): Promise<void>;
}> {
  const started: { stop(): unknown }[] = [];
  const stop = async () => {
    for (const part of started.toReversed()) await part.stop();
  };
  const watched = new Map<string, Watched>();
  const shared = new Map<string, Promise<CountingProxy>>();
  const dynamoDb = await startDynamoDb({ tableName: "counted", dropTable: true });
  started.push(dynamoDb);

  /** The environment of a function, with the proxies in front of what it calls. */
  async function watchedEnvironment(of: DeployedFunction, isApi: boolean, all: Environment) {
    const proxy = await startDynamoDbProxy(dynamoDb.endpoint);
    started.push(proxy);
    const { name, memoryMb } = of;
    watched.set(name, { memoryMb, isApi, isQueued: queued.has(name), proxy, invocations: 0 });
    const endpoints: Record<string, string> = { DYNAMODB_ENDPOINT: proxy.endpoint };
    for (const part of sharedParts) {
      const target = all[part];
      if (target === undefined) continue;
      if (!shared.has(part)) shared.set(part, startCountingProxy(target));
      endpoints[part] = (await shared.get(part)!).endpoint;
    }
    return { ...all, ...endpoints };
  }
  function noted<Handler extends (...call: never[]) => unknown>(name: string, own: Handler) {
    return ((...call) => {
      watched.get(name)!.invocations += 1;
      return own(...call);
    }) as Handler;
  }
  const stack = await startStack({
    dynamoDbEndpoint: dynamoDb.endpoint,
    tableName: dynamoDb.tableName,
    consumers: withoutSchedules,
    functions: {
      ...sourceFunctions,
      async family(family, environment) {
        const all = await watchedEnvironment(family, true, environment);
        const own = await sourceFunctions.family(family, all);
        return { ...own, handler: noted(family.name, own.handler) };
      },
      async consumer(consumer, environment) {
        const all = await watchedEnvironment(consumer, false, environment);
        const own = await sourceFunctions.consumer(consumer, all);
        return { ...own, handler: noted(consumer.name, own.handler) };
      },
    },
  });
  started.push(stack);

  const passedOn = async () =>
    new Map(
      await Promise.all(
        Array.from(shared, async ([part, proxy]) => [part, (await proxy).counted()] as const),
      ),
    );

  async function used(work: () => Promise<void>): Promise<Used> {
    const functions = [...watched.values()];
    const invokedBefore = functions.map(({ invocations }) => invocations);
    const before = await passedOn();
    const callsOf = await recorded(functions, async () => {
      await work();
      await stack.settled();
    });
    const after = await passedOn();
    const passed = (part: (typeof sharedParts)[number], kind: "reads" | "writes") =>
      (after.get(part)?.[kind] ?? 0) - (before.get(part)?.[kind] ?? 0);
    const invoked = functions.map(
      ({ invocations }, position) => invocations - (invokedBefore[position] ?? 0),
    );
    const sum = (of: (each: Watched, invocations: number, position: number) => number) =>
      functions.reduce(
        (total, each, position) => total + of(each, invoked[position] ?? 0, position),
        0,
      );
    const { read, write } = totalUnits(callsOf.flat());
    return {
      apiCalls: sum(({ isApi }, invocations) => (isApi ? invocations : 0)),
      invocations: sum((_each, invocations) => invocations),
      gbSeconds: sum(({ memoryMb }, invocations, position) => {
        const ownMs = supposed.ownMs * Math.max(1, coreMb / memoryMb);
        const ms = invocations * ownMs + (callsOf[position]?.length ?? 0) * supposed.stepMs;
        return (ms / 1000) * (memoryMb / 1024);
      }),
      readUnits: read,
      writeUnits: write,
      // Lambda receives and deletes a batch for each invocation.
      queueRequests:
        passed("SQS_ENDPOINT", "writes") +
        sum(({ isQueued }, invocations) => (isQueued ? 2 * invocations : 0)),
      objectReads: passed("S3_ENDPOINT", "reads"),
      objectWrites: passed("S3_ENDPOINT", "writes"),
      mails: passed("SES_ENDPOINT", "writes"),
    };
  }
  return { stack, used, stop };
}

/** Does the work, and returns the requests that each function sent to the table meanwhile. */
async function recorded(
  functions: readonly Watched[],
  work: () => Promise<void>,
): Promise<StorageCall[][]> {
  const recordings = functions.reduce<() => Promise<StorageCall[][]>>(
    (inner, { proxy }) =>
      async () => {
        const { result, calls } = await proxy.record(inner);
        return [...result, calls];
      },
    async () => {
      await work();
      return [];
    },
  );
  return recordings();
}
