import * as z from "zod";
import { LeadTime } from "#shared/domain/catalog/availability.ts";
import { sanitiseHtml } from "#shared/domain/base/html.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { publicationTimesInput } from "#shared/domain/base/publication-schedule.ts";
import { ProductMedia } from "#shared/domain/upload/media.ts";
import { Code, PublicationStatus } from "#shared/domain/base/names.ts";
import { Sellable } from "#shared/domain/catalog/product.ts";

const shape = Sellable.shape;

export const StrictLeadTime = z
  .strictObject(LeadTime.shape)
  .refine(({ min_days, max_days }) => min_days <= max_days, {
    path: ["max_days"],
    message: "The max days field must be at least the min days field.",
  });

const unmeasured = {
  width_mm: null,
  depth_mm: null,
  height_mm: null,
  seat_height_mm: null,
  seat_depth_mm: null,
  arm_height_mm: null,
  diameter_mm: null,
  weight_g: null,
};

/** HTML from the admin editor, sanitized. */
const description = shape.description_html.overwrite(sanitiseHtml);

/** The members that staff write, shared by products and sofas. */
export const sellableInput = {
  status: PublicationStatus.optional().meta({
    description: "Default: `draft` for a new record, otherwise unchanged",
  }),
  slug: shape.slug,
  name: shape.name,
  subtitle: shape.subtitle.default(null),
  brand: shape.brand,
  description_html: description.default(""),
  category_slug: shape.category_slug,
  collection_slug: shape.collection_slug.default(null),
  rooms: shape.rooms.default([]),
  styles: shape.styles.default([]),
  tags: shape.tags.default([]),
  badges: shape.badges.default([]),
  media: z
    .array(ProductMedia)
    .max(40)
    .default([])
    .meta({
      description:
        "Ready media items. `url` and `type` must match the item; `width` and " +
        "`height` of a video or model set its displayed size",
    }),
  dimensions: shape.dimensions.default(unmeasured),
  packages: shape.packages.default([]),
  materials: shape.materials.default([]),
  care: shape.care.default([]),
  assembly: shape.assembly.default({
    required: false,
    minutes: null,
    people: null,
    manual_url: null,
  }),
  warranty: shape.warranty.default([]),
  delivery_classes: shape.delivery_classes.default([]),
  cod_eligible: shape.cod_eligible.default(true),
  tax_class: Code.optional().meta({
    description:
      "Tax class from the settings. Default: the default class for a new record, otherwise unchanged",
  }),
  hsn_code: shape.hsn_code.default(null),
  seo: shape.seo.default({ title: null, description: null }),
  related_ids: shape.related_ids.default([]),
  popularity: shape.popularity.default(0),
  ...publicationTimesInput,
};

/** The members that no request can set. */
type Kept = "id" | "currency" | "version" | "published_at" | "created_at" | "updated_at";

/** Defaults of a new record, from the settings. */
export interface Presets {
  readonly currency: string;
  readonly tax_class: string;
}

/** The members of a new product or sofa that its input does not contain, or may leave out. */
export function blank(
  prefix: "prd" | "sofa",
  { currency, tax_class }: Presets,
  now: Date,
): Pick<Sellable, Kept | "status" | "tax_class"> {
  const at = now.toISOString();
  return {
    id: newId(prefix, now),
    status: "draft",
    currency,
    tax_class,
    version: 1,
    published_at: null,
    created_at: at,
    updated_at: at,
  };
}
