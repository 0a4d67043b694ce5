import { describe, expect, test } from "vitest";
import { refusalOfForm } from "#infra/local/upload-policy.ts";
import { uploadForm } from "#shared/files/upload-form.ts";
import { signatureOf } from "#shared/runtime/signature.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
const identity = { region: "local", accessKeyId: "local", secretAccessKey: "local" };
const object = {
  bucket: "quarantine",
  key: "quarantine/upl_1",
  contentType: "image/png",
  size: 42,
};
const form = uploadForm("https://storage.example/", object, identity, now);

test("a form pins bucket, key, type and size, and ends after a quarter of an hour", () => {
  const { policy = "", ...fields } = form.fields;
  expect(JSON.parse(Buffer.from(policy, "base64").toString())).toEqual({
    expiration: "2026-11-21T09:15:00.000Z",
    conditions: [
      { bucket: "quarantine" },
      { key: "quarantine/upl_1" },
      { "Content-Type": "image/png" },
      { "x-amz-algorithm": "AWS4-HMAC-SHA256" },
      { "x-amz-credential": "local/20261121/local/s3/aws4_request" },
      { "x-amz-date": "20261121T090000Z" },
      ["content-length-range", 42, 42],
    ],
  });
  expect(form.expires_at).toBe("2026-11-21T09:15:00.000Z");
  expect(fields).toMatchObject({ key: "quarantine/upl_1", "Content-Type": "image/png" });
});

test("keys that expire bring their token, which the policy names", () => {
  const { fields } = uploadForm("x", object, { ...identity, sessionToken: "token" }, now);
  expect(fields["x-amz-security-token"]).toBe("token");
  expect(Buffer.from(fields["policy"] ?? "", "base64").toString()).toContain(
    '{"x-amz-security-token":"token"}',
  );
});

test("the signature is the one of AWS's own example of a POST policy", () => {
  // https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-post-example.html
  const policy =
    "eyAiZXhwaXJhdGlvbiI6ICIyMDE1LTEyLTMwVDEyOjAwOjAwLjAwMFoiLA0KICAiY29uZGl0aW9ucyI6IFsNCiAgICB7ImJ1Y2tldCI6ICJzaWd2NGV4YW1wbGVidWNrZXQifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRrZXkiLCAidXNlci91c2VyMS8iXSwNCiAgICB7ImFjbCI6ICJwdWJsaWMtcmVhZCJ9LA0KICAgIHsic3VjY2Vzc19hY3Rpb25fcmVkaXJlY3QiOiAiaHR0cDovL3NpZ3Y0ZXhhbXBsZWJ1Y2tldC5zMy5hbWF6b25hd3MuY29tL3N1Y2Nlc3NmdWxfdXBsb2FkLmh0bWwifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRDb250ZW50LVR5cGUiLCAiaW1hZ2UvIl0sDQogICAgeyJ4LWFtei1tZXRhLXV1aWQiOiAiMTQzNjUxMjM2NTEyNzQifSwNCiAgICB7IngtYW16LXNlcnZlci1zaWRlLWVuY3J5cHRpb24iOiAiQUVTMjU2In0sDQogICAgWyJzdGFydHMtd2l0aCIsICIkeC1hbXotbWV0YS10YWciLCAiIl0sDQoNCiAgICB7IngtYW16LWNyZWRlbnRpYWwiOiAiQUtJQUlPU0ZPRE5ON0VYQU1QTEUvMjAxNTEyMjkvdXMtZWFzdC0xL3MzL2F3czRfcmVxdWVzdCJ9LA0KICAgIHsieC1hbXotYWxnb3JpdGhtIjogIkFXUzQtSE1BQy1TSEEyNTYifSwNCiAgICB7IngtYW16LWRhdGUiOiAiMjAxNTEyMjlUMDAwMDAwWiIgfQ0KICBdDQp9";
  const signature = signatureOf(
    policy,
    "20151229/us-east-1/s3/aws4_request",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  );
  expect(signature).toBe("8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e");
});

describe("the stand-in for storage", () => {
  const fields = new Map(
    Object.entries(form.fields).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const sent = { bucket: "quarantine", size: 42, now };

  test("takes a form as it was made", () => {
    expect(refusalOfForm(fields, sent)).toBeUndefined();
  });

  test.each([
    ["too late", fields, { now: new Date("2026-11-21T09:15:00.000Z") }, "AccessDenied"],
    ["elsewhere", fields, { bucket: "media" }, "AccessDenied"],
    ["one byte more", fields, { size: 43 }, "EntityTooLarge"],
    ["one byte less", fields, { size: 41 }, "EntityTooSmall"],
    ["another key", new Map([...fields, ["key", "x"]]), {}, "AccessDenied"],
    ["another type", new Map([...fields, ["content-type", "text/html"]]), {}, "AccessDenied"],
    ["one field more", new Map([...fields, ["acl", "public-read"]]), {}, "AccessDenied"],
    ["no signature", new Map([...fields, ["x-amz-signature", ""]]), {}, "SignatureDoesNotMatch"],
  ])("refuses one that is %s", (_name, changed, other, code) => {
    expect(refusalOfForm(changed, { ...sent, ...other })).toMatchObject({ code });
  });
});
