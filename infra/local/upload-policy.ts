import { timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { ownIdentity } from "#shared/runtime/aws-service.ts";
import { signatureOf } from "#shared/runtime/signature.ts";

const Policy = z.object({
  expiration: z.iso.datetime(),
  conditions: z.array(
    z.union([
      z.record(z.string(), z.string()),
      z.tuple([z.literal("content-length-range"), z.int(), z.int()]),
    ]),
  ),
});

/** Fields that a policy need not name. */
const unnamed = new Set(["policy", "x-amz-signature", "file"]);

interface Refusal {
  readonly status: number;
  readonly code: string;
}

/**
 * Why S3 would not take a form; undefined when it would. As much of its rules as our own forms use: the signature,
 * the policy's end, exact values for every field, and the range of the file's size.
 */
export function refusalOfForm(
  fields: ReadonlyMap<string, string>,
  form: { bucket: string; size: number; now: Date },
): Refusal | undefined {
  const denied = { status: 403, code: "AccessDenied" };
  const encoded = fields.get("policy") ?? "";
  if (!isOurs(encoded, fields)) return { status: 403, code: "SignatureDoesNotMatch" };
  const { expiration, conditions } = Policy.parse(
    JSON.parse(Buffer.from(encoded, "base64").toString("utf8")),
  );
  if (Date.parse(expiration) <= form.now.getTime()) return denied;

  const named = new Set(unnamed);
  for (const condition of conditions) {
    if (Array.isArray(condition)) {
      const [, least, most] = condition;
      if (form.size < least) return { status: 400, code: "EntityTooSmall" };
      if (form.size > most) return { status: 400, code: "EntityTooLarge" };
      continue;
    }
    for (const [name, value] of Object.entries(condition)) {
      named.add(name.toLowerCase());
      const given = name === "bucket" ? form.bucket : fields.get(name.toLowerCase());
      if (given !== value) return denied;
    }
  }
  return [...fields.keys()].every((name) => named.has(name)) ? undefined : denied;
}

function isOurs(policy: string, fields: ReadonlyMap<string, string>): boolean {
  const { accessKeyId, secretAccessKey } = ownIdentity("http://127.0.0.1");
  const [key, ...scope] = (fields.get("x-amz-credential") ?? "").split("/");
  const expected = Buffer.from(signatureOf(policy, scope.join("/"), secretAccessKey));
  const given = Buffer.from(fields.get("x-amz-signature") ?? "");
  return (
    key === accessKeyId && given.length === expected.length && timingSafeEqual(given, expected)
  );
}
