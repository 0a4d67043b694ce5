import * as z from "zod";
import { Material } from "#shared/domain/catalog/material.ts";
import { PublicationStatus } from "#shared/domain/base/names.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";

const shape = Material.shape;

const example: z.input<typeof MaterialInput> = {
  code: "sutra-linen-neem",
  name: "Sutra Linen Blend Neem",
  family: "Sutra Linen Blend",
  type: "fabric",
  grade: "B",
  price_per_meter: 112_000,
  color: { name: "Neem", hex: "#5f7a4c", group: "green" },
  composition: [
    { name: "Linen", share_bps: 5_500 },
    { name: "Cotton", share_bps: 4_500 },
  ],
  martindale: 30_000,
  cleaning_code: "S",
  swatch: {
    url: "media://materials/sutra-linen-oat.svg",
    sku: "SWATCH-SUTRA-LINEN-NEEM",
    price: 4_900,
  },
  lead_time_days: 7,
};

const sumOf = (parts: readonly { share_bps: number }[]): number =>
  parts.reduce((sum, { share_bps }) => sum + share_bps, 0);

export const MaterialInput = z.strictObject({
  status: PublicationStatus.optional().meta({
    description: "Default: `draft` for a new record, otherwise unchanged",
  }),
  code: shape.code.meta({
    description: "Cannot change, because sofa options refer to the material by its code",
  }),
  name: shape.name,
  family: shape.family,
  type: shape.type,
  grade: shape.grade,
  price_per_meter: shape.price_per_meter,
  color: shape.color,
  composition: shape.composition
    .refine((parts) => parts.length === 0 || sumOf(parts) === 10_000, {
      message: "The composition field must add up to 10000 basis points.",
    })
    .default([]),
  martindale: shape.martindale.default(null),
  cleaning_code: shape.cleaning_code.default(null),
  pet_friendly: shape.pet_friendly.default(false),
  swatch: shape.swatch,
  availability: shape.availability.default("in_stock"),
  lead_time_days: shape.lead_time_days.default(0),
});

export const materialExamples = {
  record: example,
  patch: { availability: "out_of_stock", lead_time_days: 30 },
};

/**
 * The material after an edit.
 *
 * @throws AppError `validation_failed` when the code changes: sofa options and carts refer to a material by its code
 */
export function changedMaterial(
  before: Material,
  { status = before.status, ...change }: Partial<z.output<typeof MaterialInput>>,
  now: Date,
): Material {
  const after = { ...before, ...change, status };
  if (after.code !== before.code) throw invalidField("code", "A material's code cannot change.");
  const at = now.toISOString();
  const published_at = before.published_at ?? (after.status === "published" ? at : null);
  return { ...after, published_at, updated_at: at, version: before.version + 1 };
}
