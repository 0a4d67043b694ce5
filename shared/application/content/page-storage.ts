import { type Page, PageContent, publishPage } from "#shared/domain/content/page.ts";
import { PageVersions } from "#shared/storage/content/content-edits.ts";
import { PublishedPages, Pages } from "#shared/storage/content/content.ts";
import { put, remove } from "#shared/storage/writes.ts";
import type { DocumentStorage } from "./save-document.ts";

/** How pages are stored. */
export const pageStorage: DocumentStorage = {
  kind: "page",
  put: (page: Page, condition) => put(Pages, page, condition),
  remove: (id, condition) => remove(Pages, { id }, condition),
  putPublished: (page: Page, now) => [put(PublishedPages, publishPage(page, now))],
  removePublished: (slug) => remove(PublishedPages, { slug }),
  removeTraces: () => [],
  putVersion: (page: Page, published) =>
    put(PageVersions, { ...published, id: page.id, content: PageContent.parse(page) }),
};
