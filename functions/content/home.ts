import { openPublishedContent } from "#shared/storage/content/content.ts";
import { openPublishedCatalog } from "#shared/storage/catalog/catalog.ts";
import type { Shop } from "#shared/application/shop.ts";
import { previewTargetId } from "#shared/application/content/preview-links.ts";
import { homeReferences, shownIn } from "#shared/domain/content/content-references.ts";
import { type Home, PublicHome, resolveHome } from "#shared/domain/content/home.ts";
import { homeHead } from "#shared/domain/seo/page-heads.ts";
import { PreviewQuery } from "#shared/http/preview-query.ts";
import { anyone, route } from "#shared/http/route.ts";
import { HomeDrafts } from "#shared/storage/content/content-edits.ts";
import type { Table } from "#shared/storage/table.ts";

export const getHome = route({
  method: "GET",
  path: "/home",
  summary: "Get the published homepage",
  description:
    "References are expanded to cards, stories and FAQ groups; those that are no longer " +
    "public are left out.",
  access: anyone,
  cache: "public",
  remembered: true,
  previewed: true,
  request: { query: PreviewQuery },
  response: { status: 200, data: PublicHome },
  errors: ["not_found"],
  async handle(
    { query: { preview }, now },
    { headSettings, table }: Shop<"table" | "headSettings">,
  ) {
    const [home = unpublished, current] = await Promise.all([
      preview === undefined ? openPublishedContent(table).home() : draftOf(preview, now, table),
      headSettings.latest(),
    ]);
    const { cards, stories, faqs } = shownIn(homeReferences(home));
    const [cardsById, storiesById, groups] = await Promise.all([
      openPublishedCatalog(table).cards(cards),
      openPublishedContent(table).teasers(stories),
      openPublishedContent(table).faqGroups(faqs),
    ]);
    const data = resolveHome(home, cardsById, storiesById, groups);
    return { data: { ...data, seo: homeHead(home, current) } };
  },
});

/** The homepage before its first publication. */
const unpublished: Home = { sections: [], version: 0, published_at: null };

async function draftOf(token: string, now: Date, table: Table): Promise<Home | undefined> {
  await previewTargetId(table, token, { kind: "homepage", slug: null }, now);
  return table.get(HomeDrafts, {});
}

export const routes = [getHome];
