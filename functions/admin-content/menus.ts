import { recordRoutes } from "#functions/record-routes.ts";
import { inputOf, storable } from "#shared/application/content/document-input.ts";
import { rowStore } from "#shared/application/record-store.ts";
import { Menus } from "#shared/domain/content/content.ts";
import { PublishedMenus } from "#shared/storage/content/content.ts";
import { contentPermissions, liveDescriptions, withVersion } from "./document-routes.ts";

const example = {
  header: [{ label: "Sofas", href: "/sofas", children: [] }],
  footer: [],
  mobile: [],
  legal: [{ label: "Terms", href: "/pages/terms", children: [] }],
};

export const routes = recordRoutes({
  single: true,
  path: "/admin/menus",
  one: "the menus",
  permissions: contentPermissions,
  record: withVersion(Menus),
  input: inputOf(Menus),
  examples: { record: example },
  descriptions: liveDescriptions,
  store: rowStore({
    entity: PublishedMenus,
    single: { kind: "menus", unwritten: { header: [], footer: [], mobile: [], legal: [] } },
    labelOf: () => "Menus",
    content: (sent) => storable(Menus, sent),
  }),
});
