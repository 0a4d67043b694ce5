import { describe, expect, test } from "vitest";
import { stackOptions } from "#infra/local/stack-options.ts";

describe("the environment variables of the local stack", () => {
  test("default to port 3000, data in memory and the built-in DynamoDB emulator", () => {
    expect(stackOptions({ PORT: "", DATA_DIR: "" })).toEqual({
      port: 3000,
      dataDir: undefined,
      dynamoDbEndpoint: undefined,
      tableName: "furniture-storefront",
    });
  });

  test("set each option", () => {
    const environment = {
      PORT: "0",
      DATA_DIR: "data",
      DYNAMODB_ENDPOINT: "http://127.0.0.1:8000",
      TABLE_NAME: "mine",
    };
    expect(stackOptions(environment)).toEqual({
      port: 0,
      dataDir: "data",
      dynamoDbEndpoint: "http://127.0.0.1:8000",
      tableName: "mine",
    });
  });

  test.each(["abc", "-1", "70000", "1.5"])(
    "are refused with an explanation for PORT=%s",
    (PORT) => {
      expect(() => stackOptions({ PORT })).toThrow(/^PORT must be a number/);
    },
  );
});
