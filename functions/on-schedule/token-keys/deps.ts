import { randomBytes } from "node:crypto";
import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { openSecretsManager } from "#shared/runtime/secrets-manager.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
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
  const { CUSTOMER_TOKEN_SECRET, STAFF_TOKEN_SECRET } = readEnvironment(environment, [
    "CUSTOMER_TOKEN_SECRET",
    "STAFF_TOKEN_SECRET",
  ]);
  return {
    secrets: [CUSTOMER_TOKEN_SECRET, STAFF_TOKEN_SECRET].flatMap((secret) => secret ?? []),
    secretsManager: openSecretsManager(),
    randomBytes,
    log: openLog("on-schedule-token-keys"),
    now: () => new Date(),
  };
}
