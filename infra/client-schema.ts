import { hash } from "node:crypto";
import { fileURLToPath } from "node:url";

/** Path of the file with the client's types, which `npm run client` writes. */
export const clientSchema = fileURLToPath(new URL("../shared/client/schema.d.ts", import.meta.url));

/**
 * Returns the first line of the file: a comment with a hash of the OpenAPI document from which the client's types were
 * generated. The hash ignores the document's version number.
 */
export function schemaHeader(description: string): string {
  const { info, ...document } = JSON.parse(description) as { info: { version: string } };
  const { version: _version, ...introduction } = info;
  const digest = hash("sha256", JSON.stringify([introduction, document]));
  return `/* Written by \`npm run client\` from the OpenAPI document ${digest}. */\n\n`;
}
