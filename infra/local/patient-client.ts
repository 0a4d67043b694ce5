import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { clientDefaults } from "#shared/runtime/aws-client.ts";

/** Nobody waits for an answer while a stack is set up: an engine on a busy machine may take its time, in ms. */
export const patience = 60_000;

/** A client for what is done to a DynamoDB before anybody is served. */
export function patientClient(endpoint: string): DynamoDBClient {
  const requestHandler = { connectionTimeout: patience, requestTimeout: patience };
  return new DynamoDBClient({ ...clientDefaults(endpoint), requestHandler });
}
