import * as z from "zod";
import { Announcement, type FaqGroup, Menus, SofaLanding } from "../domain/content.ts";
import { Home } from "../domain/home.ts";
import { InteriorStory, LiveStory, StoryTeaser } from "../domain/interior-story.ts";
import { LivePage, Page } from "../domain/page.ts";
import { type Redirect, publicRedirects } from "../domain/redirect.ts";
import { entity } from "./entity.ts";
import { FaqGroups, readFaqs } from "./faqs.ts";
import { readRedirects } from "./redirects.ts";
import { at } from "./reads.ts";
import type { Table } from "./table.ts";
import { type Write, put } from "./writes.ts";

type ById = { id: string };
type BySlug = { slug: string };

/** Working copies of what has many, and the partitions of the index that list them. */
export const pageList = "PAGES";
export const Pages = entity({
  name: "page",
  schema: Page,
  key: ({ id }: ById) => ({ pk: `PAGE#${id}`, sk: "PAGE" }),
  indexes: { gsi1: ({ id }) => ({ pk: pageList, sk: id }) },
});
export const storyList = "STORIES";
export const Stories = entity({
  name: "story",
  schema: InteriorStory,
  key: ({ id }: ById) => ({ pk: `STORY#${id}`, sk: "STORY" }),
  indexes: { gsi1: ({ id }) => ({ pk: storyList, sk: id }) },
});

export const LivePages = entity({
  name: "live_page",
  schema: LivePage,
  key: ({ slug }: BySlug) => ({ pk: `LIVE#page#${slug}`, sk: "LIVE" }),
});

/** The partition of the index that lists stories, newest first. */
export const storyPartition = "LIVE#story";

export const LiveStories = entity({
  name: "live_story",
  schema: LiveStory,
  key: ({ slug }: BySlug) => ({ pk: `LIVE#story#${slug}`, sk: "LIVE" }),
  indexes: {
    gsi1: ({ published_at, slug }) => ({ pk: storyPartition, sk: `${published_at}#${slug}` }),
  },
});

/** What rows of stories show of one; under its id, because that is how documents refer to it. */
export const StoryTeasers = entity({
  name: "story_teaser",
  schema: StoryTeaser,
  key: ({ id }: ById) => ({ pk: `CARD#${id}`, sk: "CARD" }),
});

/** Makes a story public: its live copy and its teaser. */
export const putLiveStory = (story: LiveStory): Write[] => [
  put(LiveStories, story),
  put(StoryTeasers, story),
];

const version = z.int().min(1);

/** Single documents, as the public reads them. All but the homepage are also what staff edit. */
export const LiveHome = entity({
  name: "live_home",
  schema: Home,
  key: () => ({ pk: "LIVE#home", sk: "LIVE" }),
});
export const LiveMenus = entity({
  name: "live_menus",
  schema: Menus.extend({ version }),
  key: () => ({ pk: "LIVE#menus", sk: "LIVE" }),
});
export const LiveAnnouncement = entity({
  name: "live_announcement",
  schema: Announcement.extend({ version }),
  key: () => ({ pk: "LIVE#announcement", sk: "LIVE" }),
});
export const LiveSofaLanding = entity({
  name: "live_sofa_landing",
  schema: SofaLanding.extend({ version }),
  key: () => ({ pk: "LIVE#sofa-landing", sk: "LIVE" }),
});

export interface LiveContent {
  home(): Promise<Home | undefined>;
  findPage(slug: string): Promise<LivePage | undefined>;
  /** In the order shown. */
  faqs(): Promise<FaqGroup[]>;
  /** Those of these slugs that there are. */
  faqGroups(slugs: readonly string[]): Promise<Map<string, FaqGroup>>;
  /** Flattened: no target redirects again. */
  redirects(): Promise<Redirect[]>;
  sofaLanding(): Promise<SofaLanding | undefined>;
  /** What stands around every page. */
  surroundings(): Promise<{ menus: Menus | undefined; announcement: Announcement | undefined }>;
  /** The teasers of these stories; what is no longer public is left out. */
  teasers(ids: readonly string[]): Promise<Map<string, StoryTeaser>>;
  findStory(slug: string): Promise<LiveStory | undefined>;
  /** Newest first. */
  listStories(page: {
    limit: number;
    after: Record<string, unknown> | undefined;
  }): Promise<{ records: LiveStory[]; next: Record<string, unknown> | undefined }>;
}

export function openLiveContent(table: Table): LiveContent {
  return {
    home: () => table.get(LiveHome, {}),
    findPage: (slug) => table.get(LivePages, { slug }),
    faqs: async () => (await readFaqs(table)).groups,
    async faqGroups(slugs) {
      if (slugs.length === 0) return new Map();
      const { groups } = await table.getMany({
        groups: slugs.map((slug) => at(FaqGroups, { slug })),
      });
      return new Map(groups.flatMap((group) => (group ? [[group.slug, group]] : [])));
    },
    redirects: async () => publicRedirects((await readRedirects(table)).redirects),
    sofaLanding: () => table.get(LiveSofaLanding, {}),
    async surroundings() {
      const { menus, announcement } = await table.getMany({
        menus: [at(LiveMenus, {})],
        announcement: [at(LiveAnnouncement, {})],
      });
      return { menus: menus[0], announcement: announcement[0] };
    },
    async teasers(ids) {
      if (ids.length === 0) return new Map();
      const { teasers } = await table.getMany({
        teasers: ids.map((id) => at(StoryTeasers, { id })),
      });
      return new Map(teasers.flatMap((teaser) => (teaser ? [[teaser.id, teaser]] : [])));
    },
    findStory: (slug) => table.get(LiveStories, { slug }),
    listStories: ({ limit, after }) =>
      table.query(LiveStories, {
        index: "gsi1",
        partition: storyPartition,
        limit,
        newestFirst: true,
        after,
      }),
  };
}
