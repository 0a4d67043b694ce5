import type { authorize as Authorize } from "#functions/authorizer/authorize.ts";
import { type DeployedFunction, environmentOf } from "#functions/deployed-function.ts";
import type { Family } from "#functions/families.ts";
import { openShop } from "#shared/application/shop.ts";
import { openOriginKeys, originVariables } from "#shared/http/origin.ts";
import { serve } from "#shared/http/serve.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import type { AuthorizerFunction } from "#infra/local/gateway/authorization.ts";
import type { HttpFunction } from "#infra/local/gateway/gateway.ts";
import {
  type ConsumerFunctions,
  type Environment,
  type OpenersFor,
  entryModuleOf,
  loadConsumer,
  onFirstCall,
  variablesOf,
} from "./load-consumer.ts";

/** Loads the functions of a stack. */
export interface Functions extends ConsumerFunctions {
  family(family: Family, environment: Environment): Promise<HttpFunction>;
  authorizer(authorizer: DeployedFunction, environment: Environment): Promise<AuthorizerFunction>;
}

/**
 * Functions from the sources, in this process, with their own environments. So several stacks can run in one process.
 *
 * @param openersFor openers of parts to use instead of those of the functions' entries
 */
export const functionsWith = (openersFor?: OpenersFor): Functions => ({
  family: (of, environment) => loadFamily(of, environment, openersFor),
  consumer: (of, environment) => loadConsumer(of, environment, openersFor),
  authorizer: (of, environment) => loadAuthorizer(of, environment, openersFor),
});

/** Functions from the sources, with the parts that their entries open. */
export const sourceFunctions = functionsWith();

/** A family's function with `environment` instead of the process's. */
export async function loadFamily(
  family: Family,
  environment: Environment,
  openersFor?: OpenersFor,
): Promise<HttpFunction> {
  const own = declaredVariables(family, environment);
  return onFirstCall(family, async () => {
    const { openers } = await entryModuleOf(family, openersFor);
    // The entry's own call of `serve` proves that the parts are those that the routes take.
    const connect = () => openShop(own, openers) as never;
    return serve(family.resources, connect, () => openOriginKeys(own));
  });
}

/** The authorizer's function with `environment` instead of the process's. */
export async function loadAuthorizer(
  authorizer: DeployedFunction,
  environment: Environment,
  openersFor?: OpenersFor,
): Promise<AuthorizerFunction> {
  const own = declaredVariables(authorizer, environment);
  return onFirstCall(authorizer, async () => {
    const { authorize, openers } = await entryModuleOf<{ authorize: typeof Authorize }>(
      authorizer,
      openersFor,
    );
    return onceConnected(authorize, () => openShop(own, openers) as never);
  });
}

/** The variables that a function sees in the cloud: those that it declares, and those that `serve` reads. */
export const declaredVariables = (
  of: DeployedFunction | Family,
  environment: Environment,
): Environment =>
  variablesOf([...environmentOf(of), ...("routes" in of ? originVariables : [])], environment);
