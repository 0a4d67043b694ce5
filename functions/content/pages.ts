import { pageReferences, shownIn } from "#shared/domain/content/content-references.ts";
import { openPublishedCatalog } from "#shared/storage/catalog/catalog.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { Slug } from "#shared/domain/base/names.ts";
import { PublicPage, publishPage, resolvePage } from "#shared/domain/content/page.ts";
import { foundOrLinkInvalid, previewTargetId } from "#shared/application/content/preview-links.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { contentPageHead } from "#shared/domain/seo/page-heads.ts";
import { PreviewQuery } from "#shared/http/preview-query.ts";
import { anyone, route } from "#shared/http/route.ts";
import type { Table } from "#shared/storage/table.ts";
import { openPublishedContent, Pages } from "#shared/storage/content/content.ts";

export const getPage = route({
  method: "GET",
  path: "/pages/{slug}",
  summary: "Get a published page",
  description:
    "Rails show cards and FAQ blocks their groups; what is no longer public is left out. Returns " +
    "404 if the page is not published.",
  access: anyone,
  cache: "public",
  remembered: true,
  previewed: true,
  request: { params: z.object({ slug: Slug }), query: PreviewQuery },
  response: { status: 200, data: PublicPage },
  async handle(
    { params: { slug }, query: { preview }, now },
    { headSettings, table }: Shop<"table" | "headSettings">,
  ) {
    const [page, current] = await Promise.all([
      preview === undefined
        ? openPublishedContent(table).findPage(slug)
        : draftOf(preview, slug, now, table),
      headSettings.latest(),
    ]);
    if (!page) throw new AppError("not_found", { message: "There is no page with this slug." });
    const { cards, faqs } = shownIn(pageReferences(page));
    const [cardsById, groups] = await Promise.all([
      openPublishedCatalog(table).cards(cards),
      openPublishedContent(table).faqGroups(faqs),
    ]);
    const data = resolvePage(page, cardsById, groups);
    return { data: { ...data, seo: contentPageHead(page, current) } };
  },
});

async function draftOf(token: string, slug: string, now: Date, table: Table) {
  const id = await previewTargetId(table, token, { kind: "page", slug }, now);
  return publishPage(foundOrLinkInvalid(await table.get(Pages, { id })), now);
}

export const routes = [getPage];
