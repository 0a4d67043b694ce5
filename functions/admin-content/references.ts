import type { CardReference } from "#shared/domain/content.ts";
import type { HomeSection } from "#shared/domain/home.ts";
import type { StoryContent } from "#shared/domain/interior-story.ts";
import type { Problem } from "#shared/domain/names.ts";
import { invalidFields } from "#shared/http/errors.ts";
import { Products, Sofas } from "#shared/storage/catalog.ts";
import { Stories } from "#shared/storage/content.ts";
import { type Read, type Table, at } from "#shared/storage/table.ts";

/** Something that a document refers to, and where in the document it does. */
export interface Reference {
  readonly path: string;
  readonly kind: CardReference["kind"] | "story";
  readonly id: string;
}

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
      default:
        return [];
    }
  });

export const storyReferencesOf = ({ images }: StoryContent): Reference[] =>
  images.flatMap(({ hotspots }, image) =>
    hotspots.map(({ item }, spot) => ({
      path: `images.${image}.hotspots.${spot}.item.id`,
      ...item,
    })),
  );

export const featuredReferencesOf = (featured: readonly CardReference[]): Reference[] =>
  cardsAt("featured", featured);

/** Throws AppError `validation_failed` on the path of every reference to what does not exist; drafts exist. */
export async function requireReferences(
  table: Pick<Table, "getMany">,
  references: readonly Reference[],
): Promise<void> {
  if (references.length === 0) return;
  const { records } = await table.getMany({ records: references.map(readOf) });
  const problems = references.flatMap(({ path, kind }, index): Problem[] =>
    records[index] === undefined ? [{ path, message: `There is no such ${kind}.` }] : [],
  );
  if (problems.length > 0) throw invalidFields(problems);
}

function readOf({ kind, id }: Reference): Read {
  switch (kind) {
    case "product":
      return at(Products, { id });
    case "sofa":
      return at(Sofas, { id });
    case "story":
      return at(Stories, { id });
  }
}
