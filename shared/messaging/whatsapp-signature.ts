import { createHmac, hash, timingSafeEqual } from "node:crypto";

const scheme = "sha256=";

/** The value of `X-Hub-Signature-256` for these bytes. */
export const hubSignature = (bytes: Uint8Array, appSecret: string): string =>
  scheme + createHmac("sha256", appSecret).update(bytes).digest("hex");

/** Whether the header is the signature of exactly these bytes with the app's secret. */
export const isSignedBy = (
  appSecret: string,
  bytes: Uint8Array,
  header: string | undefined,
): boolean => sameText(header ?? "", hubSignature(bytes, appSecret));

/** Compares in constant time. */
export const sameText = (one: string, other: string): boolean =>
  timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));
