import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { HttpRequest } from "@smithy/core/protocols";
import { afterEach, expect, test, vi } from "vitest";
import { clientDefaults } from "#shared/runtime/aws-client.ts";

afterEach(() => vi.unstubAllEnvs());

test("a command that is not bundled uses the AWS credentials of its environment", async () => {
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI");
  const { config } = new DynamoDBClient(clientDefaults());
  expect(await config.credentials()).toMatchObject({
    accessKeyId: "AKIDEXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI",
  });
});

test.each([
  { of: "AWS", endpoint: undefined, connectionTimeout: 1_000, requestTimeout: 3_000 },
  {
    of: "an emulator",
    endpoint: "http://127.0.0.1:1",
    connectionTimeout: 10_000,
    requestTimeout: 8_000,
  },
])(
  "a client of $of throws if there is no response within $requestTimeout ms",
  async ({ endpoint, connectionTimeout, requestTimeout }) => {
    const { requestHandler } = clientDefaults(endpoint);
    // The handler resolves its options only at the first request, so one is sent.
    await requestHandler
      .handle(new HttpRequest({ hostname: "127.0.0.1", port: 1 }))
      .catch(() => {});
    expect(requestHandler.httpHandlerConfigs()).toMatchObject({
      connectionTimeout,
      requestTimeout,
      throwOnRequestTimeout: true,
    });
  },
);
