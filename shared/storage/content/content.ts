import * as z from "zod";
import { Announcement, type FaqGroup, Menus, SofaLanding } from "../../domain/content/content.ts";
import {
  announcementReferences,
  homeReferences,
  landingReferences,
  menuReferences,
  pageReferences,
  storyReferences,
} from "../../domain/content/content-references.ts";
import { Home } from "../../domain/content/home.ts";
import { InteriorStory, PublishedStory, StoryTeaser } from "../../domain/content/interior-story.ts";
import { PublishedPage, Page } from "../../domain/content/page.ts";
import { type Redirect, publicRedirects } from "../../domain/content/redirect.ts";
import { type Referring, entity } from "../entity.ts";
import { FaqGroups, readFaqs } from "./faqs.ts";
import { readRedirects } from "./redirects.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type Write, put } from "../writes.ts";

type ById = { id: string };
type BySlug = { slug: string };

export const PublishedPages = entity({
  name: "published_page",
  showsPictures: true,
  isPublic: true,
  schema: PublishedPage,
  key: ({ slug }: BySlug) => ({ pk: `LIVE#page#${slug}`, sk: "LIVE" }),
});

/** The partition of the index that lists stories, newest first. */
export const publishedStoryList = "LIVE#story";

export const PublishedStories = entity({
  name: "published_story",
  showsPictures: true,
  isPublic: true,
  schema: PublishedStory,
  key: ({ slug }: BySlug) => ({ pk: `LIVE#story#${slug}`, sk: "LIVE" }),
  indexes: {
    gsi1: ({ published_at, slug }) => ({ pk: publishedStoryList, sk: `${published_at}#${slug}` }),
  },
});

/** Entities of drafts, for kinds that have many documents, each with the index partition that lists them. */
export const pageList = "PAGES";
export const Pages = entity({
  name: "page",
  showsPictures: true,
  schema: Page,
  refers: {
    to: ["product", "sofa", "faq_group", "link"],
    references: pageReferences,
    list: { index: "gsi1", partition: pageList },
    copies: PublishedPages,
    label: ({ title }) => title,
  },
  key: ({ id }: ById) => ({ pk: `PAGE#${id}`, sk: "PAGE" }),
  indexes: { gsi1: ({ id }) => ({ pk: pageList, sk: id }) },
});
export const storyList = "STORIES";
export const Stories = entity({
  name: "story",
  showsPictures: true,
  schema: InteriorStory,
  refers: {
    to: ["product", "sofa", "room", "style"],
    references: storyReferences,
    list: { index: "gsi1", partition: storyList },
    copies: PublishedStories,
    label: ({ title }) => title,
  },
  key: ({ id }: ById) => ({ pk: `STORY#${id}`, sk: "STORY" }),
  indexes: { gsi1: ({ id }) => ({ pk: storyList, sk: id }) },
});

/** The members of a story that lists of stories show. Keyed by id, because documents refer to stories by id. */
export const StoryTeasers = entity({
  name: "story_teaser",
  isPublic: true,
  notExported: "derived",
  schema: StoryTeaser,
  key: ({ id }: ById) => ({ pk: `CARD#${id}`, sk: "CARD" }),
});

/** Publishes a story: writes its published copy and its teaser. */
export const putPublishedStory = (story: PublishedStory): Write[] => [
  put(PublishedStories, story),
  put(StoryTeasers, story),
];

const version = z.int().min(1);

/** What the draft of the homepage and its published copy refer to. */
export const homeRefers = {
  to: ["product", "sofa", "story", "faq_group", "link"],
  references: homeReferences,
  only: {},
  as: { kind: "homepage", id: "homepage" },
  label: () => "Homepage",
} as const satisfies Referring<typeof Home>;

/**
 * The documents that exist once, as the public reads them. The homepage has a separate draft. Staff edit the other
 * documents in these rows.
 */
export const PublishedHome = entity({
  name: "published_home",
  showsPictures: true,
  isPublic: true,
  schema: Home,
  refers: homeRefers,
  key: () => ({ pk: "LIVE#home", sk: "LIVE" }),
});
export const PublishedMenus = entity({
  name: "published_menus",
  isPublic: true,
  schema: Menus.extend({ version }),
  refers: {
    to: ["link"],
    references: menuReferences,
    only: {},
    as: { kind: "menus", id: "menus" },
    label: () => "Menus",
  },
  key: () => ({ pk: "LIVE#menus", sk: "LIVE" }),
});
export const PublishedAnnouncement = entity({
  name: "published_announcement",
  isPublic: true,
  schema: Announcement.extend({ version }),
  refers: {
    to: ["link"],
    references: announcementReferences,
    only: {},
    as: { kind: "announcement", id: "announcement" },
    label: () => "Announcement bar",
  },
  key: () => ({ pk: "LIVE#announcement", sk: "LIVE" }),
});
export const PublishedSofaLanding = entity({
  name: "published_sofa_landing",
  showsPictures: true,
  isPublic: true,
  schema: SofaLanding.extend({ version }),
  refers: {
    to: ["product", "sofa"],
    references: landingReferences,
    only: {},
    as: { kind: "sofa_landing", id: "sofa_landing" },
    label: () => "Sofa landing",
  },
  key: () => ({ pk: "LIVE#sofa-landing", sk: "LIVE" }),
});

export interface PublishedContent {
  home(): Promise<Home | undefined>;
  findPage(slug: string): Promise<PublishedPage | undefined>;
  /** The FAQ groups in display order. */
  faqs(): Promise<FaqGroup[]>;
  /** The existing groups among these slugs. */
  faqGroups(slugs: readonly string[]): Promise<Map<string, FaqGroup>>;
  /** The redirects, in which each chain is replaced by direct redirects. */
  redirects(): Promise<Redirect[]>;
  sofaLanding(): Promise<SofaLanding | undefined>;
  /** The menus and the announcement, which every page shows. */
  surroundings(): Promise<{ menus: Menus | undefined; announcement: Announcement | undefined }>;
  /** The teasers of these stories. Unpublished ones are left out. */
  teasers(ids: readonly string[]): Promise<Map<string, StoryTeaser>>;
  findStory(slug: string): Promise<PublishedStory | undefined>;
  /** Newest first. */
  listStories(page: {
    limit: number;
    after: Record<string, unknown> | undefined;
  }): Promise<{ records: PublishedStory[]; next: Record<string, unknown> | undefined }>;
}

export function openPublishedContent(table: Table): PublishedContent {
  return {
    home: () => table.get(PublishedHome, {}),
    findPage: (slug) => table.get(PublishedPages, { slug }),
    faqs: async () => (await readFaqs(table)).groups,
    async faqGroups(slugs) {
      if (slugs.length === 0) return new Map();
      const { groups } = await table.getMany({
        groups: slugs.map((slug) => at(FaqGroups, { slug })),
      });
      return new Map(groups.flatMap((group) => (group ? [[group.slug, group]] : [])));
    },
    redirects: async () => publicRedirects((await readRedirects(table)).redirects),
    sofaLanding: () => table.get(PublishedSofaLanding, {}),
    async surroundings() {
      const { menus, announcement } = await table.getMany({
        menus: [at(PublishedMenus, {})],
        announcement: [at(PublishedAnnouncement, {})],
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
    findStory: (slug) => table.get(PublishedStories, { slug }),
    listStories: ({ limit, after }) =>
      table.page(
        PublishedStories,
        { index: "gsi1", partition: publishedStoryList, newestFirst: true },
        { limit, after },
      ),
  };
}
