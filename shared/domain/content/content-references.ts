import { type RecordReference, linkReferences } from "../base/references.ts";
import {
  type Announcement,
  type CardReference,
  type Menus,
  type SofaLanding,
  announcementLinks,
  menuLinks,
} from "./content.ts";
import { type Home, homeLinks } from "./home.ts";
import type { StoryContent } from "./interior-story.ts";
import { type PageContent, railLinks } from "./page.ts";

const cardsAt = (path: string, items: readonly CardReference[]): RecordReference[] =>
  items.map((item, index) => ({ path: `${path}.${index}.id`, ...item }));

export const homeReferences = ({ sections }: Pick<Home, "sections">): RecordReference[] => [
  ...linkReferences(homeLinks({ sections })),
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

export const pageReferences = (page: Pick<PageContent, "blocks">): RecordReference[] => [
  ...linkReferences(railLinks(page)),
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

export const menuReferences = (menus: Menus): RecordReference[] => linkReferences(menuLinks(menus));

export const announcementReferences = (announcement: Announcement): RecordReference[] =>
  linkReferences(announcementLinks(announcement));

export const storyReferences = ({
  room,
  style,
  images,
}: Pick<StoryContent, "room" | "style" | "images">): RecordReference[] => [
  ...(room === null ? [] : [{ path: "room", kind: "room" as const, id: room }]),
  ...(style === null ? [] : [{ path: "style", kind: "style" as const, id: style }]),
  ...images.flatMap(({ hotspots }, image) =>
    hotspots.map(({ item }, spot) => ({
      path: `images.${image}.hotspots.${spot}.item.id`,
      ...item,
    })),
  ),
];

export const landingReferences = ({ featured }: Pick<SofaLanding, "featured">) =>
  cardsAt("featured", featured);

/** The records that a document shows, each once: ids, and slugs of FAQ groups. */
export function shownIn(references: readonly RecordReference[]) {
  const ids = (...kinds: RecordReference["kind"][]) => [
    ...new Set(references.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)),
  ];
  return { cards: ids("product", "sofa"), stories: ids("story"), faqs: ids("faq_group") };
}
