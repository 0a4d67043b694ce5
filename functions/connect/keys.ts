import { readVariable } from "#shared/runtime/environment.ts";
import type { KeySource } from "#shared/runtime/key-ring.ts";
import { openKeys } from "#shared/runtime/key-rings.ts";

/** The signing keys of a guard's tokens or of links, or the keys that encrypt secrets of the settings. */
export const connectKeys = (
  environment: NodeJS.ProcessEnv,
  of: "CUSTOMER_TOKEN" | "STAFF_TOKEN" | "SETTINGS" | "LINK",
): KeySource =>
  openKeys({
    keys: readVariable(environment, `${of}_KEYS`),
    secret: readVariable(environment, `${of}_SECRET`),
  });
