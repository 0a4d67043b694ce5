import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { clientOf } from "./client.ts";

/** The members of a JSON Schema that the tests use. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
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
  style?: string;
  explode?: boolean;
  schema: JsonSchema;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, DescribedResponse>;
  security?: Record<string, unknown>[] | undefined;
}

interface RequestBody {
  required: boolean;
  content: Record<string, { schema: JsonSchema; example?: unknown }>;
}

export interface DescribedResponse {
  description: string;
  headers?: Record<string, { required?: boolean; description: string }>;
  content?: Record<string, { schema: JsonSchema }>;
}

export interface Description {
  openapi: string;
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  security: Record<string, unknown>[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, unknown> };
}

/** An operation with method and path. */
export interface Described {
  /** Method and path, such as `GET /api/v1/products`. */
  readonly name: string;
  readonly path: string;
  /** In upper case. */
  readonly method: string;
  readonly operation: Operation;
}

/** The OpenAPI document of a running stack, with its references resolved except those to schemas. */
export async function readDescription(baseUrl: string): Promise<Description> {
  const { body, status, text } = await clientOf(baseUrl).send<Description>("GET", "/docs/api.json");
  if (status !== 200) throw new Error(`There is no description: ${text.slice(0, 200)}`);
  return resolved(body);
}

interface Reference {
  $ref: string;
  description?: string;
}
/**
 * The document with its references to parameters, headers and responses resolved. References to schemas stay. The
 * example in the schema of a body is copied to the media type of the body.
 */
export function resolved(document: Description): Description {
  const at = (pointer: string): unknown =>
    pointer
      .slice(2)
      .split("/")
      .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document);
  function whole<Part extends object>(part: Part | Reference): Part {
    if (!("$ref" in part)) return part;
    const { $ref, ...own } = part;
    return { ...(at($ref) as Part), ...own };
  }
  const all = <Part extends object>(parts: Record<string, Part | Reference> = {}) =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, whole(part)]));
  const withExamples = (body: RequestBody): RequestBody => ({
    ...body,
    content: Object.fromEntries(
      Object.entries(body.content).map(([type, { schema, ...content }]) => {
        const { example } = whole<JsonSchema>(schema);
        return [type, { schema, ...(example !== undefined && { example }), ...content }];
      }),
    ),
  });
  const operation = (of: Operation): Operation => ({
    ...of,
    ...(of.parameters && { parameters: of.parameters.map(whole) }),
    ...(of.requestBody && { requestBody: withExamples(of.requestBody) }),
    security: of.security ?? document.security,
    responses: Object.fromEntries(
      Object.entries(all(of.responses)).map(([status, { headers, ...response }]) => [
        status,
        { ...response, headers: all(headers) },
      ]),
    ),
  });
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([method, of]) => [method, operation(of)])),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
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

/** The schema of a JSON body, with the example that the operation shows for it. */
export function jsonBodyOf({ requestBody }: Operation): JsonSchema | undefined {
  const { schema, example } = requestBody?.content["application/json"] ?? {};
  return schema && { ...schema, ...(example !== undefined && { example }) };
}

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
