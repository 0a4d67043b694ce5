import {
  type CustomerFamilyDeps,
  connectCustomerFamily,
} from "#functions/connect-customer-family.ts";
import { connectGateways } from "#shared/application/payment/connect-gateways.ts";
import type { Gateways } from "#shared/application/payment/open-gateway.ts";

export interface Deps extends CustomerFamilyDeps {
  gateways: Pick<Gateways, "current" | "configured">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const deps = connectCustomerFamily(environment, "payments");
  return { ...deps, gateways: connectGateways(environment, deps) };
}
