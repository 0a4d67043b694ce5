import { openGateways } from "#shared/application/payment/open-gateway.ts";
import type { Opener, Parts, Shop } from "#shared/application/shop.ts";
import { readVariable } from "#shared/runtime/environment.ts";

/** The payment gateways, with the shop's settings and secrets. */
export const gateways: Opener<
  Parts["gateways"],
  Shop<"settings" | "secrets" | "log", "payments">
> = (environment, { settings, secrets, log }) =>
  openGateways({ settings, secrets, log, endpoint: readVariable(environment, "STRIPE_API_URL") });
