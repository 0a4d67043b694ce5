import { PublicHome, homeReferences, resolveHome } from "#shared/domain/content/home.ts";
import { anyone, route } from "#shared/http/route.ts";
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
  request: {},
  response: { status: 200, data: PublicHome },
  async handle(_call, { content, catalog }: Deps) {
    const home = await content.home();
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

export const routes = [getHome];
