import { connectKeys } from "#functions/connect/keys.ts";
import type { Guard } from "#shared/domain/request/identity.ts";
import type { KeySource } from "#shared/runtime/key-ring.ts";

export interface Deps {
  keys: Record<Guard, KeySource>;
  now(): Date;
}

export const connect = (environment: NodeJS.ProcessEnv): Deps => ({
  keys: {
    customer: connectKeys(environment, "CUSTOMER_TOKEN"),
    staff: connectKeys(environment, "STAFF_TOKEN"),
  },
  now: () => new Date(),
});
