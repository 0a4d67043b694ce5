import * as z from "zod";
import { slugsOf } from "#shared/domain/content/document.ts";
import { InteriorStory, StoryContent } from "#shared/domain/content/interior-story.ts";
import {
  StoryVersion,
  StoryVersions,
  storyPartition,
  versionPrefix,
} from "#shared/storage/content/content-edits.ts";
import { Stories, storyList } from "#shared/storage/content/content.ts";
import { documentRoutes } from "./document-routes.ts";
import { inputOf, storable } from "#shared/application/content/document-input.ts";
import { storyReferencesOf } from "#shared/application/content/content-references.ts";
import { storyStorage } from "#shared/application/content/story-storage.ts";

const shape = StoryContent.shape;
const example = {
  slug: "a-room-by-the-sea",
  title: "A room by the sea",
  cover: { url: "media://stories/sea.webp", alt: "The room", width: 1600, height: 900 },
  body_html: "<p>Light.</p>",
};

const StoryInput = z.strictObject({
  slug: shape.slug,
  title: shape.title,
  room: shape.room.default(null),
  style: shape.style.default(null),
  cover: inputOf(shape.cover),
  body_html: shape.body_html.default(""),
  images: inputOf(shape.images).default([]),
});

export const routes = documentRoutes({
  path: "/admin/interiors",
  prefix: "story",
  plural: "interior stories",
  storage: storyStorage,
  record: InteriorStory,
  row: InteriorStory.omit({ body_html: true, images: true }),
  input: StoryInput,
  examples: { record: example, patch: { title: "A room by the sea" } },
  listPartition: storyList,
  partition: storyPartition,
  find: (table, id) => table.get(Stories, { id }),
  list: (table, page) =>
    table.page(Stories, { index: "gsi1", partition: storyList, newestFirst: true }, page),
  versions: (table, id, page) =>
    table.page(
      StoryVersions,
      { partition: storyPartition(id), prefix: versionPrefix, newestFirst: true },
      page,
    ),
  version: (table, id, version) => table.get(StoryVersions, { id, version }),
  versionRecord: StoryVersion,
  content: (sent) => storable(StoryContent, sent),
  references: (content: StoryContent) => storyReferencesOf(content),
  targets: (story) => [...slugsOf(story)].map((slug) => ({ kind: "story", id: story.id, slug })),
});
