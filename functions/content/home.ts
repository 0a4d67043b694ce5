import { previewTargetId } from "#shared/application/content/preview-links.ts";
import { type Home, PublicHome, homeReferences, resolveHome } from "#shared/domain/content/home.ts";
import { PreviewQuery } from "#shared/http/preview-query.ts";
import { anyone, route } from "#shared/http/route.ts";
import { HomeDrafts } from "#shared/storage/content/content-edits.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Deps } from "./deps.ts";

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
  async handle({ query: { preview }, now }, { content, catalog, table }: Deps) {
    const home = preview === undefined ? await content.home() : await draftOf(preview, now, table);
    if (!home) return { data: { sections: [], version: 0, published_at: null } };
    const { cards, stories, faqs } = homeReferences(home);
    const [cardsById, storiesById, groups] = await Promise.all([
      catalog.cards(cards),
      content.teasers(stories),
      content.faqGroups(faqs),
    ]);
    return { data: resolveHome(home, cardsById, storiesById, groups) };
  },
});

async function draftOf(token: string, now: Date, table: Table): Promise<Home | undefined> {
  await previewTargetId(table, token, { kind: "homepage", slug: null }, now);
  return table.get(HomeDrafts, {});
}

export const routes = [getHome];
