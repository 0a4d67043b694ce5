import { expect, test } from "vitest";
import { openLinks, signedLink } from "#shared/files/signed-link.ts";

const identity = {
  region: "us-east-1",
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
const now = new Date("2013-05-24T00:00:00Z");
const url = new URL("https://examplebucket.s3.amazonaws.com/test.txt");

test("a link is signed as the example in AWS's own description of it", () => {
  const link = new URL(signedLink({ url, lifetimeSeconds: 86_400 }, identity, now));
  expect(link.searchParams.get("X-Amz-Signature")).toBe(
    "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  );
});

test("what it is called and the session's token are part of what is signed", () => {
  const signatureOf = (more: object, token?: string) => {
    const linked = { url, lifetimeSeconds: 900, ...more };
    const link = new URL(signedLink(linked, { ...identity, sessionToken: token }, now));
    return link.searchParams.get("X-Amz-Signature");
  };
  const signatures = [
    signatureOf({}),
    signatureOf({ filename: "orders (1).csv" }),
    signatureOf({}, "session"),
  ];
  expect(new Set(signatures).size).toBe(3);
});

test("a link names the object, its life and the name to save it under", () => {
  const linkTo = openLinks({ bucket: "exports", endpoint: "http://127.0.0.1:9000" });
  const link = new URL(
    linkTo("exp_1/orders.csv", { filename: "o.csv", lifetimeSeconds: 900, now }),
  );
  expect(link.pathname).toBe("/exports/exp_1/orders.csv");
  expect(link.searchParams.get("X-Amz-Expires")).toBe("900");
  expect(link.searchParams.get("response-content-disposition")).toBe(
    'attachment; filename="o.csv"',
  );
});
