import type * as z from "zod";

declare const parsed: unique symbol;

/** A value that `parsedBy` has returned: parsed by a schema, which drops undeclared members. */
export type ParsedValue<Value> = Value & { readonly [parsed]: true };

/** The JSON text of a parsed value. */
export type ParsedJson = string & { readonly [parsed]: true };

/**
 * Parses a response value with the response's schema.
 *
 * @throws ZodError if it does not match
 */
export const parsedBy = <Schema extends z.ZodType>(
  schema: Schema,
  value: z.input<Schema>,
): ParsedValue<z.output<Schema>> =>
  // Only this cast marks a value as parsed; the schema has just dropped undeclared members.
  schema.parse(value) as ParsedValue<z.output<Schema>>;

export const parsedJson = (value: ParsedValue<object>): ParsedJson =>
  // The value is parsed, so its JSON text is a ParsedJson.
  JSON.stringify(value) as ParsedJson;
