import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { clientDefaults } from "./aws-client.ts";

/** @param endpoint replaces the region's endpoint */
export const openSecretsManager = (endpoint?: string): SecretsManagerClient =>
  new SecretsManagerClient(clientDefaults(endpoint));
