import type { Shop } from "#shared/application/shop.ts";
import { openPublishedCatalog } from "#shared/storage/catalog/catalog.ts";
import * as z from "zod";
import {
  type PublishedStory,
  PublicStory,
  publishStory,
  resolveStory,
} from "#shared/domain/content/interior-story.ts";
import { listRoute } from "#functions/list-route.ts";
import { shownIn, storyReferences } from "#shared/domain/content/content-references.ts";
import { Slug } from "#shared/domain/base/names.ts";
import { foundOrLinkInvalid, previewTargetId } from "#shared/application/content/preview-links.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { storyHead } from "#shared/domain/seo/page-heads.ts";
import { PreviewQuery } from "#shared/http/preview-query.ts";
import { anyone, route } from "#shared/http/route.ts";
import {
  openPublishedContent,
  Stories,
  publishedStoryList,
} from "#shared/storage/content/content.ts";
import type { Table } from "#shared/storage/table.ts";

export const listInteriors = listRoute({
  path: "/interiors",
  summary: "List interior stories, newest first",
  description:
    "Returns stories with their pictures and the cards of the products and sofas in them.",
  access: anyone,
  cache: "public",
  // The list is read from an index that lags behind writes, so the response is kept in memory for two seconds only.
  remembered: { seconds: 2 },
  row: PublicStory,
  list(_call, { table }: Shop<"table" | "headSettings">) {
    const range = { index: "gsi1", partition: publishedStoryList } as const;
    return { range, page: (at) => openPublishedContent(table).listStories(at) };
  },
  shown: (stories, _call, shop) => resolved(stories, shop),
});

export const getInterior = route({
  method: "GET",
  path: "/interiors/{slug}",
  summary: "Get an interior story",
  description:
    "Returns the story with its pictures and the cards of the products and sofas in them. " +
    "Returns 404 if the story is not published.",
  access: anyone,
  cache: "public",
  remembered: true,
  previewed: true,
  request: { params: z.object({ slug: Slug }), query: PreviewQuery },
  response: { status: 200, data: PublicStory },
  async handle(
    { params: { slug }, query: { preview }, now },
    shop: Shop<"table" | "headSettings">,
  ) {
    const story =
      preview === undefined
        ? await openPublishedContent(shop.table).findStory(slug)
        : await draftOf(preview, slug, now, shop.table);
    if (!story) throw new AppError("not_found", { message: "There is no story with this slug." });
    const [data] = await resolved([story], shop);
    // The cast is safe: for one story, one story is returned.
    return { data: data as PublicStory };
  },
});

async function draftOf(token: string, slug: string, now: Date, table: Table) {
  const id = await previewTargetId(table, token, { kind: "story", slug }, now);
  return publishStory(foundOrLinkInvalid(await table.get(Stories, { id })), now);
}

async function resolved(
  stories: readonly PublishedStory[],
  { table, headSettings }: Shop<"table" | "headSettings">,
): Promise<PublicStory[]> {
  const [cards, current] = await Promise.all([
    openPublishedCatalog(table).cards(shownIn(stories.flatMap(storyReferences)).cards),
    headSettings.latest(),
  ]);
  return stories.map((story) => ({
    ...resolveStory(story, cards),
    seo: storyHead(story, current),
  }));
}

export const routes = [listInteriors, getInterior];
