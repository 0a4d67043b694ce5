import { Menus } from "#shared/domain/content/content.ts";
import { PublishedMenus } from "#shared/storage/content/content.ts";
import { put } from "#shared/storage/writes.ts";
import { inputOf } from "#shared/application/content/document-input.ts";
import { publishedDocumentRoutes } from "./live-document.ts";
import { menuReferencesOf } from "#shared/application/content/content-references.ts";

const example = {
  header: [{ label: "Sofas", href: "/sofas", children: [] }],
  footer: [],
  mobile: [],
  legal: [{ label: "Terms", href: "/pages/terms", children: [] }],
};

export const routes = publishedDocumentRoutes({
  path: "/admin/menus",
  kind: "menus",
  what: "menus",
  answer: Menus,
  content: Menus,
  input: inputOf(Menus),
  example,
  unwritten: { header: [], footer: [], mobile: [], legal: [] },
  references: (menus: Menus) => menuReferencesOf(menus),
  find: (table) => table.get(PublishedMenus, {}),
  put: (menus: Menus & { version: number }, condition) => put(PublishedMenus, menus, condition),
});
