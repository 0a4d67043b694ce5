import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { clientDefaults } from "#shared/runtime/aws-client.ts";

export const commands = [
  BatchGetCommand,
  DeleteCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
];

/** One get of an item that does not exist. */
export async function read(environment: NodeJS.ProcessEnv): Promise<void> {
  const client = new DynamoDBClient(clientDefaults(environment["DYNAMODB_ENDPOINT"]));
  const document = DynamoDBDocumentClient.from(client);
  const Key = { pk: "NOTHING", sk: "NOTHING" };
  await document.send(new GetCommand({ TableName: environment["TABLE_NAME"], Key }));
}
