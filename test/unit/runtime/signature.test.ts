import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { expect, test } from "vitest";
import { type AwsRequest, type Identity, signedHeaders } from "#shared/runtime/signature.ts";

test("AWS's own example of a signed GET comes out as AWS says", () => {
  const headers = signedHeaders(
    {
      method: "GET",
      url: new URL("https://examplebucket.s3.amazonaws.com/test.txt"),
      headers: { range: "bytes=0-9" },
    },
    "s3",
    {
      region: "us-east-1",
      accessKeyId: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    },
    new Date("2013-05-24T00:00:00Z"),
  );
  expect(headers["authorization"]).toBe(
    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, " +
      "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, " +
      "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  );
});

const role = {
  region: "eu-west-1",
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG",
  sessionToken: "a role's token",
} satisfies Identity;
const { region, ...credentials } = role;

test.each(["base/01J.bin", "a key/with (brackets)'s & ümlauts!*~"])(
  "a role's GET of %j is signed as the SDK signs it",
  async (Key) => {
    const client = new S3Client({ region, credentials });
    const sent = recorded(client);
    client.send(new GetObjectCommand({ Bucket: "view", Key })).catch(() => undefined);
    expectSameSignature(await sent, "s3");
  },
);

test("a role's POST is signed as the SDK signs it", async () => {
  const client = new SecretsManagerClient({ region, credentials });
  const sent = recorded(client);
  client.send(new GetSecretValueCommand({ SecretId: "tokens" })).catch(() => undefined);
  expectSameSignature(await sent, "secretsmanager");
});

interface SdkRequest {
  method: AwsRequest["method"];
  hostname: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body?: string;
}

function expectSameSignature(sent: SdkRequest, service: string): void {
  const { authorization = "", "x-amz-date": time = "" } = sent.headers;
  const signed = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(";") ?? [];
  const ours = signedHeaders(
    {
      method: sent.method,
      url: new URL(`https://${sent.hostname}${sent.path}`),
      headers: Object.fromEntries(signed.map((name) => [name, sent.headers[name] ?? ""])),
      ...(sent.body !== undefined && { body: sent.body }),
    },
    service,
    role,
    new Date(time.replace(/(....)(..)(..T..)(..)(..Z)/, "$1-$2-$3:$4:$5")),
  );
  expect(ours["authorization"]).toBe(authorization);
}

/** What a client would send next, but without a query: S3's names the operation there. */
function recorded({ middlewareStack }: S3Client | SecretsManagerClient): Promise<SdkRequest> {
  const stack = middlewareStack as S3Client["middlewareStack"];
  return new Promise((resolve) => {
    stack.add(
      (next) => async (call) => {
        (call.request as SdkRequest).query = {};
        return next(call);
      },
      { step: "build" },
    );
    stack.add(
      () => async (call) => {
        resolve(call.request as SdkRequest);
        throw new Error("Not sent");
      },
      { step: "finalizeRequest", priority: "low" },
    );
  });
}
