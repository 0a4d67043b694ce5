import { hash } from "node:crypto";
import { fileURLToPath } from "node:url";

/** The types of the client, which `npm run client` writes. */
export const clientSchema = fileURLToPath(new URL("../shared/client/schema.d.ts", import.meta.url));

/** The first line of the types: which OpenAPI document they were written from, whatever its version. */
export function schemaHeader(description: string): string {
  const { info, ...document } = JSON.parse(description) as { info: { version: string } };
  const { version: _version, ...introduction } = info;
  const digest = hash("sha256", JSON.stringify([introduction, document]));
  return `/* Written by \`npm run client\` from the OpenAPI document ${digest}. */\n\n`;
}
