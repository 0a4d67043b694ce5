import * as z from "zod";
import { HomeDraft, HomeSection } from "../../domain/content/home.ts";
import { Id } from "../../domain/base/ids.ts";
import { StoryContent } from "../../domain/content/interior-story.ts";
import { PageContent } from "../../domain/content/page.ts";
import { Timestamp } from "../../domain/base/text.ts";
import { entity } from "../entity.ts";
import { homeRefers } from "./content.ts";

/** The draft of the homepage. */
export const HomeDrafts = entity({
  name: "home",
  showsPictures: true,
  schema: HomeDraft,
  refers: homeRefers,
  key: () => ({ pk: "HOME", sk: "HOME" }),
});

/** A published version of a document: when it was published, and by whom. */
export const PublishedVersion = z.object({
  version: z.int().min(1),
  published_at: Timestamp,
  published_by: z.string().meta({ description: "Id of the staff user" }),
});
export type PublishedVersion = z.output<typeof PublishedVersion>;

type OfDocument = { id: string; version: number };

/** The prefix of versions' sort keys. */
export const versionPrefix = "VERSION#";
// Padded, so that the keys sort in numeric order.
const versionKey = (version: number) => versionPrefix + String(version).padStart(12, "0");
const versionPattern = `${versionPrefix}<version in twelve digits>`;

export const PageVersion = PublishedVersion.extend({ content: PageContent });
export const StoryVersion = PublishedVersion.extend({ content: StoryContent });
export const HomeVersion = PublishedVersion.extend({
  content: z.object({ sections: z.array(HomeSection) }),
});

export const pagePartition = (id: string) => `PAGE#${id}`;
export const PageVersions = entity({
  name: "page_version",
  notExported: "version",
  schema: PageVersion.extend({ id: Id("page") }),
  key: ({ id, version }: OfDocument) => ({ pk: pagePartition(id), sk: versionKey(version) }),
  patterns: { table: [["PAGE#<id>", versionPattern]] },
});

export const storyPartition = (id: string) => `STORY#${id}`;
export const StoryVersions = entity({
  name: "story_version",
  notExported: "version",
  schema: StoryVersion.extend({ id: Id("story") }),
  key: ({ id, version }: OfDocument) => ({ pk: storyPartition(id), sk: versionKey(version) }),
  patterns: { table: [["STORY#<id>", versionPattern]] },
});

export const homePartition = "HOME";
export const HomeVersions = entity({
  name: "home_version",
  notExported: "version",
  schema: HomeVersion,
  key: ({ version }: { version: number }) => ({ pk: homePartition, sk: versionKey(version) }),
  patterns: { table: [[homePartition, versionPattern]] },
});
