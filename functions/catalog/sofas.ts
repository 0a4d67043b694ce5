import type { Shop } from "#shared/application/shop.ts";
import { openPublishedCatalog } from "#shared/storage/catalog/catalog.ts";
import * as z from "zod";
import { PublicCard } from "#shared/domain/catalog/card.ts";
import {
  ChosenConfiguration,
  Configuration,
  PricedConfiguration,
} from "#shared/domain/sofa/configuration.ts";
import { PublicSofaLanding } from "#shared/domain/content/content.ts";
import { Slug } from "#shared/domain/base/names.ts";
import { sofaJsonLd } from "#shared/domain/seo/json-ld.ts";
import { configurationPicture } from "#shared/domain/sofa/default-choice.ts";
import { suggestConfiguration } from "#shared/domain/sofa/suggest-configuration.ts";
import { PublicPicture } from "#shared/domain/upload/public-picture.ts";
import { Money } from "#shared/domain/base/money.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { priceSofa } from "#shared/domain/sofa/sofa-price.ts";
import { SofaDetail, sofaDetail } from "#shared/domain/sofa/sofa-detail.ts";
import { anyOf } from "#shared/http/query.ts";
import { PreviewQuery } from "#shared/http/preview-query.ts";
import { anyone, route } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { answerBatch, asBatch, batchOf, isBatch } from "./card-batch.ts";
import {
  CardListMeta,
  CardListQuery,
  SofaListQuery,
  answerCardList,
  consistent,
} from "./card-list.ts";
import { draftSofa } from "./drafts.ts";
import { keptSettings, keptSofa, noSuch } from "./kept-records.ts";
import { listedIn } from "./listed-category.ts";
import { pageHead } from "./page-head.ts";
import { relatedRoute } from "./related.ts";
import { landingOf, materialsOf } from "#shared/search/documents.ts";

const sofas = { kind: "sofa", path: `${apiPrefix}/sofas` } as const;
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
      asBatch(
        SofaListQuery.extend({
          q: CardListQuery.shape.q.meta({ example: "linnen sofa" }),
          category: anyOf(Slug, "sofas"),
          ...batchOf("sofa", "sofa_01KE66PJA0S3K76NJ3KR39PRM1", "saanjh-sofa,himroo-boucle-sofa"),
        }),
      ),
    ),
  },
  response: {
    status: 200,
    data: z.array(PublicCard),
    meta: CardListMeta.extend({ landing: PublicSofaLanding.nullable() }),
    links: true,
    serialized: true,
  },
  async handle({ query }, shop: Shop<"table" | "indexReader" | "memory">) {
    const catalog = await shop.indexReader.current();
    const landing = landingOf(catalog);
    if (isBatch(query)) return answerBatch(catalog, sofas, query, { landing });
    const category = await listedIn(catalog, query, shop);
    return answerCardList(catalog, sofas, query, { landing, ...category });
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
  async handle(
    { params: { slug }, query: { preview: token }, now },
    shop: Shop<"table" | "indexReader" | "memory">,
  ) {
    const [{ documents }, sofa, offerSettings] = await Promise.all([
      shop.indexReader.current(),
      token === undefined
        ? openPublishedCatalog(shop.table).findSofa(slug)
        : draftSofa({ token, slug, now }, shop),
      keptSettings(shop),
    ]);
    if (!sofa) noSuch("sofa");
    const materials = materialsOf(documents);
    const head = pageHead(sofa, sofaJsonLd(sofa, materials, offerSettings), offerSettings);
    return { data: { ...sofaDetail(sofa, materials), ...head } };
  },
});

const PicturedPrice = PricedConfiguration.extend({
  image: PublicPicture.nullable(),
  suggestion: z
    .object({ configuration: Configuration, price: Money })
    .nullable()
    .meta({ description: "null if the configuration is valid, or if none is found" }),
}).meta({ id: "PricedConfiguration" });

export const priceConfiguration = route({
  method: "POST",
  path: "/sofas/{slug}/price",
  summary: "Validate and price a configuration",
  description:
    "An invalid configuration returns 200 with `valid: false`, the allowed values, and as `suggestion` the nearest " +
    "valid one that keeps the option `changed`. Options left out take their default.",
  access: anyone,
  request: {
    params: bySlugParam,
    body: z
      .strictObject({
        configuration: ChosenConfiguration,
        changed: z.string().max(60).optional().meta({ description: "The option chosen last" }),
      })
      .meta({
        example: { configuration: { size: "3-seater", legs: "teak-tapered" }, changed: "size" },
      }),
  },
  response: { status: 200, data: PicturedPrice },
  async handle(
    { params: { slug }, body: { configuration, changed } },
    shop: Shop<"table" | "indexReader" | "memory">,
  ) {
    const sofa = await keptSofa(slug, shop);
    const { documents } = await shop.indexReader.current();
    const materials = materialsOf(documents);
    const priced = priceSofa(sofa, materials, configuration);
    if (changed !== undefined && !sofa.option_groups.some(({ code }) => code === changed))
      throw invalidField("changed", `This sofa has no option "${changed}".`);
    const suggestion = priced.valid
      ? null
      : suggestConfiguration(sofa, materials, configuration, changed);
    const image = configurationPicture(sofa, priced.configuration);
    return { data: { ...priced, image, suggestion } };
  },
});

export const listRelatedToSofa = relatedRoute("sofa", "List what goes with a sofa");

export const routes = [listSofas, getSofa, priceConfiguration, listRelatedToSofa];
