import { openPublishedContent } from "#shared/storage/content/content.ts";
import type { Shop } from "#shared/application/shop.ts";
import {
  Menus,
  PublicAnnouncement,
  announcementAt,
  announcementChangesAt,
} from "#shared/domain/content/content.ts";
import { PublicSettings, publicSettings } from "#shared/domain/settings/settings-groups.ts";
import { anyone, route } from "#shared/http/route.ts";

const noMenus: Menus = { header: [], footer: [], mobile: [], legal: [] };

export const getBootstrap = route({
  method: "GET",
  path: "/bootstrap",
  summary: "Get what every storefront page needs: menus, announcement bar, public settings",
  description:
    "Buyers can use the `payment_methods` that are `enabled`. `countries` says what addresses need. `announcement` is " +
    "null while none is shown.",
  access: anyone,
  cache: "public",
  remembered: true,
  request: {},
  response: {
    status: 200,
    data: PublicSettings.extend({ announcement: PublicAnnouncement.nullable(), menus: Menus }),
  },
  async handle(
    { now },
    { table, settings }: Shop<"table" | "settings", "payments" | "seo" | "shipping" | "store">,
  ) {
    const [{ menus, announcement }, current] = await Promise.all([
      openPublishedContent(table).surroundings(),
      settings.latest(),
    ]);
    return {
      data: {
        ...publicSettings(current),
        announcement: announcement ? announcementAt(announcement, now) : null,
        menus: menus ?? noMenus,
      },
      validUntil: announcement && announcementChangesAt(announcement, now),
    };
  },
});

export const routes = [getBootstrap];
