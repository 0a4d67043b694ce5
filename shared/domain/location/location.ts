import * as z from "zod";
import { Id } from "../base/ids.ts";
import { Code } from "../base/names.ts";
import { Text, Timestamp } from "../base/text.ts";
import { PostalAddressInput } from "../contact/postal-address.ts";

/** How many locations a shop may have. */
export const mostLocations = 30;

/** The members of a location that staff write. */
export const LocationInput = z.strictObject({
  code: Code.meta({ description: "Unique. Quotes and orders name a location by its code" }),
  name: Text(80),
  kind: z.enum(["warehouse", "showroom", "van"]),
  address: PostalAddressInput.nullable()
    .default(null)
    .meta({ description: "Where buyers collect an order that is sold here" }),
  sells: z.boolean().default(true).meta({ description: "Whether quotes can be sold here" }),
  priority: z.int().min(0).max(1_000).default(0).meta({ description: "Lower comes first" }),
  zones: z.array(Code).max(50).default([]).meta({
    description: "Codes of the shipping zones that it serves; empty for all",
  }),
});
export type LocationInput = z.output<typeof LocationInput>;

/** A place at which the shop sells or keeps goods. */
export const Location = z
  .object({
    id: Id("loc"),
    ...LocationInput.shape,
    used: z.boolean().meta({
      description: "Whether a quote has named it. Then its code stays, and it cannot be deleted",
    }),
    version: z.int().min(1),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Location" });
export type Location = z.output<typeof Location>;
