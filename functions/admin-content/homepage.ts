import * as z from "zod";
import { documentPartsOf, storable, withIds } from "#shared/application/content/document-input.ts";
import { publishTimeInput } from "#shared/domain/base/publication-schedule.ts";
import { HomeContent, homepage } from "#shared/application/content/document-kinds.ts";
import { HomeDraft } from "#shared/domain/content/home.ts";
import { HomeVersion } from "#shared/storage/content/content-edits.ts";
import { documentRoutes, withVersion } from "./document-routes.ts";

const example = {
  sections: [
    {
      type: "newsletter",
      data: { title: "Letters from the workshop", button: "Write to me" },
    },
  ],
};

/** The ids of operations that clients know under other names than their paths give. */
const operationIds: Readonly<Record<string, string>> = {
  "POST /admin/homepage/preview": "previewHomepage",
  "DELETE /admin/homepage/preview": "endHomepagePreviews",
  "POST /admin/homepage/publish": "publishHomepage",
  "POST /admin/homepage/versions/{version}/restore": "restoreHomepage",
};

export const routes = documentRoutes(homepage, {
  path: "/admin/homepage",
  one: "the homepage",
  record: withVersion(HomeDraft),
  version: HomeVersion,
  input: z.strictObject({
    sections: documentPartsOf(HomeContent.shape.sections),
    ...publishTimeInput,
  }),
  contentOf: (sent: { sections?: object[] }, now) =>
    storable(HomeContent, { sections: withIds("sec", sent.sections ?? [], now) }),
  examples: { record: example, patch: example },
}).map((each) => {
  const operationId = operationIds[`${each.method} ${each.path}`];
  return operationId === undefined ? each : { ...each, operationId };
});
