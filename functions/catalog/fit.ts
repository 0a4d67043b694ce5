import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { ChosenConfiguration } from "#shared/domain/sofa/configuration.ts";
import { materialsOf } from "#shared/search/documents.ts";
import { Id } from "#shared/domain/base/ids.ts";
import { Slug } from "#shared/domain/base/names.ts";
import { Fit, Opening, Room, fitOf } from "#shared/domain/delivery/fit.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { priceSofa } from "#shared/domain/sofa/sofa-price.ts";
import { anyone, route } from "#shared/http/route.ts";
import { keptProduct, keptSofa } from "./kept-records.ts";

const description =
  "Compares each package, in its best position, with each opening, and the assembled piece with the " +
  "room. `tight` means that less than 20 mm of space remains.";

const Way = z.strictObject({
  openings: z.array(Opening).max(20),
  room: Room.optional(),
});
const openings = [
  { kind: "door", width_mm: 800, height_mm: 2_000 },
  { kind: "corner", width_mm: 1_000, height_mm: 2_200 },
] as const;

export const checkProductFit = route({
  method: "POST",
  path: "/products/{slug}/fit",
  summary: "Check whether a product fits through doors and into a room",
  description: `${description} Without \`variant_id\`, compares the packages of the whole product.`,
  access: anyone,
  limit: "fit",
  request: {
    params: z.object({ slug: Slug }),
    body: Way.extend({ variant_id: Id("var").optional() }).meta({ example: { openings } }),
  },
  response: { status: 200, data: Fit },
  async handle(
    { params: { slug }, body: { openings: way, room, variant_id } },
    shop: Shop<"table" | "memory">,
  ) {
    const product = await keptProduct(slug, shop);
    const variant = product.variants.find(({ id }) => id === variant_id);
    if (variant_id !== undefined && !variant)
      throw invalidField("variant_id", "The product has no variant with this id.");
    const packages = variant?.packages ?? product.packages;
    return { data: fitOf({ packages, dimensions: product.dimensions }, way, room) };
  },
});

export const checkSofaFit = route({
  method: "POST",
  path: "/sofas/{slug}/fit",
  summary: "Check whether a configured sofa fits through doors and into a room",
  description: `${description} Options that are left out take their default.`,
  access: anyone,
  limit: "fit",
  request: {
    params: z.object({ slug: Slug.meta({ example: "saanjh-sofa" }) }),
    body: Way.extend({ configuration: ChosenConfiguration.default({}) }).meta({
      example: { configuration: { size: "3-seater" }, openings },
    }),
  },
  response: { status: 200, data: Fit },
  async handle(
    { params: { slug }, body: { openings: way, room, configuration } },
    shop: Shop<"table" | "indexReader" | "memory">,
  ) {
    const [sofa, { documents }] = await Promise.all([
      keptSofa(slug, shop),
      shop.indexReader.current(),
    ]);
    const { errors, packages, dimensions } = priceSofa(sofa, materialsOf(documents), configuration);
    // An unavailable material is ignored, because it changes no measure.
    const wrong = errors.find(({ code }) => code !== "unavailable");
    if (wrong) throw invalidField(`configuration.${wrong.option}`, wrong.message);
    return { data: fitOf({ packages, dimensions: dimensions ?? sofa.dimensions }, way, room) };
  },
});

export const routes = [checkProductFit, checkSofaFit];
