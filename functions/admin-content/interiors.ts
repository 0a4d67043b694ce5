import * as z from "zod";
import { inputOf, storable } from "#shared/application/content/document-input.ts";
import { publicationTimesInput } from "#shared/domain/base/publication-schedule.ts";
import { stories } from "#shared/application/content/document-kinds.ts";
import { InteriorStory, StoryContent } from "#shared/domain/content/interior-story.ts";
import { StoryVersion } from "#shared/storage/content/content-edits.ts";
import { storyList } from "#shared/storage/content/content.ts";
import { documentRoutes } from "./document-routes.ts";

const example = {
  slug: "a-room-by-the-sea",
  title: "A room by the sea",
  cover: { url: "media://stories/sea.webp", alt: "The room", width: 1600, height: 900 },
  body_html: "<p>Light.</p>",
};

const story = StoryContent.shape;

export const routes = documentRoutes(stories, {
  path: "/admin/interiors",
  one: "a story",
  record: InteriorStory,
  version: StoryVersion,
  input: z.strictObject({
    slug: story.slug,
    title: story.title,
    room: story.room.default(null),
    style: story.style.default(null),
    cover: inputOf(story.cover),
    body_html: story.body_html.default(""),
    images: inputOf(story.images).default([]),
    ...publicationTimesInput,
  }),
  contentOf: (sent) => storable(StoryContent, sent),
  examples: { record: example, patch: { title: "A room by the sea" } },
  list: {
    plural: "interior stories",
    row: InteriorStory.omit({ body_html: true, images: true }),
    partition: storyList,
  },
});
