import openapiTypes, { COMMENT_HEADER, astToString } from "openapi-typescript";
import { description } from "#functions/docs/description.ts";
import type { Contents } from "./generated-files.ts";

/** The types of the client, from the OpenAPI document. */
export async function clientTypes(): Promise<Contents> {
  const types = await openapiTypes(await description(), {
    // Members with a default are optional in requests.
    defaultNonNullable: false,
    silent: true,
  });
  return { "shared/client/schema.d.ts": COMMENT_HEADER + astToString(types) };
}
