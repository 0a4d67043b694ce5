import * as z from "zod";
import { Picture } from "../base/picture.ts";
import { PublicPicture } from "../upload/public-picture.ts";
import { plainText } from "../base/plain-text.ts";
import type { PublishedStory } from "../content/interior-story.ts";
import { type PublishedPage, pageCover } from "../content/page.ts";

/** A page or an interior story in search results. */
export const PageTeaser = z.object({
  slug: z.string(),
  title: z.string(),
  excerpt: z.string().nullable(),
  cover: Picture.nullable(),
});
export type PageTeaser = z.output<typeof PageTeaser>;

export const PageType = z.enum(["interior", "page"]);
export type PageType = z.output<typeof PageType>;

/** A page or story in the list of results. */
export const PageResult = z.object({
  type: PageType,
  page: PageTeaser.extend({ cover: PublicPicture.nullable() }),
});

/** A page or story with the text by which it is found. */
export const PageEntry = z.object({
  type: PageType,
  id: z.string(),
  teaser: PageTeaser,
  text: z.string(),
});
export type PageEntry = z.output<typeof PageEntry>;

/** Maximum length of the text by which a page is found. Every reader of the index loads the texts of all pages. */
const longestText = 1_500;

export function pageEntry(page: PublishedPage): PageEntry {
  const { id, slug, title, excerpt, blocks } = page;
  const texts = blocks.flatMap((block): string[] => {
    switch (block.type) {
      case "rich_text":
        return [block.data.title ?? "", block.data.html];
      case "columns":
        return block.data.columns.flatMap((column) => [column.title ?? "", column.html]);
      case "cta":
        return [block.data.title, block.data.text ?? ""];
      default:
        return [];
    }
  });
  return {
    type: "page",
    id,
    teaser: { slug, title, excerpt, cover: pageCover(page) },
    text: plainText(texts.join("\n")).slice(0, longestText),
  };
}

export function storyEntry({
  id,
  slug,
  title,
  cover,
  room,
  style,
  body_html,
}: PublishedStory): PageEntry {
  const text = plainText(body_html);
  const sentence = /^.{1,200}?[.!?](?=\s|$)/.exec(text)?.[0] ?? null;
  const places = [room ?? "", style ?? ""].join(" ").replaceAll("-", " ");
  return {
    type: "interior",
    id,
    teaser: { slug, title, excerpt: sentence, cover },
    text: `${places}\n${text}`.slice(0, longestText),
  };
}
