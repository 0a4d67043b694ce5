import { plainText } from "../base/plain-text.ts";
import type { Category, CategoryRef } from "../catalog/category.ts";
import type { Breadcrumb, PageSeo } from "../catalog/page-seo.ts";
import type { PublishedSellable, Seo } from "../catalog/product.ts";
import type { Home } from "../content/home.ts";
import type { PublishedStory } from "../content/interior-story.ts";
import { type PublishedPage, pageCover } from "../content/page.ts";
import { type StorefrontSettings, pagePath } from "../settings/storefront-address.ts";
import { type StoredPicture, mainPicture } from "../upload/media.ts";

type Paths = Pick<StorefrontSettings, "seo">;

/** The head of the page of a product or sofa. */
export const sellableHead = (
  { kind, slug, name, seo, description_html, media }: PublishedSellable & SellableKind,
  settings: Paths,
): PageSeo =>
  headOf(
    seo,
    { title: name, description: beginning(description_html), image: mainPicture(media) },
    pagePath(settings, kind, slug),
  );

interface SellableKind {
  readonly kind: "product" | "sofa";
}

/** The head of a category's page. */
export const categoryHead = (
  { kind, slug, name, description_html, image }: Category,
  settings: Paths,
): PageSeo =>
  headOf(
    nothing,
    { title: name, description: beginning(description_html), image },
    categoryPagePath(kind, slug, settings),
  );

export const contentPageHead = (page: PublishedPage, settings: Paths): PageSeo =>
  headOf(
    page.seo,
    { title: page.title, description: page.excerpt, image: pageCover(page) },
    pagePath(settings, "page", page.slug),
  );

/** The head of an interior story. */
export const storyHead = (
  { slug, title, body_html, cover }: PublishedStory,
  settings: Paths,
): PageSeo =>
  headOf(
    nothing,
    { title, description: beginning(body_html), image: cover },
    pagePath(settings, "story", slug),
  );

/** The head of the homepage: the texts of the settings, and the picture of the first hero. */
export function homeHead(
  { sections }: Pick<Home, "sections">,
  { store, seo }: StorefrontSettings,
): PageSeo {
  const hero = sections.find((section) => section.type === "hero");
  return headOf(
    { title: seo.default_title, description: seo.default_description },
    { title: store.name, description: null, image: hero?.data.image ?? null },
    "/",
  );
}

/**
 * The breadcrumbs of a category, or of something in it.
 *
 * @param path the category, then its parents
 */
export const breadcrumbsOf = (
  path: readonly (CategoryRef & { readonly kind?: Category["kind"] })[],
  settings: Paths,
): Breadcrumb[] =>
  path.toReversed().map(({ kind = "category", slug, name }) => ({
    slug,
    name,
    path: categoryPagePath(kind, slug, settings),
  }));

/** Only categories have pages in the settings. */
const categoryPagePath = (kind: Category["kind"], slug: string, settings: Paths): string | null =>
  kind === "category" ? pagePath(settings, "category", slug) : null;

const nothing: Seo = { title: null, description: null };

/** @param own what staff wrote for the page */
const headOf = (
  own: Seo,
  otherwise: { title: string; description: string | null; image: StoredPicture | null },
  canonical_path: string | null,
): PageSeo => ({
  title: own.title ?? otherwise.title,
  description: own.description ?? otherwise.description,
  canonical_path,
  image: otherwise.image,
});

/** Search engines show about this many characters of a description. */
const shownDescription = 160;

/** The beginning of a text, up to a whole word; null if there is none. */
function beginning(html: string): string | null {
  const text = plainText(html);
  if (text.length <= shownDescription) return text === "" ? null : text;
  const words = text.slice(0, shownDescription).replace(/\s\S*$/, "");
  return `${words.replace(/[\s.,;:!?–—-]+$/, "")} …`;
}
