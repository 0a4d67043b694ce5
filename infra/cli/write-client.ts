import { writeFile } from "node:fs/promises";
import openapiTypes, { COMMENT_HEADER, astToString } from "openapi-typescript";
import { description } from "#functions/docs/description.ts";

/** Writes the types of the client to `shared/client/schema.d.ts`, from the OpenAPI document. Git ignores the file. */
const types = await openapiTypes(await description(), {
  // Members with a default are optional in requests.
  defaultNonNullable: false,
  silent: true,
});
await writeFile(
  new URL("../../shared/client/schema.d.ts", import.meta.url),
  COMMENT_HEADER + astToString(types),
);
