import {
  type CustomerFamilyDeps,
  connectCustomerFamily,
} from "#functions/connect/customer-family.ts";
import { connectGateways } from "#functions/connect/gateways.ts";
import { connectKeys } from "#functions/connect/keys.ts";
import type { Gateways } from "#shared/application/payment/open-gateway.ts";
import type { ProofDeps } from "#shared/auth/order-proof.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";

export interface Deps extends CustomerFamilyDeps, ProofDeps {
  orders: OrderStore;
  gateways: Pick<Gateways, "current" | "configured">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectCustomerFamily(environment, "checkout");
  return {
    ...family,
    orders: openOrders(family.table),
    linkKeys: connectKeys(environment, "LINK"),
    gateways: connectGateways(environment, family),
  };
}
