import { isDeepStrictEqual } from "node:util";
import { followedRedirects } from "#shared/application/content/followed-redirects.ts";
import { withMenuLinks } from "#shared/domain/content/content.ts";
import { hrefAfterNewPaths, redirectsAfterNewPaths } from "#shared/domain/content/redirect.ts";
import type { SeoSettings } from "#shared/domain/settings/further-settings.ts";
import { is } from "#shared/storage/conditions.ts";
import { PublishedAnnouncement, PublishedMenus } from "#shared/storage/content/content.ts";
import { readRedirects } from "#shared/storage/content/redirects.ts";
import { at } from "#shared/storage/reads.ts";
import type { AuditContext } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Write, put } from "#shared/storage/writes.ts";

/**
 * The writes with which the storefront's pages move to other paths: the old addresses redirect to the new ones, and
 * redirects to pages and the links of menus and of the announcement lead to the new addresses themselves.
 *
 * @throws AppError `in_use` when too many redirects change at once
 */
export async function movePaths(
  { paths: before }: SeoSettings,
  { paths: after }: SeoSettings,
  audit: AuditContext,
  table: Table,
): Promise<Write[]> {
  if (isDeepStrictEqual(before, after)) return [];
  const [map, stored] = await Promise.all([
    readRedirects(table),
    table.getMany({
      menus: [at(PublishedMenus, {})],
      announcements: [at(PublishedAnnouncement, {})],
    }),
  ]);
  const redirects = redirectsAfterNewPaths(map.redirects, before, after);
  const tooMany = "Too many redirects lead to pages whose path changes. Remove some of them first.";
  const hrefOf = (href: string) => hrefAfterNewPaths(href, before, after);
  return [
    ...followedRedirects(map, redirects, audit, tooMany),
    ...stored.menus.flatMap((menus) => {
      if (!menus) return [];
      const moved = { ...menus, ...withMenuLinks(menus, hrefOf) };
      if (isDeepStrictEqual(moved, menus)) return [];
      const next = { ...moved, version: menus.version + 1 };
      return put(PublishedMenus, next, is("version", menus.version));
    }),
    ...stored.announcements.flatMap((announcement) => {
      if (!announcement?.link) return [];
      const href = hrefOf(announcement.link.href);
      if (href === announcement.link.href) return [];
      const { link, version } = announcement;
      const next = { ...announcement, link: { ...link, href }, version: version + 1 };
      return put(PublishedAnnouncement, next, is("version", version));
    }),
  ];
}
