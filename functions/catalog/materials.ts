import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import {
  ColorGroup,
  PublicMaterial,
  MaterialGrade,
  MaterialType,
  matchesFilter,
} from "#shared/domain/catalog/material.ts";
import {
  NumberedMeta,
  NumberedPage,
  numberedMeta,
  pageLinks,
  pageOf,
} from "#shared/http/paging.ts";
import { anyOf, flag } from "#shared/http/query.ts";
import { anyone, route } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { materialsOf } from "#shared/search/documents.ts";

export const listMaterials = route({
  method: "GET",
  path: "/sofas/materials",
  summary: "List materials",
  description:
    "Returns published materials with colour, swatch and price per metre. A material must match every filter, by at least one of the filter's values.",
  access: anyone,
  cache: "public",
  request: {
    query: NumberedPage.extend({
      type: anyOf(MaterialType, "velvet,fabric"),
      grade: anyOf(MaterialGrade, "A,B"),
      color: anyOf(ColorGroup, "grey"),
      pet_friendly: flag.optional(),
    }),
  },
  response: { status: 200, data: z.array(PublicMaterial), meta: NumberedMeta, links: true },
  async handle({ query }, { indexReader }: Shop<"indexReader">) {
    const { documents } = await indexReader.current();
    const matching = [...materialsOf(documents).values()].filter((material) =>
      matchesFilter(material, query),
    );
    const meta = numberedMeta(query, matching.length);
    return {
      data: pageOf(matching, query),
      meta,
      links: pageLinks(`${apiPrefix}/sofas/materials`, query, meta),
    };
  },
});

export const routes = [listMaterials];
