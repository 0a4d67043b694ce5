import * as z from "zod";
import { Card } from "#shared/domain/catalog/card.ts";
import { ChosenConfiguration } from "#shared/domain/cart/cart-input.ts";
import { PricedConfiguration } from "#shared/domain/sofa/configuration.ts";
import { PublicSofaLanding } from "#shared/domain/content/content.ts";
import { Code, Slug } from "#shared/domain/base/names.ts";
import type { PublishedSofa } from "#shared/domain/sofa/sofa.ts";
import { priceSofa } from "#shared/domain/sofa/sofa-price.ts";
import { SofaDetail, sofaDetail } from "#shared/domain/sofa/sofa-detail.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { anyOf, wholeNumber } from "#shared/http/query.ts";
import { anyone, route } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { CardListMeta, CardListQuery, answerCardList, consistent } from "./card-list.ts";
import type { Deps } from "./deps.ts";
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
      CardListQuery.extend({
        q: CardListQuery.shape.q.meta({ example: "linnen sofa" }),
        category: anyOf(Code, "sofas"),
        seats: anyOf(wholeNumber(1, 20), "2,3"),
        width_max_mm: wholeNumber(1, 20_000).optional(),
      }),
    ),
  },
  response: {
    status: 200,
    data: z.array(Card),
    meta: CardListMeta.extend({ landing: PublicSofaLanding.nullable() }),
    links: true,
    serialized: true,
  },
  async handle({ query }, { indexReader }: Deps) {
    const catalog = await indexReader.current();
    return answerCardList(catalog.index, { kind: "sofa", path: `${apiPrefix}/sofas` }, query, {
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
  request: { params: bySlugParam },
  response: { status: 200, data: SofaDetail },
  async handle({ params: { slug } }, { indexReader, catalog }: Deps) {
    const [{ documents }, sofa] = await Promise.all([
      indexReader.current(),
      catalog.findSofa(slug),
    ]);
    if (!sofa) throw noSuchSofa();
    return { data: sofaDetail(sofa, materialsOf(documents)) };
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

/** The published sofa, kept in memory until any public data changes. */
const keptSofa = (slug: string, { memory, catalog }: Deps): Promise<PublishedSofa> =>
  memory.keep(`sofa ${slug}`, async () => {
    const sofa = await catalog.findSofa(slug);
    if (!sofa) throw noSuchSofa();
    return { value: sofa, bytes: JSON.stringify(sofa).length, until: Infinity };
  });

const noSuchSofa = () => new AppError("not_found", { message: "There is no sofa with this slug." });

export const routes = [listSofas, getSofa, priceConfiguration];
