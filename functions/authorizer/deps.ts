import type { Guard } from "#shared/domain/request/identity.ts";
import type { KeySource } from "#shared/runtime/key-ring.ts";
import { openKeys } from "#shared/runtime/key-rings.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";

export interface Deps {
  keys: Record<Guard, KeySource>;
  now(): Date;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { CUSTOMER_TOKEN_KEYS, CUSTOMER_TOKEN_SECRET, STAFF_TOKEN_KEYS, STAFF_TOKEN_SECRET } =
    readEnvironment(environment, [
      "CUSTOMER_TOKEN_KEYS",
      "CUSTOMER_TOKEN_SECRET",
      "STAFF_TOKEN_KEYS",
      "STAFF_TOKEN_SECRET",
    ]);
  return {
    keys: {
      customer: openKeys({ keys: CUSTOMER_TOKEN_KEYS, secret: CUSTOMER_TOKEN_SECRET }),
      staff: openKeys({ keys: STAFF_TOKEN_KEYS, secret: STAFF_TOKEN_SECRET }),
    },
    now: () => new Date(),
  };
}
