import * as z from "zod";
import { PublicCard } from "#shared/domain/catalog/card.ts";
import { ChosenConfiguration, PricedConfiguration } from "#shared/domain/sofa/configuration.ts";
import { PublicSofaLanding } from "#shared/domain/content/content.ts";
import { Slug } from "#shared/domain/base/names.ts";
import { sofaJsonLd } from "#shared/domain/seo/json-ld.ts";
import { priceSofa } from "#shared/domain/sofa/sofa-price.ts";
import { SofaDetail, sofaDetail } from "#shared/domain/sofa/sofa-detail.ts";
import { anyOf } from "#shared/http/query.ts";
import { PreviewQuery } from "#shared/http/preview-query.ts";
import { anyone, route } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import {
  CardListMeta,
  CardListQuery,
  SofaListQuery,
  answerCardList,
  consistent,
} from "./card-list.ts";
import type { Deps } from "./deps.ts";
import { draftSofa } from "./drafts.ts";
import { keptSofa, noSuch } from "./kept-records.ts";
import { landingOf, materialsOf } from "#shared/search/documents.ts";

const bySlugParam = z.object({ slug: Slug.meta({ example: "saanjh-sofa" }) });

export const listSofas = route({
  method: "GET",
  path: "/sofas",
  summary: "List sofas",
  description: "`meta.landing` is the content to show above the list.",
  access: anyone,
  cache: "public",
  request: {
    query: consistent(
      SofaListQuery.extend({
        q: CardListQuery.shape.q.meta({ example: "linnen sofa" }),
        category: anyOf(Slug, "sofas"),
      }),
    ),
  },
  response: {
    status: 200,
    data: z.array(PublicCard),
    meta: CardListMeta.extend({ landing: PublicSofaLanding.nullable() }),
    links: true,
    serialized: true,
  },
  async handle({ query }, { indexReader }: Deps) {
    const catalog = await indexReader.current();
    return answerCardList(catalog, { kind: "sofa", path: `${apiPrefix}/sofas` }, query, {
      landing: landingOf(catalog),
    });
  },
});

export const getSofa = route({
  method: "GET",
  path: "/sofas/{slug}",
  summary: "Get a sofa with its options and rules",
  description:
    "Returns what a configurator needs. `POST /sofas/{slug}/price` returns the price of a configuration.",
  access: anyone,
  cache: "public",
  remembered: true,
  previewed: true,
  request: { params: bySlugParam, query: PreviewQuery },
  response: { status: 200, data: SofaDetail },
  async handle({ params: { slug }, query: { preview: token }, now }, deps: Deps) {
    const [{ documents }, sofa, offerSettings] = await Promise.all([
      deps.indexReader.current(),
      token === undefined ? deps.catalog.findSofa(slug) : draftSofa({ token, slug, now }, deps),
      deps.settings(),
    ]);
    if (!sofa) noSuch("sofa");
    const materials = materialsOf(documents);
    const json_ld = sofaJsonLd(sofa, materials, offerSettings);
    return { data: { ...sofaDetail(sofa, materials), json_ld } };
  },
});

export const priceConfiguration = route({
  method: "POST",
  path: "/sofas/{slug}/price",
  summary: "Validate and price a configuration",
  description:
    "An invalid configuration returns 200 with `valid: false` and the values that would be " +
    "allowed. Options that are left out take their default.",
  access: anyone,
  request: {
    params: bySlugParam,
    body: z
      .strictObject({ configuration: ChosenConfiguration })
      .meta({ example: { configuration: { size: "3-seater", legs: "teak-tapered" } } }),
  },
  response: { status: 200, data: PricedConfiguration },
  async handle({ params: { slug }, body: { configuration } }, deps: Deps) {
    const sofa = await keptSofa(slug, deps);
    const { documents } = await deps.indexReader.current();
    return { data: priceSofa(sofa, materialsOf(documents), configuration) };
  },
});

export const routes = [listSofas, getSofa, priceConfiguration];
