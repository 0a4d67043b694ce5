import { afterEach, expect, test, vi } from "vitest";
import { openLinks } from "#shared/files/signed-link.ts";

afterEach(() => vi.unstubAllEnvs());

const now = new Date("2013-05-24T00:00:00Z");
const link = { filename: "o.csv", lifetimeSeconds: 900, now };
const endpoint = "http://127.0.0.1:9000";

test("a presigned download link contains the object, its lifetime and a file name", async () => {
  const linkTo = openLinks({ bucket: "exports", endpoint });
  const url = new URL(await linkTo("exp_1/orders.csv", link));
  expect(url.origin + url.pathname).toBe(`${endpoint}/exports/exp_1/orders.csv`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD",
    "X-Amz-Credential": "local/20130524/local/s3/aws4_request",
    "X-Amz-Date": "20130524T000000Z",
    "X-Amz-Expires": "900",
    "X-Amz-Signature": expect.stringMatching(/^[0-9a-f]{64}$/),
    "X-Amz-SignedHeaders": "host",
    "response-content-disposition": 'attachment; filename="o.csv"',
    "x-id": "GetObject",
  });
});

test("a presigned link of a Lambda function uses the bucket's region and the role's session token", async () => {
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI");
  vi.stubEnv("AWS_SESSION_TOKEN", "a role's token");
  const url = new URL(await openLinks({ bucket: "exports" })("exp_1/orders.csv", link));
  expect(url.origin + url.pathname).toBe(
    "https://exports.s3.eu-west-1.amazonaws.com/exp_1/orders.csv",
  );
  expect(url.searchParams.get("X-Amz-Security-Token")).toBe("a role's token");
  expect(url.searchParams.get("X-Amz-Credential")).toBe(
    "AKIDEXAMPLE/20130524/eu-west-1/s3/aws4_request",
  );
});
