import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Problem } from "../base/names.ts";
import { AppError, invalidFields } from "./app-error.ts";
import { parsed } from "./validation.ts";

type Type = z.core.$ZodType;
type Json = Record<string, unknown>;

/** A PATCH body as sent: every member is optional, at every depth. */
export type PatchBody = Readonly<Record<string, unknown>>;

/** The PUT and PATCH bodies of a record. */
export interface EditForm<Input extends z.ZodObject> {
  /** The body of a PUT: all writable members, and read-only members that must be unchanged. */
  readonly put: z.ZodType<z.output<Input>, z.input<Input>>;
  /** The body of a PATCH: any members of the body of a PUT. */
  readonly patch: z.ZodType<PatchBody>;
  /**
   * The input that a PUT writes.
   *
   * @param shown the record as its GET returns it now
   * @throws AppError `validation_failed` on read-only members that differ, `version_mismatch` on another `version`
   */
  replaced(sent: object, shown: object): z.output<Input>;
  /** The members that a PATCH names, each merged with its previous value. Throws as `replaced` does. */
  patched(sent: object, shown: object): Partial<z.output<Input>>;
}

/**
 * The bodies that edit a record: PUT replaces, PATCH merges (RFC 7396).
 *
 * @param input the writable members
 * @param record the GET response
 */
export function editForm<Input extends z.ZodObject>(
  input: Input,
  record: z.ZodObject,
): EditForm<Input> {
  const readOnly = Object.entries(record.shape).filter(([name]) => !(name in input.shape));
  const sentBack = Object.fromEntries(readOnly.map(([name]) => [name, z.unknown().optional()]));

  function requireUnchanged(sent: object, shown: object): void {
    // Every object can be read as a map of its members.
    const now = shown as Json;
    const problems = readOnly.flatMap(([name, schema]): Problem[] => {
      if (!Object.hasOwn(sent, name)) return [];
      // The body, too, can be read as a map of its members.
      const value = (sent as Json)[name];
      if (isDeepStrictEqual(value, answered(schema, now[name]))) return [];
      if (name === "version") {
        throw new AppError("version_mismatch", { details: { current_version: now["version"] } });
      }
      const message = `The ${name.replaceAll("_", " ")} field is read-only.`;
      return [{ path: name, message }];
    });
    if (problems.length > 0) throw invalidFields(problems);
  }

  const changes = z.strictObject(partialShape(input));
  // `describedAs` makes the OpenAPI document show only the writable members: PUT takes what POST takes.
  return {
    // TypeScript cannot tell for a generic `Input` that the extended schema parses the same input.
    put: input
      .safeExtend(sentBack)
      .meta({ describedAs: input }) as unknown as EditForm<Input>["put"],
    patch: changes.safeExtend(sentBack).meta({ describedAs: changes }),
    replaced(sent, shown) {
      requireUnchanged(sent, shown);
      // `sent` was parsed by a schema that extends the input.
      return membersOf(input, sent) as z.output<Input>;
    },
    patched(sent, shown) {
      requireUnchanged(sent, shown);
      const named = Object.keys(membersOf(input, sent));
      // The result of merging two objects is an object.
      const merged = merge(input, membersOf(input, shown), membersOf(input, sent)) as Json;
      // If the schema has a rule over several members, all members are parsed; otherwise only those that were sent.
      const whole = input.def.checks?.length ? input : z.object(pick(input.shape, named));
      // The input's own schemas have parsed the members, so the members have the types of these schemas.
      return pick(parsed(whole, merged) as Json, named) as Partial<z.output<Input>>;
    },
  };
}

/** The value as a response contains it: parsed by its schema and serialized. */
const answered = (schema: Type, value: unknown): unknown => {
  const { data, success } = z.safeParse(schema, value);
  return success && data !== undefined ? JSON.parse(JSON.stringify(data)) : undefined;
};

const pick = <Value>(of: Readonly<Record<string, Value>>, names: readonly string[]) =>
  // Callers pass only names of existing members.
  Object.fromEntries(names.map((name) => [name, of[name] as Value]));

const membersOf = (input: z.ZodObject, of: object): Json =>
  Object.fromEntries(
    Object.entries(of).filter(([name, value]) => name in input.shape && value !== undefined),
  );

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const hasDefault = (of: Type): of is z.ZodDefault | z.ZodPrefault =>
  of instanceof z.ZodDefault || of instanceof z.ZodPrefault;

/** The schema without optional, nullable and default wrappers. */
function bare(of: Type): Type {
  if (hasDefault(of) || of instanceof z.ZodOptional || of instanceof z.ZodNullable) {
    return bare(of.unwrap());
  }
  return of;
}

const takesNull = (of: Type): boolean => z.safeParse(of, null).success;

function partialShape(of: z.ZodObject): z.core.$ZodLooseShape {
  return Object.fromEntries(
    Object.entries(of.shape).map(([name, member]) => [name, z.optional(partial(member))]),
  );
}

const partials = new WeakMap<Type, Type>();

/** The PATCH schema of a value: objects accept any of their members, and null clears a member with a default. */
function partial(of: Type): Type {
  const made = partials.get(of) ?? madePartial(of);
  partials.set(of, made);
  return made;
}

function madePartial(of: Type): Type {
  const kept = (schema: Type): Type => {
    // All schemas come from Zod's classic API, so each is a ZodType, here and below.
    const description = (of as z.ZodType).description;
    return description === undefined ? schema : (schema as z.ZodType).meta({ description });
  };
  if (hasDefault(of)) {
    const inner = partial(of.unwrap());
    return kept(takesNull(inner) ? inner : z.nullable(inner));
  }
  if (of instanceof z.ZodOptional) return kept(partial(of.unwrap()));
  if (of instanceof z.ZodNullable) return kept(z.nullable(partial(of.unwrap())));
  if (of instanceof z.ZodObject) return kept(z.strictObject(partialShape(of)));
  if (of instanceof z.ZodDiscriminatedUnion) return kept(z.union(of.options.map(partial)));
  return of;
}

/** A value after a merge patch. A null sets a nullable member to null, and any other member to its default. */
function merge(of: Type, base: unknown, sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  const { shape, kept } = branchOf(bare(of), isObject(base) ? base : {}, sent);
  if (!shape) return sent;
  const merged = { ...kept };
  for (const [name, value] of Object.entries(sent)) {
    const member = shape[name];
    if (member && value === null && !takesNull(member)) delete merged[name];
    else merged[name] = member ? merge(member, kept[name], value) : value;
  }
  return merged;
}

/**
 * The schema's members for an object, and the previous values to keep. If the object changes to another branch of a
 * union, only members that this branch has are kept.
 */
function branchOf(
  of: Type,
  base: Json,
  sent: Json,
): { shape: Readonly<Record<string, Type>> | undefined; kept: Json } {
  if (of instanceof z.ZodObject) return { shape: of.shape, kept: base };
  if (!(of instanceof z.ZodDiscriminatedUnion)) return { shape: undefined, kept: base };
  const name = of.def.discriminator;
  const tag = sent[name] ?? base[name];
  const branch = of.options.find(
    (option): option is z.ZodObject =>
      // Zod requires that every option has the discriminator.
      option instanceof z.ZodObject && z.safeParse(option.shape[name] as Type, tag).success,
  );
  if (!branch || tag === base[name]) return { shape: branch?.shape, kept: base };
  return { shape: branch.shape, kept: membersOf(branch, base) };
}
