import * as z from "zod";
import { FaqId, PartId } from "#shared/domain/content/content.ts";
import { sanitiseDocument } from "#shared/domain/base/html.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { parsed } from "#shared/domain/request/validation.ts";

/** The input schema for a stored shape: objects are strict, and nullable members and the ids of parts are optional. */
export function inputOf<Schema extends z.ZodType>(of: Schema): Schema {
  // The output type stays the same; only the accepted input differs.
  return inputSchema(of) as unknown as Schema;
}

/** The input schema of a document's parts: its sections, blocks or questions. `withIds` assigns missing ids. */
export const documentPartsOf = (of: z.ZodType): z.ZodType<object[]> =>
  // The cast holds because every document's parts are an array of objects.
  inputSchema(of) as z.ZodType<object[]>;

const inputs = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * Builds one input schema per shape, so that the OpenAPI document contains it once. A shape that needs no change is its
 * own input schema.
 */
function inputSchema(of: z.core.$ZodType): z.ZodType {
  const input = inputs.get(of) ?? copied(of);
  inputs.set(of, input);
  return input;
}

// The copies are made by `clone` from the old definition, which keeps bounds and refinements.
function copied(of: z.core.$ZodType): z.ZodType {
  // All schemas come from Zod's classic API, so each is a ZodType, here and below.
  if (of === PartId || of === FaqId) return (of as z.ZodType).optional();
  if (of instanceof z.ZodNullable) return inputSchema(of.unwrap()).nullable().default(null);
  if (of instanceof z.ZodArray) {
    const element = inputSchema(of.element);
    return element === of.element ? of : of.clone({ ...of.def, element });
  }
  if (of instanceof z.ZodDiscriminatedUnion) {
    return of.clone({ ...of.def, options: of.options.map(inputSchema) as typeof of.def.options });
  }
  if (of instanceof z.ZodObject) {
    const members = Object.entries(of.shape);
    const shape = members.map(([name, member]) => [name, inputSchema(member)] as const);
    const isInput = members.every(([, member], index) => shape[index]?.[1] === member);
    if (isInput && of.def.catchall instanceof z.ZodNever) return of;
    return of.clone({ ...of.def, shape: Object.fromEntries(shape), catchall: z.never() });
  }
  return of as z.ZodType;
}

/** Gives a new id to each part that has none. */
export const withIds = (prefix: "sec" | "faq", parts: readonly object[], now: Date): object[] =>
  parts.map((part) => ({ id: newId(prefix, now), ...defined(part) }));

const defined = (part: object): object =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));

/** Maximum size of a stored document, well below DynamoDB's limit of 400 KB per item. */
const mostBytes = 256 * 1024;

/**
 * The content to store. Its HTML is sanitized first and validated afterwards, because escaping lengthens text.
 *
 * @throws AppError `validation_failed`, `payload_too_large`
 */
export function storable<Schema extends z.ZodType>(of: Schema, sent: unknown): z.output<Schema> {
  const content = parsed(of, sanitiseDocument(sent));
  if (Buffer.byteLength(JSON.stringify(content)) > mostBytes) {
    throw new AppError("payload_too_large", { message: "The document is too large." });
  }
  return content;
}
