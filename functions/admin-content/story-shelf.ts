import { type InteriorStory, StoryContent, publishStory } from "#shared/domain/interior-story.ts";
import { StoryVersions } from "#shared/storage/content-edits.ts";
import { LiveStories, Stories, StoryTeasers, putLiveStory } from "#shared/storage/content.ts";
import { put, remove } from "#shared/storage/writes.ts";
import type { Shelf } from "./save-document.ts";

/** How stories are stored. */
export const storyShelf: Shelf = {
  kind: "story",
  address: (slug) => `/interiors/${slug}`,
  put: (story: InteriorStory, condition) => put(Stories, story, condition),
  remove: (id, condition) => remove(Stories, { id }, condition),
  putLive: (story: InteriorStory, now) => putLiveStory(publishStory(story, now)),
  removeLive: (slug) => remove(LiveStories, { slug }),
  removeTraces: (id) => [remove(StoryTeasers, { id })],
  putVersion: (story: InteriorStory, published) =>
    put(StoryVersions, { ...published, id: story.id, content: StoryContent.parse(story) }),
};
