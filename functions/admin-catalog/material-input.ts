import * as z from "zod";
import { Material } from "#shared/domain/material.ts";
import { PublicationStatus } from "#shared/domain/names.ts";
import { invalidField } from "#shared/http/errors.ts";
import { patchOf, withPatch } from "#shared/http/patch.ts";

const { shape } = Material;

export const MaterialInput = z.strictObject({
  status: PublicationStatus.optional().meta({
    description: "Left out: as it is, and `draft` for something new",
  }),
  code: shape.code.meta({ description: "Never changes: options of sofas name a material by it" }),
  name: shape.name,
  family: shape.family,
  type: shape.type,
  grade: shape.grade,
  price_per_meter: shape.price_per_meter,
  color: shape.color,
  composition: shape.composition.default([]),
  martindale: shape.martindale.default(null),
  cleaning_code: shape.cleaning_code.default(null),
  pet_friendly: shape.pet_friendly.default(false),
  swatch: shape.swatch,
  availability: shape.availability.default("in_stock"),
  lead_time_days: shape.lead_time_days.default(0),
});

export const MaterialPatch = patchOf(MaterialInput);
export type MaterialPatch = z.output<typeof MaterialPatch>;

/** @throws AppError `validation_failed` when the code is to change: options of sofas and carts name a material by it */
export function changedMaterial(before: Material, change: MaterialPatch, now: Date): Material {
  const after = withPatch(before, change);
  if (after.code !== before.code) throw invalidField("code", "A material's code never changes.");
  const at = now.toISOString();
  const published_at = before.published_at ?? (after.status === "published" ? at : null);
  return { ...after, published_at, updated_at: at, version: before.version + 1 };
}
