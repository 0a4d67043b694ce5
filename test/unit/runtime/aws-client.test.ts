import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { HttpRequest } from "@smithy/core/protocols";
import { afterEach, describe, expect, test, vi } from "vitest";
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

describe.each([
  { of: "AWS", endpoint: undefined, connectionTimeout: 1_000, requestTimeout: 3_000 },
  {
    of: "an emulator",
    endpoint: "http://127.0.0.1:1",
    connectionTimeout: 10_000,
    requestTimeout: 8_000,
  },
])("a client of $of", ({ endpoint, connectionTimeout, requestTimeout }) => {
  /** The timeouts of a client that is opened while `TIMEOUT_MULTIPLIER` has this value. */
  async function timeoutsWith(multiplier: string | undefined, ownRequestTimeout?: number) {
    vi.stubEnv("TIMEOUT_MULTIPLIER", multiplier);
    const { requestHandler } = clientDefaults(endpoint, { requestTimeout: ownRequestTimeout });
    // The handler resolves its options only at the first request, so one is sent.
    await requestHandler
      .handle(new HttpRequest({ hostname: "127.0.0.1", port: 1 }))
      .catch(() => {});
    return requestHandler.httpHandlerConfigs();
  }

  test(`throws if there is no response within ${requestTimeout} ms`, async () => {
    expect(await timeoutsWith(undefined)).toMatchObject({
      connectionTimeout,
      requestTimeout,
      throwOnRequestTimeout: true,
    });
  });

  test("has longer timeouts on a machine that is configured as slow", async () => {
    expect(await timeoutsWith("20")).toMatchObject({
      connectionTimeout: 20 * connectionTimeout,
      requestTimeout: 20 * requestTimeout,
    });
  });

  test("keeps the request timeout that its caller sets", async () => {
    expect(await timeoutsWith("20", 5)).toMatchObject({ requestTimeout: 5 });
  });
});

test.each(["0", "-1", "fast"])("a timeout multiplier of %s is refused", (multiplier) => {
  vi.stubEnv("TIMEOUT_MULTIPLIER", multiplier);
  expect(() => clientDefaults()).toThrow("TIMEOUT_MULTIPLIER");
});
