import { timingSafeEqual } from "node:crypto";
import { SignatureV4, createScope } from "@smithy/signature-v4";
import * as z from "zod";
import { openS3 } from "#shared/files/s3.ts";

const Policy = z.object({
  expiration: z.iso.datetime(),
  conditions: z.array(
    z.union([
      z.record(z.string(), z.string()),
      z.tuple([z.literal("content-length-range"), z.int(), z.int()]),
    ]),
  ),
});

/** Fields that a policy does not have to list. */
const unnamed = new Set(["policy", "x-amz-signature", "file"]);

interface Refusal {
  readonly status: number;
  readonly code: string;
}

/**
 * Returns the reason why S3 would refuse a form; undefined if S3 would accept it. Only the rules that the service's
 * forms use are checked: signature, expiry, exact field values, and the range of the file's size.
 */
export async function refusalOfForm(
  fields: ReadonlyMap<string, string>,
  form: { bucket: string; size: number; now: Date },
): Promise<Refusal | undefined> {
  const denied = { status: 403, code: "AccessDenied" };
  const encoded = fields.get("policy") ?? "";
  if (!(await isOurs(encoded, fields))) return { status: 403, code: "SignatureDoesNotMatch" };
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
      const sent = name === "bucket" ? form.bucket : fields.get(name.toLowerCase());
      if (sent !== value) return denied;
    }
  }
  return [...fields.keys()].every((name) => named.has(name)) ? undefined : denied;
}

const service = "s3";

/** Whether the policy was signed with the emulator's credentials. */
async function isOurs(policy: string, fields: ReadonlyMap<string, string>): Promise<boolean> {
  const { region, credentials, sha256 } = openS3({ endpoint: "http://127.0.0.1" }).config;
  const { accessKeyId } = await credentials();
  const day = (fields.get("x-amz-date") ?? "").slice(0, 8);
  const scope = createScope(day, await region(), service);
  if (fields.get("x-amz-credential") !== `${accessKeyId}/${scope}`) return false;
  const signingDate = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
  const signer = new SignatureV4({ service, region, credentials, sha256 });
  const expected = Buffer.from(await signer.sign(policy, { signingDate }));
  const signature = Buffer.from(fields.get("x-amz-signature") ?? "");
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}
