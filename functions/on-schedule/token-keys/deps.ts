import { randomBytes } from "node:crypto";
import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { openSecretsManager } from "#shared/runtime/secrets-manager.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";

export interface Deps {
  /** Names of the secrets that hold the signing keys; empty if the environment holds the keys. */
  secrets: readonly string[];
  secretsManager: SecretsManagerClient;
  randomBytes(count: number): Buffer;
  log: Pick<Log, "info">;
  now(): Date;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const customer = readVariable(environment, "CUSTOMER_TOKEN_SECRET");
  const staff = readVariable(environment, "STAFF_TOKEN_SECRET");
  return {
    secrets: [customer, staff].flatMap((secret) => secret ?? []),
    secretsManager: openSecretsManager(),
    randomBytes,
    log: openLog("on-schedule-token-keys"),
    now: () => new Date(),
  };
}
