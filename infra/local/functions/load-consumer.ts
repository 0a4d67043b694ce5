import { dirname } from "node:path";
import type {
  DynamoDBBatchResponse,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
  ScheduledEvent,
} from "aws-lambda";
import type { Consumer } from "#functions/consumers.ts";
import { type DeployedFunction, environmentOf } from "#functions/deployed-function.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import type { LambdaHandler, LocalFunction } from "./lambda.ts";

export type Environment = Readonly<Record<string, string>>;
export type Connect<Deps> = (environment: NodeJS.ProcessEnv) => Deps;
type BatchAnswer = DynamoDBBatchResponse | SQSBatchResponse | void;

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
): Promise<LocalFunction<Event, BatchAnswer>> {
  const own = variablesOf(environmentOf(consumer), environment);
  return onFirstCall(consumer, async () => {
    const [{ connect }, { consume }] = await Promise.all([
      beside<{ connect: Connect<unknown> }>(consumer, "deps.ts"),
      beside<{ consume: (event: Event, deps: unknown) => Promise<BatchAnswer> }>(
        consumer,
        "consume.ts",
      ),
    ]);
    return onceConnected(consume, () => connect(own));
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

export async function beside<Module>({ entry }: DeployedFunction, file: string): Promise<Module> {
  const url = new URL(`../../../${dirname(entry)}/${file}`, import.meta.url);
  return (await import(url.href)) as Module;
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
