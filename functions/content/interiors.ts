import * as z from "zod";
import {
  type PublishedStory,
  PublicStory,
  resolveStory,
  storyReferences,
} from "#shared/domain/content/interior-story.ts";
import { Slug } from "#shared/domain/base/names.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { CursorMeta, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import { anyone, route } from "#shared/http/route.ts";
import { publishedStoryList } from "#shared/storage/content/content.ts";
import type { Deps } from "./deps.ts";

export const listInteriors = route({
  method: "GET",
  path: "/interiors",
  summary: "List interior stories, newest first",
  description:
    "Returns stories with their pictures and the cards of the products and sofas in them.",
  access: anyone,
  cache: "public",
  // The list is read from an index that lags behind writes, so the response is kept in memory for two seconds only.
  remembered: { seconds: 2 },
  request: { query: CursorPage },
  response: { status: 200, data: z.array(PublicStory), meta: CursorMeta },
  async handle({ query }, { content, catalog }: Deps) {
    const list = { attribute: "gsi1pk", value: publishedStoryList };
    const after = keyOfCursor(query.cursor, list);
    const { records, next } = await content.listStories({ limit: query.per_page, after });
    return {
      data: await resolved(records, catalog),
      meta: { per_page: query.per_page, next_cursor: cursorOf(next, list) },
    };
  },
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
  request: { params: z.object({ slug: Slug }) },
  response: { status: 200, data: PublicStory },
  async handle({ params }, { content, catalog }: Deps) {
    const story = await content.findStory(params.slug);
    if (!story) throw new AppError("not_found", { message: "There is no story with this slug." });
    const [data] = await resolved([story], catalog);
    // The cast is safe: for one story, one story is returned.
    return { data: data as PublicStory };
  },
});

async function resolved(
  stories: readonly PublishedStory[],
  catalog: Deps["catalog"],
): Promise<PublicStory[]> {
  const cards = await catalog.cards([...new Set(stories.flatMap(storyReferences))]);
  return stories.map((story) => resolveStory(story, cards));
}

export const routes = [listInteriors, getInterior];
