import { type CardReference, type Menus, menuPages } from "#shared/domain/content/content.ts";
import type { HomeSection } from "#shared/domain/content/home.ts";
import type { StoryContent } from "#shared/domain/content/interior-story.ts";
import type { PageContent } from "#shared/domain/content/page.ts";
import type { Reference } from "#shared/application/references.ts";

const cardsAt = (path: string, items: readonly CardReference[]): Reference[] =>
  items.map((item, index) => ({ path: `${path}.${index}.id`, ...item }));

export const homeReferencesOf = (sections: readonly HomeSection[]): Reference[] =>
  sections.flatMap((section, index) => {
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
  });

export const pageReferencesOf = ({ blocks }: PageContent): Reference[] =>
  blocks.flatMap((block, index) =>
    block.type === "faq"
      ? [{ path: `blocks.${index}.data.group`, kind: "faq_group", id: block.data.group }]
      : [],
  );

export const menuReferencesOf = (menus: Menus): Reference[] =>
  Object.entries(menus).flatMap(([menu, items]) =>
    menuPages(items).map(({ path, slug }) => ({ path: `${menu}.${path}`, kind: "page", id: slug })),
  );

export const storyReferencesOf = ({ images }: StoryContent): Reference[] =>
  images.flatMap(({ hotspots }, image) =>
    hotspots.map(({ item }, spot) => ({
      path: `images.${image}.hotspots.${spot}.item.id`,
      ...item,
    })),
  );

export const featuredReferencesOf = (featured: readonly CardReference[]): Reference[] =>
  cardsAt("featured", featured);
