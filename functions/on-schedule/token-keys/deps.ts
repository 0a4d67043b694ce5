import { randomBytes } from "node:crypto";
import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { openSecretsManager } from "#shared/runtime/secret-keys.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";

export interface Deps {
  /** Secrets that hold the keys; empty if the keys are configured directly. */
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
