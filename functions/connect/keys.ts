import type { Opener } from "#shared/application/shop.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { KeySource } from "#shared/runtime/key-ring.ts";
import { openKeys } from "#shared/runtime/key-rings.ts";

const keys =
  (of: "CUSTOMER_TOKEN" | "STAFF_TOKEN" | "SETTINGS" | "LINK"): Opener<KeySource> =>
  (environment) =>
    openKeys({
      keys: readVariable(environment, `${of}_KEYS`),
      secret: readVariable(environment, `${of}_SECRET`),
    });

export const customerKeys = keys("CUSTOMER_TOKEN");
export const staffKeys = keys("STAFF_TOKEN");
export const settingsKeys = keys("SETTINGS");
export const linkKeys = keys("LINK");
