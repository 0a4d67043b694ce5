import { type Page, PageContent, publishPage } from "#shared/domain/page.ts";
import { PageVersions } from "#shared/storage/content-edits.ts";
import { LivePages, Pages } from "#shared/storage/content.ts";
import { put, remove } from "#shared/storage/writes.ts";
import type { Shelf } from "./save-document.ts";

/** How pages are stored. */
export const pageShelf: Shelf = {
  kind: "page",
  address: (slug) => `/pages/${slug}`,
  put: (page: Page, condition) => put(Pages, page, condition),
  remove: (id, condition) => remove(Pages, { id }, condition),
  putLive: (page: Page, now) => [put(LivePages, publishPage(page, now))],
  removeLive: (slug) => remove(LivePages, { slug }),
  removeTraces: () => [],
  putVersion: (page: Page, published) =>
    put(PageVersions, { ...published, id: page.id, content: PageContent.parse(page) }),
};
