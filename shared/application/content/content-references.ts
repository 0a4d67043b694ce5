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
import { type Reference, linkReferences } from "#shared/application/require-references.ts";

const cardsAt = (path: string, items: readonly CardReference[]): Reference[] =>
  items.map((item, index) => ({ path: `${path}.${index}.id`, ...item }));

export const homeReferencesOf = (sections: HomeSection[]): Reference[] => [
  ...linkReferences(homeLinks({ sections })),
  ...pictureReferences({ sections }),
  ...sections.flatMap((section, index): Reference[] => {
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

export const pageReferencesOf = (page: PageContent): Reference[] => [
  ...linkReferences(railLinks(page)),
  ...pictureReferences(page),
  ...page.blocks.flatMap((block, index): Reference[] => {
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

export const menuReferencesOf = (menus: Menus): Reference[] => linkReferences(menuLinks(menus));

export const announcementReferencesOf = (announcement: Announcement): Reference[] =>
  linkReferences(announcementLinks(announcement));

export const storyReferencesOf = (story: StoryContent): Reference[] => [
  ...pictureReferences(story),
  ...namedIn(story),
];

const namedIn = ({ room, style, images }: StoryContent): Reference[] => [
  ...(room === null ? [] : [{ path: "room", kind: "room" as const, id: room }]),
  ...(style === null ? [] : [{ path: "style", kind: "style" as const, id: style }]),
  ...images.flatMap(({ hotspots }, image) =>
    hotspots.map(({ item }, spot) => ({
      path: `images.${image}.hotspots.${spot}.item.id`,
      ...item,
    })),
  ),
];

export const landingReferencesOf = ({ hero, featured }: SofaLanding): Reference[] => [
  ...pictureReferences({ hero }),
  ...cardsAt("featured", featured),
];
