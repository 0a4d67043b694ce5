import { fileURLToPath } from "node:url";
import type {
  DynamoDBBatchResponse,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
  ScheduledEvent,
} from "aws-lambda";
import type { Consumer } from "#functions/consumers.ts";
import { type DeployedFunction, environmentOf } from "#functions/deployed-function.ts";
import { type Opener, openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { inProcess } from "#infra/local/emulators/in-process.ts";
import type { LambdaHandler, LocalFunction } from "./lambda.ts";

export type Environment = Readonly<Record<string, string>>;
type BatchAnswer = DynamoDBBatchResponse | SQSBatchResponse | void;

/** Openers by the names of their parts. */
export type Openers = Readonly<Record<string, Opener<unknown, never>>>;

/** The openers that replace those of a function's entry. A part that the function does not have is not opened. */
export type OpenersFor = (deployed: DeployedFunction) => Openers | Promise<Openers>;

/** Loads the consumers of a stack. */
export interface ConsumerFunctions {
  consumer<Event extends DynamoDBStreamEvent | SQSEvent | ScheduledEvent>(
    consumer: Consumer,
    environment: Environment,
  ): Promise<LocalFunction<Event, BatchAnswer>>;
}

/** A consumer's function with `environment` instead of the process's. */
export async function loadConsumer<Event extends DynamoDBStreamEvent | SQSEvent | ScheduledEvent>(
  consumer: Consumer,
  environment: Environment,
  openersFor?: OpenersFor,
): Promise<LocalFunction<Event, BatchAnswer>> {
  const own = variablesOf(environmentOf(consumer), environment);
  return onFirstCall(consumer, async () => {
    const { consume, openers } = await entryModuleOf<{
      consume(event: Event, shop: unknown): Promise<BatchAnswer>;
    }>(consumer, openersFor);
    return onceConnected(consume, () => openShop(own, openers));
  });
}

/** A function whose modules are imported at its first call, so that a stack starts sooner and needs less memory. */
export function onFirstCall<Event, Result>(
  { name, memoryMb, timeoutSeconds }: DeployedFunction,
  load: () => Promise<LambdaHandler<Event, Result>>,
): LocalFunction<Event, Result> {
  let handler: Promise<LambdaHandler<Event, Result>> | undefined;
  return {
    name,
    memoryMb,
    timeoutSeconds,
    async handler(event, context) {
      handler ??= load();
      return (await handler)(event, context);
    },
  };
}

const root = new URL("../../../", import.meta.url);

/** Imports a function's entry, and replaces some of its openers. */
export async function entryModuleOf<Module>(
  deployed: DeployedFunction,
  openersFor: OpenersFor = () => ({}),
): Promise<Module & { readonly openers: Readonly<Record<string, Opener<unknown>>> }> {
  const file = fileURLToPath(new URL(deployed.entry, root));
  const [entry, replaced] = await Promise.all([
    import(file) as Promise<Module & { readonly openers: Openers }>,
    openersFor(deployed),
  ]);
  const openers = Object.fromEntries(
    Object.entries({ ...entry.openers, requestHandler: () => inProcess }).map(([name, open]) => [
      name,
      replaced[name] ?? open,
    ]),
  );
  // The entry's own call of `openShop` proves that the parts have what their openers need.
  return { ...entry, openers: openers as Readonly<Record<string, Opener<unknown>>> };
}

/** The variables of an environment that have one of these names. */
export function variablesOf(names: readonly string[], environment: Environment): Environment {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
