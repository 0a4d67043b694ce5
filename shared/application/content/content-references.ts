import { pictureReferences } from "../pictures.ts";
import {
  type Announcement,
  type CardReference,
  type Menus,
  type SofaLanding,
  announcementLinks,
  menuLinks,
} from "#shared/domain/content/content.ts";
import { type HomeSection, homeLinks } from "#shared/domain/content/home.ts";
import type { StoryContent } from "#shared/domain/content/interior-story.ts";
import { type PageContent, railLinks } from "#shared/domain/content/page.ts";
import { type RecordReference, linkReferences } from "#shared/application/require-references.ts";

const cardsAt = (path: string, items: readonly CardReference[]): RecordReference[] =>
  items.map((item, index) => ({ path: `${path}.${index}.id`, ...item }));

export const homeReferencesOf = (sections: HomeSection[]): RecordReference[] => [
  ...linkReferences(homeLinks({ sections })),
  ...pictureReferences({ sections }),
  ...sections.flatMap((section, index): RecordReference[] => {
    const path = `sections.${index}.data`;
    switch (section.type) {
      case "product_rail":
        return cardsAt(`${path}.items`, section.data.items);
      case "sofa_feature":
        return [{ path: `${path}.item.id`, ...section.data.item }];
      case "interior_stories":
        return section.data.stories.map((id, position) => ({
          path: `${path}.stories.${position}`,
          kind: "story" as const,
          id,
        }));
      case "faq":
        return [{ path: `${path}.group`, kind: "faq_group" as const, id: section.data.group }];
      default:
        return [];
    }
  }),
];

export const pageReferencesOf = (page: PageContent): RecordReference[] => [
  ...linkReferences(railLinks(page)),
  ...pictureReferences(page),
  ...page.blocks.flatMap((block, index): RecordReference[] => {
    const path = `blocks.${index}.data`;
    switch (block.type) {
      case "product_rail":
        return cardsAt(`${path}.items`, block.data.items);
      case "faq":
        return [{ path: `${path}.group`, kind: "faq_group", id: block.data.group }];
      default:
        return [];
    }
  }),
];

export const menuReferencesOf = (menus: Menus): RecordReference[] =>
  linkReferences(menuLinks(menus));

export const announcementReferencesOf = (announcement: Announcement): RecordReference[] =>
  linkReferences(announcementLinks(announcement));

export const storyReferencesOf = (story: StoryContent): RecordReference[] => [
  ...pictureReferences(story),
  ...namedIn(story),
];

const namedIn = ({ room, style, images }: StoryContent): RecordReference[] => [
  ...(room === null ? [] : [{ path: "room", kind: "room" as const, id: room }]),
  ...(style === null ? [] : [{ path: "style", kind: "style" as const, id: style }]),
  ...images.flatMap(({ hotspots }, image) =>
    hotspots.map(({ item }, spot) => ({
      path: `images.${image}.hotspots.${spot}.item.id`,
      ...item,
    })),
  ),
];

export const landingReferencesOf = ({ hero, featured }: SofaLanding): RecordReference[] => [
  ...pictureReferences({ hero }),
  ...cardsAt("featured", featured),
];
