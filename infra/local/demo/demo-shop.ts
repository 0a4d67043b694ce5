import type { Coupon } from "#shared/domain/pricing/coupon.ts";
import type { Announcement, Faqs, Menus, SofaLanding } from "#shared/domain/content/content.ts";
import type { Home } from "#shared/domain/content/home.ts";
import type { InteriorStory } from "#shared/domain/content/interior-story.ts";
import type { Page } from "#shared/domain/content/page.ts";
import type { Redirect } from "#shared/domain/content/redirect.ts";
import type { AllSettings } from "#shared/domain/settings/settings.ts";
import { type DemoCatalog, demoCatalog } from "./catalog.ts";
import { demoFaqs } from "./data/content/faqs.ts";
import { demoHome, demoSofaLanding } from "./data/content/home.ts";
import { demoAnnouncement, demoMenus, demoRedirects } from "./data/content/navigation.ts";
import { demoPages } from "./data/content/pages.ts";
import { demoStories } from "./data/content/stories.ts";
import { demoCoupons } from "./data/coupons.ts";
import { demoSettings } from "./data/settings.ts";

/** Every record of the demo shop as staff would have left it, and the files of its media library. */
export interface DemoShop extends DemoCatalog {
  pages: Page[];
  stories: InteriorStory[];
  home: Home;
  faqs: Faqs;
  menus: Menus;
  announcement: Announcement;
  redirects: Redirect[];
  sofaLanding: SofaLanding;
  coupons: Coupon[];
  settings: AllSettings;
}

/** Creates the demo shop. It is the same at every call, except for dates, which are relative to `now`. */
export function demoShop(now: Date): DemoShop {
  const catalog = demoCatalog(now);
  const { stories, drawings } = demoStories(catalog, now);
  return {
    ...catalog,
    drawings: [...catalog.drawings, ...drawings],
    stories,
    pages: demoPages(stories[0]!.cover, now),
    home: demoHome(catalog, stories, now),
    faqs: demoFaqs,
    menus: demoMenus,
    announcement: demoAnnouncement(now),
    redirects: demoRedirects,
    sofaLanding: demoSofaLanding(catalog, stories),
    coupons: demoCoupons(now),
    settings: demoSettings,
  };
}
