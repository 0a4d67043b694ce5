import * as z from "zod";
import { newId } from "#shared/domain/base/ids.ts";
import type { SomeTimes } from "#shared/domain/base/publication-schedule.ts";
import {
  type ContentDocument,
  nextDraft,
  published,
  documentSlugs,
} from "#shared/domain/content/document.ts";
import {
  type HomeDraft,
  HomeSection,
  publishHome,
  publishedHome,
  unwrittenHome,
} from "#shared/domain/content/home.ts";
import {
  type InteriorStory,
  StoryContent,
  publishStory,
} from "#shared/domain/content/interior-story.ts";
import { type Page, PageContent, publishPage } from "#shared/domain/content/page.ts";
import type { ReferenceTarget } from "#shared/storage/catalog/references.ts";
import {
  HomeDrafts,
  HomeVersions,
  PageVersions,
  StoryVersions,
  homePartition,
  pagePartition,
  storyPartition,
} from "#shared/storage/content/content-edits.ts";
import {
  Pages,
  PublishedHome,
  PublishedPages,
  PublishedStories,
  Stories,
  StoryTeasers,
  putPublishedStory,
} from "#shared/storage/content/content.ts";
import type { Entity } from "#shared/storage/entity.ts";
import { type Write, put, remove } from "#shared/storage/writes.ts";

/** A document that staff edit as a draft and publish. */
export type Draft = SomeTimes & { readonly version: number };

/** A kind of document that has a draft, a published copy and numbered versions: how it is checked and stored. */
export interface DocumentKind<Of extends Draft = Draft> {
  /** Its name in the activity log, in claims to slugs, and in the schedule. */
  readonly kind: "page" | "story" | "homepage";
  /** Set if there is one document of this kind. Before the first save it is `unwritten`, with version 0. */
  readonly single?: { readonly unwritten: Of };
  readonly drafts: Entity<z.ZodObject, { id: string }>;
  readonly versions: Entity<z.ZodObject, { id: string; version: number }>;
  /** The partition of a document with its versions. */
  partition(id: string): string;
  newId(now: Date): string;
  /** The document's id, and its label in the activity log. */
  namesOf(document: Of): { readonly id: string; readonly label: string };

  /** The members that a version keeps. */
  readonly content: z.ZodObject;
  /** The ids and slugs, of the draft and of the published copy, by which other records may refer to the document. */
  targetsOf(document: Of): ReferenceTarget[];

  /** The slugs that a document holds. */
  slugsOf(document: Of | undefined): Set<string>;
  /** The published copy, if there is one; its slug is null if the public finds it without one. */
  copyOf(document: Of): { readonly version: number; readonly slug: string | null } | null;
  /** The next version of a document, with other content. */
  next(document: Of, content: object, now: Date): Of;
  /** The document after publishing; unchanged if its current version is public and no time is set. */
  published(document: Of, now: Date): Of;

  putPublished(document: Of, now: Date): Write[];
  /** Deletes the published copy of a slug. */
  removePublished(slug: string): Write[];
  /** Deletes the rows, besides the published copy, that a document has only while it is published. */
  removeTraces(id: string): Write[];
}

/** What kinds of many documents share: each has an id, a title and a slug. */
const ofMany = <Of extends ContentDocument>() => ({
  namesOf: ({ id, title }: Of) => ({ id, label: title }),
  slugsOf: documentSlugs,
  copyOf: (document: Of) => document.published,
  next: (document: Of, content: object, now: Date) => nextDraft(document, content, now),
  published: (document: Of, now: Date) => published(document, now),
});

export const pages: DocumentKind<Page> = {
  ...ofMany<Page>(),
  kind: "page",
  drafts: Pages,
  versions: PageVersions,
  partition: pagePartition,
  newId: (now) => newId("page", now),
  content: PageContent,
  targetsOf: (page) => [...documentSlugs(page)].map((id) => ({ kind: "page", id, own: page.id })),
  putPublished: (page, now) => [put(PublishedPages, publishPage(page, now))],
  removePublished: (slug) => [remove(PublishedPages, { slug })],
  removeTraces: () => [],
};

export const stories: DocumentKind<InteriorStory> = {
  ...ofMany<InteriorStory>(),
  kind: "story",
  drafts: Stories,
  versions: StoryVersions,
  partition: storyPartition,
  newId: (now) => newId("story", now),
  content: StoryContent,
  targetsOf: (story) =>
    [...documentSlugs(story)].map((slug) => ({ kind: "story", id: story.id, slug })),
  putPublished: (story, now) => putPublishedStory(publishStory(story, now)),
  removePublished: (slug) => [remove(PublishedStories, { slug })],
  removeTraces: (id) => [remove(StoryTeasers, { id })],
};

export const HomeContent = z.object({ sections: z.array(HomeSection).max(40) });

export const homepage: DocumentKind<HomeDraft> = {
  kind: "homepage",
  single: { unwritten: unwrittenHome },
  drafts: HomeDrafts,
  versions: HomeVersions,
  partition: () => homePartition,
  newId: () => "homepage",
  namesOf: () => ({ id: "homepage", label: "Homepage" }),
  content: HomeContent,
  targetsOf: () => [],
  slugsOf: () => new Set(),
  copyOf: ({ published_version: version }) => (version === null ? null : { version, slug: null }),
  next: (home, content) => ({ ...home, ...content, version: home.version + 1 }),
  published: publishedHome,
  putPublished: (home) => [put(PublishedHome, publishHome(home))],
  removePublished: () => [],
  removeTraces: () => [],
};
