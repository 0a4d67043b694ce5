import * as z from "zod";
import { postalCodeMatches } from "./postal-code.ts";
import { LimitedString, Phone, Text } from "./text.ts";

/** ISO 3166-1 alpha-2. */
export const Country = LimitedString(8)
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/)
  .meta({ description: "ISO 3166-1 alpha-2 code", example: "IN" });
export type Country = z.output<typeof Country>;

/** A postal code as typed; `postalCodeMatches` judges it against its country. */
export const PostalCode = LimitedString(12)
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9][A-Z0-9 -]*$/)
  .meta({ example: "560001" });
export type PostalCode = z.output<typeof PostalCode>;

/** Where something goes, as far as tax and shipping care. */
export const Destination = z.object({ country: Country, postal_code: PostalCode });
export type Destination = z.output<typeof Destination>;

/** How a sofa gets to the room. */
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
  postal_code: PostalCode,
  country: Country,
  access: Access.nullable().default(null),
};

/** A postal address with the person who receives there, as records keep it. */
export const PostalAddress = z.object({ name: Text(120), phone: Phone, ...lines });
export type PostalAddress = z.output<typeof PostalAddress>;

/** An address as a buyer sends it; `name` and `phone` are the buyer's own unless given. */
export const PostalAddressInput = z
  .strictObject({ name: Text(120).optional(), phone: Phone.optional(), ...lines })
  .superRefine((address, context) => {
    if (!postalCodeMatches(address)) {
      context.addIssue({
        code: "custom",
        path: ["postal_code"],
        message: "The postal code field must be a valid postal code.",
      });
    }
  });
export type PostalAddressInput = z.output<typeof PostalAddressInput>;

/** The address to keep: the buyer receives unless somebody else is named. */
export function addressOf(
  input: PostalAddressInput,
  buyer: { name: string; phone: string },
): PostalAddress {
  return { ...input, name: input.name ?? buyer.name, phone: input.phone ?? buyer.phone };
}
