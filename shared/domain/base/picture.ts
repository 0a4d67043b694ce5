import * as z from "zod";

/** A picture in responses. */
export const Picture = z.object({
  url: z.string(),
  alt: z.string(),
  width: z.int(),
  height: z.int(),
});
export type Picture = z.output<typeof Picture>;

export const Swatch = z.object({
  code: z.string(),
  label: z.string(),
  hex: z.string().nullable(),
  sku: z.string().nullable().default(null),
  image: z.string().nullable().meta({ description: "URL of a close-up" }),
});
export type Swatch = z.output<typeof Swatch>;
