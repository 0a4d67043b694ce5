import { randomBytes } from "node:crypto";
import type { Identity } from "#shared/auth/identity.ts";
import type { RateCounters } from "#shared/domain/request/rate-limits.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { type SettingsStore, openSettings } from "#shared/storage/settings/settings.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
import { openCustomerIdentity } from "#shared/application/identity/customer-identity.ts";
import type { KeySource } from "#shared/runtime/key-ring.ts";
import { openKeys } from "#shared/runtime/key-rings.ts";

/** Dependencies of every function that serves guests and customers and stores their changes. */
export interface CustomerFamilyDeps extends FrameDeps {
  table: Table;
  settings: SettingsStore;
  identity: Identity;
  /** Signing keys of customers' tokens. */
  keys: KeySource;
  rates: RateCounters;
  log: Log;
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Buffer;
}

/** @param name the name of the function in its log */
export function connectCustomerFamily(
  environment: NodeJS.ProcessEnv,
  name: string,
): CustomerFamilyDeps {
  const {
    TABLE_NAME,
    DYNAMODB_ENDPOINT,
    MEDIA_BASE_URL,
    CUSTOMER_TOKEN_KEYS,
    CUSTOMER_TOKEN_SECRET,
  } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "MEDIA_BASE_URL",
    "CUSTOMER_TOKEN_KEYS",
    "CUSTOMER_TOKEN_SECRET",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const keys = openKeys({ keys: CUSTOMER_TOKEN_KEYS, secret: CUSTOMER_TOKEN_SECRET });
  const log = openLog(name);
  return {
    table,
    identity: openCustomerIdentity(table, keys),
    settings: openSettings(table),
    keys,
    rates: openRateCounters(table, log),
    randomBytes,
    mediaBaseUrl: MEDIA_BASE_URL,
    log,
  };
}
