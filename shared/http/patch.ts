import * as z from "zod";

/** The members of a PATCH body, each of which may be left out. */
type PatchOf<Schema extends z.ZodObject> = {
  [Member in keyof z.output<Schema>]?: z.output<Schema>[Member] | undefined;
};

/**
 * The schema of a PATCH for what `schema` replaces whole: every member may be left out and then stays as it is,
 * instead of becoming its default; null clears where the member may be null.
 */
export function patchOf<Schema extends z.ZodObject>(
  schema: Schema,
): z.ZodType<PatchOf<Schema>, Partial<z.input<Schema>>> {
  const shape = Object.fromEntries(
    Object.entries(schema.shape).map(([member, of]) => [member, z.optional(withoutDefault(of))]),
  );
  return z.strictObject(shape) as unknown as z.ZodType<PatchOf<Schema>, Partial<z.input<Schema>>>;
}

const withoutDefault = (of: z.core.$ZodType): z.core.$ZodType =>
  of instanceof z.ZodDefault || of instanceof z.ZodOptional ? withoutDefault(of.unwrap()) : of;

/** A record with what a patch names in place of its own. */
export function withPatch<Record extends object>(
  record: Record,
  patch: { [Member in keyof Record]?: Record[Member] | undefined },
): Record {
  const named = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...record, ...Object.fromEntries(named) };
}
