import { isDeepStrictEqual } from "node:util";
import openapiTypes, { COMMENT_HEADER, astToString } from "openapi-typescript";
import { description } from "#functions/docs/description.ts";
import type { Contents } from "./generated-files.ts";

/** The types of the client, from the OpenAPI document. */
export async function clientTypes(): Promise<Contents> {
  const types = await openapiTypes(withoutGatewayProblem(await description()), {
    // Members with a default are optional in requests.
    defaultNonNullable: false,
    silent: true,
  });
  return { "shared/client/schema.d.ts": COMMENT_HEADER + astToString(types) };
}

const gatewayProblem = { $ref: "#/components/schemas/GatewayProblem" };

/** The document without API Gateway's own errors, to which the client adds what they lack. */
function withoutGatewayProblem(document: string): string {
  const { components, ...others } = JSON.parse(document) as {
    components: {
      schemas: Record<string, unknown>;
      responses: { Error: { content: { "application/json": { schema: { anyOf: object[] } } } } };
    };
  };
  const { GatewayProblem: _gatewayProblem, ...schemas } = components.schemas;
  const { schema } = components.responses.Error.content["application/json"];
  schema.anyOf = schema.anyOf.filter((option) => !isDeepStrictEqual(option, gatewayProblem));
  return JSON.stringify({ ...others, components: { ...components, schemas } });
}
