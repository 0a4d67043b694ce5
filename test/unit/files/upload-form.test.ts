import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { refusalOfForm } from "#infra/local/emulators/upload-policy.ts";
import type { UploadForm } from "#shared/domain/upload/upload.ts";
import { openUploads } from "#shared/files/uploads.ts";

const url = "http://127.0.0.1:9000/uploads";
const uploads = openUploads({ bucket: "quarantine", url });
const announced = { content_type: "image/png", size: 42 };
const policyOf = ({ fields }: UploadForm) =>
  JSON.parse(Buffer.from(fields["Policy"] ?? "", "base64").toString());

let form: UploadForm;
beforeAll(async () => {
  form = await uploads.formFor("upl_1", announced);
});
afterEach(() => vi.unstubAllEnvs());

test("a presigned upload form fixes bucket, key, type and size", () => {
  const date = form.fields["X-Amz-Date"] ?? "";
  expect(date).toMatch(/^\d{8}T\d{6}Z$/);
  const credential = `local/${date.slice(0, 8)}/local/s3/aws4_request`;
  const { conditions } = policyOf(form);
  expect(conditions).toHaveLength(7);
  expect(conditions).toEqual(
    expect.arrayContaining([
      { bucket: "quarantine" },
      { key: "quarantine/upl_1" },
      { "Content-Type": "image/png" },
      { "X-Amz-Algorithm": "AWS4-HMAC-SHA256" },
      { "X-Amz-Credential": credential },
      { "X-Amz-Date": date },
      ["content-length-range", 42, 42],
    ]),
  );
  expect(form.url).toBe(url);
  expect(form.fields).toEqual({
    bucket: "quarantine",
    key: "quarantine/upl_1",
    "Content-Type": "image/png",
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": credential,
    "X-Amz-Date": date,
    Policy: expect.any(String),
    "X-Amz-Signature": expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test("a presigned upload form expires after 15 minutes, and never before the returned time", async () => {
  const before = Date.now();
  const fresh = await uploads.formFor("upl_1", announced);
  const policyEnd = Date.parse(policyOf(fresh).expiration);
  const statedEnd = Date.parse(fresh.expires_at);
  expect(policyEnd).toBeGreaterThanOrEqual(statedEnd);
  expect(statedEnd).toBeGreaterThan(before + 15 * 60_000 - 1000);
  expect(policyEnd).toBeLessThanOrEqual(Date.now() + 15 * 60_000);
});

test("a presigned upload form of a Lambda function uses the bucket's region and the role's session token", async () => {
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI");
  vi.stubEnv("AWS_SESSION_TOKEN", "token");
  const cloud = await openUploads({ bucket: "quarantine" }).formFor("upl_1", announced);
  expect(cloud.url).toBe("https://quarantine.s3.eu-west-1.amazonaws.com/");
  expect(cloud.fields["X-Amz-Security-Token"]).toBe("token");
  expect(policyOf(cloud).conditions).toContainEqual({ "X-Amz-Security-Token": "token" });
});

describe("the S3 emulator", () => {
  const fieldsWith = (changed: Record<string, string>) =>
    new Map([
      ...Object.entries(form.fields).map(([name, value]) => [name.toLowerCase(), value] as const),
      ...Object.entries(changed),
    ]);
  const sent = () => ({ bucket: "quarantine", size: 42, now: new Date() });

  test("accepts an unmodified upload form", async () => {
    expect(await refusalOfForm(fieldsWith({}), sent())).toBeUndefined();
  });

  test.each([
    ["an expired policy", {}, { now: new Date("2100-01-01") }, "AccessDenied"],
    ["another bucket", {}, { bucket: "media" }, "AccessDenied"],
    ["a file one byte too large", {}, { size: 43 }, "EntityTooLarge"],
    ["a file one byte too small", {}, { size: 41 }, "EntityTooSmall"],
    ["another key", { key: "x" }, {}, "AccessDenied"],
    ["another content type", { "content-type": "text/html" }, {}, "AccessDenied"],
    ["an additional field", { acl: "public-read" }, {}, "AccessDenied"],
    ["another policy", { policy: "e30=" }, {}, "SignatureDoesNotMatch"],
    ["no signature", { "x-amz-signature": "" }, {}, "SignatureDoesNotMatch"],
    ["another signer", { "x-amz-credential": "x" }, {}, "SignatureDoesNotMatch"],
  ])("refuses an upload form with %s", async (_name, changed, other, code) => {
    expect(await refusalOfForm(fieldsWith(changed), { ...sent(), ...other })).toMatchObject({
      code,
    });
  });
});
