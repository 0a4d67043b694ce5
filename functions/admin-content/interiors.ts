import { stories } from "#shared/application/content/document-kinds.ts";
import { InteriorStory } from "#shared/domain/content/interior-story.ts";
import { StoryVersion } from "#shared/storage/content/content-edits.ts";
import { storyList } from "#shared/storage/content/content.ts";
import { documentRoutes } from "./document-routes.ts";

const example = {
  slug: "a-room-by-the-sea",
  title: "A room by the sea",
  cover: { url: "media://stories/sea.webp", alt: "The room", width: 1600, height: 900 },
  body_html: "<p>Light.</p>",
};

export const routes = documentRoutes(stories, {
  path: "/admin/interiors",
  one: "a story",
  record: InteriorStory,
  version: StoryVersion,
  examples: { record: example, patch: { title: "A room by the sea" } },
  list: {
    plural: "interior stories",
    row: InteriorStory.omit({ body_html: true, images: true }),
    partition: storyList,
  },
});
