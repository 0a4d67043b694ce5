import * as z from "zod";
import {
  inputOf,
  documentPartsOf,
  storable,
  withIds,
} from "#shared/application/content/document-input.ts";
import { publicationTimesInput } from "#shared/domain/base/publication-schedule.ts";
import { pages } from "#shared/application/content/document-kinds.ts";
import { Page, PageContent } from "#shared/domain/content/page.ts";
import { PageVersion } from "#shared/storage/content/content-edits.ts";
import { pageList } from "#shared/storage/content/content.ts";
import { documentRoutes } from "./document-routes.ts";

const example = {
  slug: "about-us",
  title: "About us",
  blocks: [{ type: "rich_text", data: { title: "How it began", html: "<p>In a shed.</p>" } }],
};

const { slug, title, excerpt, blocks, seo } = PageContent.shape;

export const routes = documentRoutes(pages, {
  path: "/admin/pages",
  one: "a page",
  record: Page,
  version: PageVersion,
  input: z.strictObject({
    slug,
    title,
    excerpt: excerpt.default(null),
    blocks: documentPartsOf(blocks).default([]),
    seo: inputOf(seo).default({ title: null, description: null }),
    ...publicationTimesInput,
  }),
  contentOf: (sent: { blocks?: object[] }, now) =>
    storable(PageContent, { ...sent, blocks: withIds("sec", sent.blocks ?? [], now) }),
  examples: { record: example, patch: { title: "About us" } },
  list: {
    plural: "pages",
    row: Page.omit({ blocks: true, seo: true }),
    partition: pageList,
  },
});
