import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { clientOf } from "./client.ts";

/** The used members of a JSON Schema. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  propertyNames?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  example?: unknown;
  examples?: unknown[];
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: JsonSchema;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<
    string,
    { description: string; content?: Record<string, { schema: JsonSchema }> }
  >;
  security?: Record<string, unknown>[];
}

export interface Description {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, unknown> };
}

/** An operation with method and path. */
export interface Described {
  /** Such as `GET /api/v1/products`. */
  readonly name: string;
  readonly path: string;
  /** In upper case. */
  readonly method: string;
  readonly operation: Operation;
}

/** The OpenAPI document of a running stack. */
export async function readDescription(baseUrl: string): Promise<Description> {
  const { body, status, text } = await clientOf(baseUrl).send<Description>("GET", "/docs/api.json");
  if (status !== 200) throw new Error(`There is no description: ${text.slice(0, 200)}`);
  return body;
}

export const operationsOf = ({ paths }: Description): Described[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );

export const jsonBodyOf = ({ requestBody }: Operation): JsonSchema | undefined =>
  requestBody?.content["application/json"]?.schema;

/**
 * Validates values with a JSON Schema validator that is independent of the service's.
 *
 * @returns what is wrong with a value; undefined if it is valid
 */
export function judgeBy(description: Description) {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addSchema(description, "description");
  const compiled = new Map<JsonSchema, ValidateFunction>();

  return (schema: JsonSchema, value: unknown): string | undefined => {
    let validate = compiled.get(schema);
    if (!validate) {
      const text = JSON.stringify(schema).replaceAll('"#/components/', '"description#/components/');
      validate = ajv.compile(JSON.parse(text) as JsonSchema);
      compiled.set(schema, validate);
    }
    if (validate(value)) return undefined;
    const [first] = validate.errors ?? [];
    return `${first?.instancePath ?? ""} ${first?.message ?? "is wrong"} (${first?.schemaPath ?? ""})`;
  };
}
export type Judge = ReturnType<typeof judgeBy>;
