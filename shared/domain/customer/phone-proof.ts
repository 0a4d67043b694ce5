import { hash } from "node:crypto";
import * as z from "zod";
import { machineText } from "../base/machine-text.ts";
import { Phone, Timestamp } from "../base/text.ts";

const digits = 8;
/** A longer message is no answer with a code. */
const longestAnswer = 500;
const mostTries = 5;
const validMs = 15 * 60_000;

/** A code that a customer has to send from the phone of the profile. */
export const PhoneProof = z.object({
  customer_id: z.string(),
  /** The phone as the profile has it. The code proves no other. */
  phone: Phone,
  code_hash: z.string(),
  /** Wrong codes that came from the phone. */
  tries: z.int().min(0),
  expires_at: Timestamp,
});
export type PhoneProof = z.output<typeof PhoneProof>;

/** What a customer needs to prove a phone. */
export const PhoneProofCode = z
  .object({
    code: z.string().meta({ description: "Eight digits to send from the phone by WhatsApp" }),
    expires_at: Timestamp,
    whatsapp_url: z.string().nullable().meta({
      description: "Opens WhatsApp with the message written; null if the store has no number",
    }),
  })
  .meta({
    id: "PhoneProof",
    example: {
      code: "40725518",
      expires_at: "2026-11-21T09:15:00.000Z",
      whatsapp_url: "https://wa.me/918049001122?text=My%20code%20is%204072%205518",
    },
  });
export type PhoneProofCode = z.output<typeof PhoneProofCode>;

const hashOf = (code: string): string => hash("sha256", code, "base64url");

/**
 * A new proof and its code.
 *
 * @param random at least 6 bytes from a secure source
 */
export function newPhoneProof(
  { id: customer_id, phone }: { id: string; phone: Phone },
  random: Buffer,
  now: Date,
): { proof: PhoneProof; code: string } {
  const code = String(random.readUIntBE(0, 6) % 10 ** digits).padStart(digits, "0");
  const expires_at = new Date(now.getTime() + validMs).toISOString();
  return { proof: { customer_id, phone, code_hash: hashOf(code), tries: 0, expires_at }, code };
}

/** The link that opens WhatsApp with the code. @param number of the store, with its country code */
export function proofLink(number: string, code: string): string {
  const text = `My code is ${code.slice(0, digits / 2)} ${code.slice(digits / 2)}`;
  return `https://wa.me/${number.replace("+", "")}?text=${encodeURIComponent(text)}`;
}

/** The codes in a message, in order. Their digits may be grouped. */
export function codesIn(message: string): string[] {
  if (message.length > longestAnswer) return [];
  const numbers = machineText(message).matchAll(/(?<![\d+])\d(?:[ -]?\d)*(?!\d)/g);
  return Array.from(numbers, ([number]) => number.replaceAll(/[ -]/g, "")).filter(
    (number) => number.length === digits,
  );
}

/** The proof after these codes arrived from its phone: `proven`, or the number of wrong codes so far. */
export function afterCodes(
  proof: PhoneProof,
  codes: readonly string[],
  now: Date,
): "proven" | number {
  let { tries } = proof;
  if (Date.parse(proof.expires_at) <= now.getTime()) return tries;
  for (const code of codes) {
    if (tries >= mostTries) break;
    if (hashOf(code) === proof.code_hash) return "proven";
    tries += 1;
  }
  return tries;
}
