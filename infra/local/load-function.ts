import { dirname } from "node:path";
import type {
  DynamoDBBatchResponse,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
  ScheduledEvent,
} from "aws-lambda";
import type { authorize as Authorize } from "#functions/authorizer/authorize.ts";
import type { Deps as AuthorizerDeps } from "#functions/authorizer/deps.ts";
import type { Consumer } from "#functions/consumers.ts";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import type { Family } from "#functions/families.ts";
import { openOriginKeys, originVariables } from "#shared/http/origin.ts";
import { type FrameDeps, serve } from "#shared/http/serve.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import type { AuthorizerFunction } from "./authorization.ts";
import type { HttpFunction } from "./gateway.ts";
import type { LambdaHandler, LocalFunction } from "./lambda.ts";

type Environment = Readonly<Record<string, string>>;
type Connect<Deps> = (environment: NodeJS.ProcessEnv) => Deps;
type BatchAnswer = DynamoDBBatchResponse | SQSBatchResponse | void;

/** Loads the functions of a stack. */
export interface Functions {
  family(family: Family, environment: Environment): Promise<HttpFunction>;
  consumer<Event extends DynamoDBStreamEvent | SQSEvent | ScheduledEvent>(
    consumer: Consumer,
    environment: Environment,
  ): Promise<LocalFunction<Event, BatchAnswer>>;
  authorizer(authorizer: DeployedFunction, environment: Environment): Promise<AuthorizerFunction>;
}

/** Functions from the sources, in this process. */
export const sourceFunctions: Functions = {
  family: loadFamily,
  consumer: loadConsumer,
  authorizer: loadAuthorizer,
};

/**
 * A family's function as its `handler.ts` makes it, but with `environment` instead of the process's. So
 * several stacks can run in one process.
 */
export async function loadFamily(family: Family, environment: Environment): Promise<HttpFunction> {
  const own = declaredVariables(family, environment);
  return onFirstCall(family, async () => {
    const { connect } = await beside<{ connect: Connect<FrameDeps> }>(family, "deps.ts");
    return serve(
      family.resources,
      () => connect(own),
      () => openOriginKeys(own),
    );
  });
}

/** A consumer's function with `environment` instead of the process's. */
export async function loadConsumer<Event extends DynamoDBStreamEvent | SQSEvent | ScheduledEvent>(
  consumer: Consumer,
  environment: Environment,
): Promise<LocalFunction<Event, BatchAnswer>> {
  const own = declaredVariables(consumer, environment);
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

/** The authorizer's function with `environment` instead of the process's. */
export async function loadAuthorizer(
  authorizer: DeployedFunction,
  environment: Environment,
): Promise<AuthorizerFunction> {
  const own = declaredVariables(authorizer, environment);
  return onFirstCall(authorizer, async () => {
    const [{ connect }, { authorize }] = await Promise.all([
      beside<{ connect: Connect<AuthorizerDeps> }>(authorizer, "deps.ts"),
      beside<{ authorize: typeof Authorize }>(authorizer, "authorize.ts"),
    ]);
    return onceConnected(authorize, () => connect(own));
  });
}

/** A function whose modules are imported at its first call, so that a stack starts sooner and needs less memory. */
function onFirstCall<Event, Result>(
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

async function beside<Module>({ entry }: DeployedFunction, file: string): Promise<Module> {
  const url = new URL(`../../${dirname(entry)}/${file}`, import.meta.url);
  return (await import(url.href)) as Module;
}

/** The variables that a function sees in the cloud: those that it declares, and those that `serve` reads. */
export function declaredVariables(
  of: DeployedFunction | Family,
  environment: Environment,
): Environment {
  return Object.fromEntries(
    [...of.environment, ...("routes" in of ? originVariables : [])].flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
