import type { authorize as Authorize } from "#functions/authorizer/authorize.ts";
import type { Deps as AuthorizerDeps } from "#functions/authorizer/deps.ts";
import { type DeployedFunction, environmentOf } from "#functions/deployed-function.ts";
import type { Family } from "#functions/families.ts";
import { openOriginKeys, originVariables } from "#shared/http/origin.ts";
import { type FrameDeps, serve } from "#shared/http/serve.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import type { AuthorizerFunction } from "#infra/local/gateway/authorization.ts";
import type { HttpFunction } from "#infra/local/gateway/gateway.ts";
import {
  type Connect,
  type ConsumerFunctions,
  type Environment,
  beside,
  loadConsumer,
  onFirstCall,
  variablesOf,
} from "./load-consumer.ts";

/** Loads the functions of a stack. */
export interface Functions extends ConsumerFunctions {
  family(family: Family, environment: Environment): Promise<HttpFunction>;
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

/** The variables that a function sees in the cloud: those that it declares, and those that `serve` reads. */
export const declaredVariables = (
  of: DeployedFunction | Family,
  environment: Environment,
): Environment =>
  variablesOf([...environmentOf(of), ...("routes" in of ? originVariables : [])], environment);
