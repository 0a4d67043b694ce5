import type { Opener, Parts } from "#shared/application/shop.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { openSecretsManager } from "#shared/runtime/secrets-manager.ts";

export const tokenSecrets: Opener<Parts["tokenSecrets"]> = (environment) =>
  (["CUSTOMER_TOKEN_SECRET", "STAFF_TOKEN_SECRET"] as const).flatMap(
    (name) => readVariable(environment, name) ?? [],
  );

export const secretsManager: Opener<Parts["secretsManager"]> = () => openSecretsManager();
