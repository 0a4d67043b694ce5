import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import * as z from "zod";
import { type KeyRing, keyNamed } from "./key-ring.ts";

/** A text encrypted with AES-256-GCM. Nonce, text and tag are base64url. */
export const SealedText = z.object({
  /** The id of the encryption key. */
  kid: z.string(),
  nonce: z.string(),
  text: z.string(),
  tag: z.string(),
});
export type SealedText = z.output<typeof SealedText>;

/**
 * Thrown when a text cannot be decrypted: its key no longer exists, or the text was altered or sealed for another
 * location.
 */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

const algorithm = "aes-256-gcm";

/** A ring's keys have any length from 32 bytes and may be text, so the encryption key is derived from them. */
function cipherKey({ secret }: KeyRing["current"]): Buffer {
  const input = Buffer.from(secret, "base64url");
  return Buffer.from(hkdfSync("sha256", input, "", "sealed text", 32));
}

/**
 * Encrypts a text.
 *
 * @param location where the text is stored. It is authenticated as additional data (AAD), so decryption requires the
 * same value
 */
export function seal(text: string, { current }: KeyRing, location: string): SealedText {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(algorithm, cipherKey(current), nonce);
  cipher.setAAD(Buffer.from(location));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return {
    kid: current.kid,
    nonce: nonce.toString("base64url"),
    text: sealed.toString("base64url"),
    tag: cipher.getAuthTag().toString("base64url"),
  };
}

/**
 * Decrypts a text.
 *
 * @param location where the text is stored
 * @throws Unreadable if the ring lacks the text's key, or the text was altered or sealed for another location
 */
export function unseal({ kid, nonce, text, tag }: SealedText, ring: KeyRing, location: string) {
  const key = keyNamed(kid, ring);
  if (!key) throw new Unreadable(`The key ${kid} no longer exists`);
  const decipher = createDecipheriv(algorithm, cipherKey(key), Buffer.from(nonce, "base64url"), {
    authTagLength: 16,
  });
  decipher.setAAD(Buffer.from(location));
  try {
    decipher.setAuthTag(Buffer.from(tag, "base64url"));
    const bytes = [decipher.update(Buffer.from(text, "base64url")), decipher.final()];
    return Buffer.concat(bytes).toString("utf8");
  } catch (cause) {
    throw new Unreadable(`The text was not sealed for ${location} with the key ${kid}`, { cause });
  }
}
