import { hash } from "node:crypto";
import { fileURLToPath } from "node:url";

/** The types of the client, which `npm run client` writes. */
export const clientSchema = fileURLToPath(new URL("../shared/client/schema.d.ts", import.meta.url));

/**
 * The first line of the types. It has a hash of the OpenAPI document they were written from, which ignores the
 * document's version.
 */
export function schemaHeader(description: string): string {
  const { info, ...document } = JSON.parse(description) as { info: { version: string } };
  const { version: _version, ...introduction } = info;
  const digest = hash("sha256", JSON.stringify([introduction, document]));
  return `/* Written by \`npm run client\` from the OpenAPI document ${digest}. */\n\n`;
}
