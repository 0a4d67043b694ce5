import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clientSchema, schemaHeader } from "#infra/client-schema.ts";
import { description } from "#functions/docs/description.ts";

/*
 * `npm run client` writes the types of the client from the OpenAPI document. openapi-typescript does not run on
 * TypeScript 7, so npx installs it together with a TypeScript of its own.
 */

const packages = ["-p", "openapi-typescript@7.13.0", "-p", "typescript@5.9.3"];
const scratch = mkdtempSync(join(tmpdir(), "client-"));
try {
  const [document, types] = [join(scratch, "api.json"), join(scratch, "schema.d.ts")];
  const text = await description();
  writeFileSync(document, text);
  // Members with a default are optional in requests.
  const options = ["--default-non-nullable", "false", "--output", types];
  const command = ["--yes", ...packages, "openapi-typescript", document, ...options];
  execFileSync("npx", command, { cwd: scratch, stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(clientSchema, schemaHeader(text) + readFileSync(types, "utf8"));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
