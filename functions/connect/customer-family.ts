import { randomBytes } from "node:crypto";
import { openCustomerIdentity } from "#shared/application/identity/customer-identity.ts";
import type { Identity } from "#shared/auth/identity.ts";
import type { NestedRateCounters } from "#shared/domain/request/rate-limits.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { KeySource } from "#shared/runtime/key-ring.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { type SettingsStore, openSettings } from "#shared/storage/settings/settings.ts";
import type { Table } from "#shared/storage/table.ts";
import { connectKeys } from "./keys.ts";
import { connectTable } from "./table.ts";

/** Dependencies of every function that serves guests and customers and stores their changes. */
export interface CustomerFamilyDeps extends FrameDeps {
  table: Table;
  settings: SettingsStore;
  identity: Identity;
  /** Signing keys of customers' tokens. */
  keys: KeySource;
  rates: NestedRateCounters;
  log: Log;
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Buffer;
}

/** @param name the name of the function in its log */
export function connectCustomerFamily(
  environment: NodeJS.ProcessEnv,
  name: string,
): CustomerFamilyDeps {
  const table = connectTable(environment);
  const keys = connectKeys(environment, "CUSTOMER_TOKEN");
  const log = openLog(name);
  return {
    table,
    identity: openCustomerIdentity(table, keys),
    settings: openSettings(table),
    keys,
    rates: openRateCounters(table, log),
    randomBytes,
    mediaBaseUrl: readVariable(environment, "MEDIA_BASE_URL"),
    log,
  };
}
