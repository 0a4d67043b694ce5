import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { refusalOf } from "#shared/http/answers.ts";
import { openDynamoDb } from "#shared/storage/dynamodb.ts";

/** The response of a service whose call to the table fails with this error. */
async function toldOf(fail: () => unknown) {
  const client = openDynamoDb("http://127.0.0.1:9");
  client.middlewareStack.add(() => () => Promise.resolve().then(fail) as Promise<never>, {
    step: "deserialize",
  });
  const failure: unknown = await client
    .send(new GetCommand({ TableName: "shop", Key: { pk: "a", sk: "b" } }))
    .catch((thrown: unknown) => thrown);
  client.destroy();
  const { code, refusal } = refusalOf(failure);
  return { code, cause: refusal.cause };
}

const failedBy = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

describe("a failed call to the table", () => {
  test.each<[string, () => unknown]>([
    ["ERR_INVALID_ARG_TYPE", () => Buffer.from(5 as never)],
    ["ERR_INVALID_URL", () => new URL("table")],
    ["ERR_OUT_OF_RANGE", () => Buffer.alloc(1).readInt8(2)],
  ])("becomes a logged 500 if our own code caused it: %s", async (code, fail) => {
    expect(await toldOf(fail)).toMatchObject({ code: "server_error", cause: { code } });
  });

  test.each([
    "ECONNRESET",
    "ECONNREFUSED",
    "EAI_AGAIN",
    "ENOTFOUND",
    "ERR_SOCKET_CONNECTION_TIMEOUT",
    "ERR_STREAM_PREMATURE_CLOSE",
  ])("becomes a 503 if the network caused it: %s", async (code) => {
    expect((await toldOf(failedBy(code))).code).toBe("unavailable");
  });
});
