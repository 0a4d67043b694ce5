import * as z from "zod";
import { type Card, CardKind, PublicCard } from "../catalog/card.ts";
import { Id } from "../base/ids.ts";
import { StoredPicture } from "../upload/media.ts";
import { PublicPicture } from "../upload/public-picture.ts";
import { Slug } from "../base/names.ts";
import { Seo } from "../catalog/product.ts";
import { Html, LimitedString, Text, Timestamp } from "../base/text.ts";

/** A path on the shop's own site, such as `/sofas/oslo?tab=care`: one leading slash, never `//host`. */
export const SitePath = LimitedString(500)
  .regex(/^\/(?![/\\])[^\s\\\u0000-\u001f\u007f-\u009f]*$/)
  .meta({ example: "/sofas/oslo" });
export type SitePath = z.output<typeof SitePath>;

/** A link target: a path of the shop, a fragment, or an https, mailto or tel URL. */
export const Href = LimitedString(500)
  .regex(
    /^(?:\/(?![/\\])|https:\/\/[^\s/\\@?#]+(?=[/?#]|$)|mailto:|tel:|#)[^\s\\\u0000-\u001f\u007f-\u009f]*$/,
  )
  .meta({ example: "/sofas" });
export type Href = z.output<typeof Href>;

export const Link = z.strictObject({ label: Text(80), href: Href });
export type Link = z.output<typeof Link>;

/** A product or sofa by its id, as documents refer to it. */
export const CardReference = z.strictObject({
  kind: CardKind,
  id: z.union([Id("prd"), Id("sofa")]),
});
export type CardReference = z.output<typeof CardReference>;

/** The hero of a page or a list: its picture and text. */
export const Hero = z.strictObject({
  eyebrow: Text(60).nullable(),
  title: Text(120),
  text: Text(300).nullable(),
  image: StoredPicture,
  link: Link.nullable(),
});
/** A hero as the public reads it. */
export const PublicHero = Hero.extend({ image: PublicPicture });
/** Data of a section or block that shows sanitized HTML. */
export const RichText = z.strictObject({ title: Text(120).nullable(), html: Html(50_000) });
/** Data of a section or block that shows one FAQ group. */
export const FaqSection = z.strictObject({ title: Text(120).nullable(), group: Slug });

/** Id of a section or block; assigned when it is first stored. */
export const PartId = Id("sec");
/** The parts that can be a section of the homepage or a block of a page. */
export const HeroPart = z.strictObject({ id: PartId, type: z.literal("hero"), data: Hero });
export const PublicHeroPart = HeroPart.extend({ data: PublicHero });
export const RichTextPart = z.strictObject({
  id: PartId,
  type: z.literal("rich_text"),
  data: RichText,
});
export const FaqPart = z.strictObject({ id: PartId, type: z.literal("faq"), data: FaqSection });
/** Products and sofas in a row, with a link to more of them. */
export const ProductRailPart = z.strictObject({
  id: PartId,
  type: z.literal("product_rail"),
  data: z.strictObject({
    title: Text(120).nullable(),
    link: Link.nullable(),
    items: z.array(CardReference).min(1).max(24),
  }),
});
export type ProductRailPart = z.output<typeof ProductRailPart>;
/** A rail for the public: with cards instead of ids. */
export const PublicProductRailPart = ProductRailPart.extend({
  data: ProductRailPart.shape.data.extend({ items: z.array(PublicCard) }),
});

/** A rail with its cards. Records that are not published are left out; a rail without cards is undefined. */
export function resolveRail(
  rail: ProductRailPart,
  cards: ReadonlyMap<string, Card>,
): z.input<typeof PublicProductRailPart> | undefined {
  const items = rail.data.items.flatMap(({ id }) => cards.get(id) ?? []);
  return items.length > 0 ? { ...rail, data: { ...rail.data, items } } : undefined;
}

/** Id of a question; assigned when it is first stored. */
export const FaqId = Id("faq");

export const FaqGroup = z.object({
  slug: Slug,
  title: Text(120),
  items: z
    .array(z.strictObject({ id: FaqId, question: Text(300), answer_html: Html(10_000) }))
    .max(100),
});
export type FaqGroup = z.output<typeof FaqGroup>;

/** All FAQ groups, in display order. */
export const Faqs = z.object({ groups: z.array(FaqGroup).max(40), version: z.int().min(1) });
export type Faqs = z.output<typeof Faqs>;

export const AnnouncementTheme = z.enum(["info", "sale", "warning"]);

/** The announcement bar. It is shown while it is enabled and within its period. A null start or end means no limit. */
export const Announcement = z.object({
  enabled: z.boolean(),
  text: Text(200),
  link: Link.nullable(),
  theme: AnnouncementTheme,
  starts_at: Timestamp.nullable(),
  ends_at: Timestamp.nullable(),
});
export type Announcement = z.output<typeof Announcement>;

export const PublicAnnouncement = Announcement.pick({
  text: true,
  link: true,
  theme: true,
  ends_at: true,
});
export type PublicAnnouncement = z.output<typeof PublicAnnouncement>;

/** The announcement to show at a time: the start is inclusive, the end exclusive. */
export function announcementAt(announcement: Announcement, now: Date): PublicAnnouncement | null {
  const { enabled, text, link, theme, starts_at, ends_at } = announcement;
  const started = starts_at === null || Date.parse(starts_at) <= now.getTime();
  const ended = ends_at !== null && Date.parse(ends_at) <= now.getTime();
  return enabled && started && !ended ? { text, link, theme, ends_at } : null;
}

/** The next time at which an announcement starts or ends; undefined if there is none. */
export function announcementChangesAt(
  { enabled, starts_at, ends_at }: Pick<Announcement, "enabled" | "starts_at" | "ends_at">,
  now: Date,
): Date | undefined {
  if (!enabled) return undefined;
  return [starts_at, ends_at]
    .flatMap((at) => (at === null ? [] : new Date(at)))
    .filter((at) => at > now)
    .toSorted((one, other) => one.getTime() - other.getTime())[0];
}

const menuLeaf = z.strictObject({
  label: Text(60),
  href: Href,
  children: z.array(z.never()).max(0),
});
const menuBranch = menuLeaf.extend({ children: z.array(menuLeaf).max(30) });

/** An entry of a menu. Menus have at most three levels. */
export const MenuItem = menuLeaf.extend({ children: z.array(menuBranch).max(30) });
export type MenuItem = z.output<typeof MenuItem>;

/** Menus, keyed by their position on the site. */
export const Menus = z.object({
  header: z.array(MenuItem).max(20),
  footer: z.array(MenuItem).max(20),
  mobile: z.array(MenuItem).max(20),
  legal: z.array(MenuItem).max(20),
});
export type Menus = z.output<typeof Menus>;

/** A selling point with its icon. */
export const Usp = z.strictObject({ icon: Slug, title: Text(80), text: Text(200).nullable() });

/** The introduction to the list of sofas. */
export const SofaLanding = z.object({
  hero: Hero.nullable(),
  intro_html: Html(10_000),
  featured: z.array(CardReference).max(12),
  usps: z.array(Usp).max(12),
  seo: Seo,
});
export type SofaLanding = z.output<typeof SofaLanding>;

/** The introduction to the list of sofas for the public: with cards instead of ids. */
export const PublicSofaLanding = SofaLanding.extend({
  hero: PublicHero.nullable(),
  featured: z.array(PublicCard),
});
/** The introduction before its response. */
export type PublicSofaLanding = z.input<typeof PublicSofaLanding>;

export function resolveSofaLanding(
  landing: SofaLanding,
  cards: ReadonlyMap<string, Card>,
): PublicSofaLanding {
  return { ...landing, featured: landing.featured.flatMap(({ id }) => cards.get(id) ?? []) };
}

/** The paths of the storefront's pages with `{slug}`, by the kind of record that a page shows. */
export type PagePaths = Readonly<
  Record<"page" | "product" | "sofa" | "story" | "category", string>
>;

/** A record to which a path of the site leads, identified by its slug. */
export interface LinkTarget {
  readonly kind: keyof PagePaths | "collection";
  readonly slug: string;
}

/**
 * A path of the site as browsers and servers read it: without dot segments and percent encoding, apart from that of
 * `/`, `?` and `#`. Invalid encoding stays.
 */
export function plainPath(path: string): string {
  const site = "https://site.invalid";
  const read = URL.canParse(path, site) ? new URL(path, site).pathname : path;
  return read
    .split("/")
    .map((segment) => decodedText(segment).replaceAll(/[/?#]/g, encodeURIComponent))
    .join("/");
}

/** The text without percent encoding, composed; unchanged if its encoding is invalid. */
export function decodedText(text: string): string {
  try {
    return decodeURIComponent(text).normalize();
  } catch {
    return text;
  }
}

const listOfProducts = "/products";
/** The list of materials, which a sofa's default path matches. */
const listOfMaterials = "/sofas/materials";

/**
 * The records that a link leads to; empty if it leads to no record of the shop.
 *
 * @param paths the storefront's paths. If several match, the most specific one counts, and none if two are equal
 */
export function linkTargets(href: string, paths: PagePaths): LinkTarget[] {
  if (!href.startsWith("/")) return [];
  const [address = ""] = href.split("#");
  const [sent = "", query] = address.split("?");
  const path = plainPath(sent).replace(/\/$/, "");
  if (path === listOfMaterials) return [];
  if (path === listOfProducts && query !== undefined)
    return listTargets(new URLSearchParams(query));
  // The settings have exactly these kinds.
  const kinds = Object.keys(paths) as (keyof PagePaths)[];
  const matches = kinds.flatMap((kind) => {
    const slug = slugIn(path, paths[kind]);
    return slug === undefined ? [] : [{ kind, slug }];
  });
  const shortest = Math.min(...matches.map(({ slug }) => slug.length));
  const closest = matches.filter(({ slug }) => slug.length === shortest);
  return closest.length === 1 ? closest : [];
}

/** The categories and collections by which a list of products is filtered. */
const listTargets = (query: URLSearchParams): LinkTarget[] =>
  (["category", "collection"] as const).flatMap((kind) =>
    query
      .getAll(kind)
      .flatMap((value) => value.split(","))
      .filter((name) => name !== "")
      .map((name) => ({ kind, slug: name })),
  );

/** The slug in a path of the storefront; undefined if the path does not match `template`. */
function slugIn(path: string, template: string): string | undefined {
  const [before = "", after = ""] = template.replace(/\/$/, "").split("{slug}");
  const slug = path.slice(before.length, path.length - after.length);
  const matches = slug !== "" && !slug.includes("/") && before + slug + after === path;
  return matches ? slug : undefined;
}

/** A link of a document, and its path in the document. */
export interface PlacedLink {
  readonly path: string;
  readonly href: string;
}

interface LinkedItem {
  readonly href: string;
  readonly children: readonly unknown[];
}

const itemLinks = (path: string, items: readonly LinkedItem[]): PlacedLink[] =>
  items.flatMap(({ href, children }, index) => [
    { path: `${path}.${index}.href`, href },
    // Zod cannot type an item that contains items.
    ...itemLinks(`${path}.${index}.children`, children as readonly LinkedItem[]),
  ]);

export const menuLinks = ({ header, footer, mobile, legal }: Menus): PlacedLink[] =>
  Object.entries({ header, footer, mobile, legal }).flatMap(([menu, items]) =>
    itemLinks(menu, items),
  );

/** The menus with other links. */
export function withMenuLinks(menus: Menus, hrefOf: (href: string) => string): Menus {
  const relinked = <Item extends LinkedItem>(items: readonly Item[]): Item[] =>
    items.map((item) => ({
      ...item,
      href: hrefOf(item.href),
      // Zod cannot type an item that contains items.
      children: relinked(item.children as readonly LinkedItem[]),
    }));
  const { header, footer, mobile, legal } = menus;
  return {
    header: relinked(header),
    footer: relinked(footer),
    mobile: relinked(mobile),
    legal: relinked(legal),
  };
}

export const announcementLinks = ({ link }: Pick<Announcement, "link">): PlacedLink[] =>
  link ? [{ path: "link.href", href: link.href }] : [];

/** An FAQ section or block for the public: with the group instead of its slug. */
export const PublicFaqPart = FaqPart.extend({ data: FaqSection.extend({ group: FaqGroup }) });
