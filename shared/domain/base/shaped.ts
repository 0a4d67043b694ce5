import type * as z from "zod";

declare const shaped: unique symbol;

/** A value that a schema has shaped: it has no undeclared members. Made by `shapedBy` alone. */
export type Shaped<Value> = Value & { readonly [shaped]: true };

/** The JSON text of a shaped value. */
export type ShapedJson = string & { readonly [shaped]: true };

/** Shapes a value by the schema of its answers. Throws ZodError when it does not match. */
export const shapedBy = <Schema extends z.ZodType>(
  schema: Schema,
  value: z.input<Schema>,
): Shaped<z.output<Schema>> =>
  // The one place that brands a value: the schema has just dropped undeclared members.
  schema.parse(value) as Shaped<z.output<Schema>>;

export const shapedJson = (value: Shaped<object>): ShapedJson =>
  // As above: the text of a shaped value.
  JSON.stringify(value) as ShapedJson;
