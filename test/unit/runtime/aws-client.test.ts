import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterEach, expect, test, vi } from "vitest";
import { clientDefaults } from "#shared/runtime/aws-client.ts";

afterEach(() => vi.unstubAllEnvs());

test("a command that runs from the sources calls AWS with the credentials of its environment", async () => {
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI");
  const { config } = new DynamoDBClient(clientDefaults());
  expect(await config.credentials()).toMatchObject({
    accessKeyId: "AKIDEXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI",
  });
});
