import { type CustomerFamilyDeps, connectCustomerFamily } from "#shared/auth/customer-family.ts";
import { connectGateways } from "#shared/payments/connect-gateways.ts";
import type { Gateways } from "#shared/payments/open-gateway.ts";

export interface Deps extends CustomerFamilyDeps {
  gateways: Pick<Gateways, "current">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const deps = connectCustomerFamily(environment, "checkout");
  return { ...deps, gateways: connectGateways(environment, deps) };
}
