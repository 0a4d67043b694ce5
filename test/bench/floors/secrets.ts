import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";

export const commands = [SecretsManagerClient, GetSecretValueCommand];
