import {
  type InteriorStory,
  StoryContent,
  publishStory,
} from "#shared/domain/content/interior-story.ts";
import { StoryVersions } from "#shared/storage/content/content-edits.ts";
import {
  PublishedStories,
  Stories,
  StoryTeasers,
  putPublishedStory,
} from "#shared/storage/content/content.ts";
import { put, remove } from "#shared/storage/writes.ts";
import type { DocumentStorage } from "./save-document.ts";

/** How stories are stored. */
export const storyStorage: DocumentStorage = {
  kind: "story",
  put: (story: InteriorStory, condition) => put(Stories, story, condition),
  remove: (id, condition) => remove(Stories, { id }, condition),
  putPublished: (story: InteriorStory, now) => putPublishedStory(publishStory(story, now)),
  removePublished: (slug) => remove(PublishedStories, { slug }),
  removeTraces: (id) => [remove(StoryTeasers, { id })],
  putVersion: (story: InteriorStory, published) =>
    put(StoryVersions, { ...published, id: story.id, content: StoryContent.parse(story) }),
};
