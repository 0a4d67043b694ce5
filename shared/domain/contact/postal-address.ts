import * as z from "zod";
import { readState } from "./place-of-supply.ts";
import { Country, PostalCode, readPostalCode } from "./postal-code.ts";
import { Phone, Text } from "../base/text.ts";

/** What a carrier must know to reach the door: floor, lift and notes. */
export const Access = z.strictObject({
  floor: z.int().min(-5).max(200).nullable().default(null),
  lift: z.boolean().nullable().default(null),
  notes: Text(300).nullable().default(null),
});
export type Access = z.output<typeof Access>;

const lines = {
  line1: Text(200),
  line2: Text(200).nullable().default(null),
  landmark: Text(200).nullable().default(null),
  city: Text(100),
  state: Text(100).nullable().default(null),
  postal_code: PostalCode.nullable()
    .default(null)
    .meta({ description: "Null where the country has no postal codes" }),
  country: Country,
  access: Access.nullable().default(null),
};

/** A postal address with its recipient, as stored. */
export const PostalAddress = z.object({ name: Text(120), phone: Phone, ...lines });
export type PostalAddress = z.output<typeof PostalAddress>;

/** An address from a buyer; `name` and `phone` default to the buyer's own. */
export const PostalAddressInput = z
  .strictObject({ name: Text(120).optional(), phone: Phone.optional(), ...lines })
  .superRefine((address, context) => {
    const { problem } = readAddress(address);
    if (problem === undefined) return;
    const { path, message, allowed } = problem;
    context.addIssue({ code: "custom", path: [path], message, params: { allowed } });
  })
  .overwrite(asRead);
export type PostalAddressInput = z.output<typeof PostalAddressInput>;

/** The address to store. The buyer is the recipient unless another one is named. */
export function addressOf(
  input: PostalAddressInput,
  buyer: { name: string; phone: string },
): PostalAddress {
  return { ...input, name: input.name ?? buyer.name, phone: input.phone ?? buyer.phone };
}

/** Some members of an address, which are merged into the stored address (RFC 7396): null clears a member. */
export const PostalAddressPatch = z
  .strictObject({
    name: Text(120).nullable(),
    phone: Phone.nullable(),
    line1: lines.line1,
    line2: Text(200).nullable(),
    landmark: Text(200).nullable(),
    city: lines.city,
    state: Text(100).nullable(),
    postal_code: PostalCode.nullable(),
    country: Country,
    access: z
      .strictObject({
        floor: Access.shape.floor.unwrap(),
        lift: Access.shape.lift.unwrap(),
        notes: Access.shape.notes.unwrap(),
      })
      .partial()
      .nullable(),
  })
  .partial();
export type PostalAddressPatch = z.output<typeof PostalAddressPatch>;

type Unset<Of> = { [Name in keyof Of]: Of[Name] | undefined };

interface Person {
  readonly name: string;
  readonly phone: string;
}

/**
 * The address after a patch. The buyer stays the recipient unless another one is named.
 *
 * @param buyer the buyer's name and phone before (`was`) and after (`is`) the patch
 */
export function patchedAddress(
  before: PostalAddress,
  patch: PostalAddressPatch,
  buyer: { readonly was: Person; readonly is: Person },
): PostalAddress {
  const { name, phone, access, ...rest } = patch;
  // TypeScript allows undefined members in `rest`. Zod creates none: a member that the request omits is absent.
  const sent = rest as Partial<{ [Name in keyof typeof rest]: PostalAddress[Name] }>;
  const person = (member: keyof Person, named: string | null | undefined) => {
    const kept = before[member] === buyer.was[member] ? buyer.is[member] : before[member];
    return named === null ? buyer.is[member] : (named ?? kept);
  };
  return asRead({
    ...before,
    ...sent,
    name: person("name", name),
    phone: person("phone", phone),
    access: access === undefined ? before.access : access && accessOf(before.access, access),
  });
}

function accessOf(before: Access | null, patch: Partial<Unset<Access>>): Access {
  const {
    floor = before?.floor ?? null,
    lift = before?.lift ?? null,
    notes = before?.notes ?? null,
  } = patch;
  return { floor, lift, notes };
}

type Place = Pick<PostalAddress, "country" | "postal_code" | "state">;

/** What is wrong with an address, with the states that would be right. */
export interface AddressProblem {
  readonly path: "postal_code" | "state";
  readonly message: string;
  readonly allowed?: readonly string[];
}

/** The postal code and the state of an address in its country's form, or what is wrong with them. */
export function readAddress(
  address: Place,
):
  | (Pick<Place, "postal_code" | "state"> & { readonly problem?: undefined })
  | { readonly problem: AddressProblem } {
  const code = readPostalCode(address);
  if (code.problem !== undefined) {
    return { problem: { path: "postal_code", message: code.problem } };
  }
  const { postal_code } = code;
  const read = readState({ ...address, postal_code });
  if (read.problem === undefined) return { postal_code, state: read.state };
  return { problem: { path: "state", message: read.problem, allowed: read.allowed } };
}

/** The address with its postal code and state in its country's form; unchanged if one is not valid. */
export function asRead<Of extends Place>(address: Of): Of {
  const { problem, ...read } = readAddress(address);
  return problem === undefined ? { ...address, ...read } : address;
}
