import type { Shop } from "#shared/application/shop.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import * as z from "zod";
import { publishTimeInput } from "#shared/domain/base/publication-schedule.ts";
import { Home, HomeDraft } from "#shared/domain/content/home.ts";
import { PreviewLink } from "#shared/domain/content/preview-link.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { ifMatch } from "#shared/http/one-record.ts";
import { newReferences, requireReferences } from "#shared/application/require-references.ts";
import { CursorMeta, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import {
  HomeVersion,
  HomeVersions,
  PublishedVersion,
  homePartition,
  versionPrefix,
} from "#shared/storage/content/content-edits.ts";
import { endDescription, previewDescription } from "#functions/preview-route.ts";
import { VersionNumber, publisherOnly } from "./document-routes.ts";
import { partsOf, storable, withIds } from "#shared/application/content/document-input.ts";
import { homeReferencesOf } from "#shared/application/content/content-references.ts";
import { createPreviewLink, endPreviewLinks } from "#shared/application/content/preview-links.ts";
import {
  type HomeCall,
  type HomeEdit,
  changeHomepage,
  nextHomeDraft,
  readHomeDraft,
  unwrittenHome,
} from "#shared/application/content/change-homepage.ts";
import { homeTarget, publishedHome } from "#shared/application/content/save-homepage.ts";

const Content = Home.pick({ sections: true });
const HomeInput = z.strictObject({
  sections: partsOf(Home.shape.sections),
  ...publishTimeInput,
});
const example = {
  sections: [
    {
      type: "newsletter",
      data: { title: "Letters from the workshop", button: "Write to me" },
    },
  ],
};
const Homepage = HomeDraft.extend({
  version: z.int().min(0).meta({ description: "0 before the first save" }),
});

const form = editForm(HomeInput, Homepage);

const first = (_call: unknown, { table }: Shop<"table">) => readHomeDraft(table);
const answerOf = (data: z.output<typeof Homepage>) => ({ data, version: data.version });

export const getHomepage = route({
  method: "GET",
  path: "/admin/homepage",
  summary: "Get the draft of the homepage",
  description: "Before the first save it has no sections and `version` 0.",
  access: staff("content.view"),
  request: {},
  response: { status: 200, data: Homepage },
  first,
  handle: async (call) => answerOf(call.first ?? unwrittenHome),
});

const ofVersion = z.object({ version: VersionNumber });
const untilPublished = "Changes the draft. Publish it to make the change public.";

export const replaceHomepage = route({
  method: "PUT",
  path: "/admin/homepage",
  summary: "Replace the homepage",
  description: `${untilPublished} ${publisherOnly}`,
  access: staff("content.edit"),
  request: { body: form.put.meta({ example }), headers: ifMatch },
  response: { status: 200, data: Homepage },
  errors: ["version_mismatch"],
  first,
  async handle(call, shop: Shop<"table">) {
    const sent = form.replaced(call.body, call.first ?? unwrittenHome);
    const sections = withIds("sec", sent.sections, call.now);
    const content = storable(Content, { sections });
    return save(call, shop, {
      verb: "update",
      change(before) {
        const { publish_at = before.publish_at } = sent;
        return { ...nextHomeDraft(before), ...content, publish_at };
      },
      further: (before) =>
        requireReferences(
          shop.table,
          newReferences(homeReferencesOf(before.sections), homeReferencesOf(content.sections)),
        ),
    });
  },
});

export const publishHomepage = route({
  method: "POST",
  path: "/admin/homepage/publish",
  summary: "Publish the homepage",
  description:
    "Makes the draft public and keeps a numbered version of it. Publishing an unchanged draft " +
    "changes nothing.",
  access: staff("content.publish"),
  request: { headers: ifMatch },
  response: { status: 200, data: Homepage },
  errors: ["version_mismatch"],
  first,
  handle: (call, shop: Shop<"table">) =>
    save(call, shop, { verb: "publish", change: (draft) => publishedHome(draft, call.now) }),
});

export const listHomepageVersions = route({
  method: "GET",
  path: "/admin/homepage/versions",
  summary: "List the published versions of the homepage, newest first",
  description: "Each publication creates a version. Any version can be restored into the draft.",
  access: staff("content.view"),
  request: { query: CursorPage },
  response: { status: 200, data: z.array(PublishedVersion), meta: CursorMeta },
  async handle({ query }, { table }: Shop<"table">) {
    const place = { attribute: "pk", value: homePartition, prefix: versionPrefix };
    const { records, next } = await table.page(
      HomeVersions,
      { partition: homePartition, prefix: versionPrefix, newestFirst: true },
      { limit: query.per_page, after: keyOfCursor(query.cursor, place) },
    );
    return {
      data: records,
      meta: { per_page: query.per_page, next_cursor: cursorOf(next, place) },
    };
  },
});

export const getHomepageVersion = route({
  method: "GET",
  path: "/admin/homepage/versions/{version}",
  summary: "Get a published version of the homepage",
  description: "Returns the content as it was published.",
  access: staff("content.view"),
  request: { params: ofVersion },
  response: { status: 200, data: HomeVersion },
  first: ({ params }, { table }: Shop<"table">) => table.get(HomeVersions, params),
  async handle({ first }) {
    const data = orNotFound(first);
    return { data, version: data.version };
  },
});

export const previewHomepage = route({
  method: "POST",
  path: "/admin/homepage/preview",
  summary: "Create a preview link of the homepage",
  description: previewDescription,
  access: staff("content.edit"),
  request: {},
  response: { status: 200, data: PreviewLink },
  async handle(call, shop: Shop<"table" | "randomBytes">) {
    const of = { ...homeTarget, slug: null };
    return { data: await createPreviewLink(of, shop, auditContextOf(call)) };
  },
});

export const endHomepagePreviews = route({
  method: "DELETE",
  path: "/admin/homepage/preview",
  summary: "End all preview links of the homepage",
  description: endDescription,
  access: staff("content.edit"),
  request: {},
  response: { status: 204 },
  async handle(call, shop: Shop<"table">) {
    await endPreviewLinks(homeTarget, shop, auditContextOf(call));
  },
});

export const restoreHomepage = route({
  method: "POST",
  path: "/admin/homepage/versions/{version}/restore",
  summary: "Copy a version of the homepage into the draft",
  description: `${untilPublished} ${publisherOnly}`,
  access: staff("content.edit"),
  request: { params: ofVersion, headers: ifMatch },
  response: { status: 200, data: Homepage },
  errors: ["version_mismatch"],
  first,
  async handle(call, shop: Shop<"table">) {
    const { content } = orNotFound(await shop.table.get(HomeVersions, call.params));
    return save(call, shop, {
      verb: "restore",
      change: (before) => ({ ...nextHomeDraft(before), ...content }),
    });
  },
});

/** Changes the draft, and returns it. */
const save = async (
  call: HomeCall & { readonly first: HomeDraft | undefined },
  { table }: Shop<"table">,
  edit: HomeEdit,
) => answerOf(await changeHomepage(call, call.first, edit, table));

export const routes = [
  getHomepage,
  replaceHomepage,
  previewHomepage,
  endHomepagePreviews,
  publishHomepage,
  listHomepageVersions,
  getHomepageVersion,
  restoreHomepage,
];
