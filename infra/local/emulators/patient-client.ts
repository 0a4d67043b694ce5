import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { clientDefaults } from "#shared/runtime/aws-client.ts";

/**
 * Timeout in ms while a stack is set up: DynamoDB emulators are slow on a busy machine, and no caller is waiting yet.
 */
export const patience = 60_000;

/** A client for setting up a DynamoDB. */
export function patientClient(endpoint: string): DynamoDBClient {
  const requestHandler = { connectionTimeout: patience, requestTimeout: patience };
  return new DynamoDBClient({ ...clientDefaults(endpoint), requestHandler });
}
