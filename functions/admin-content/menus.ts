import { Menus } from "#shared/domain/content.ts";
import { LiveMenus } from "#shared/storage/content.ts";
import { put } from "#shared/storage/writes.ts";
import { inputOf } from "./input.ts";
import { liveDocumentRoutes } from "./live-document.ts";
import { menuReferencesOf } from "./references.ts";

const example = {
  header: [{ label: "Sofas", href: "/sofas", children: [] }],
  footer: [],
  mobile: [],
  legal: [{ label: "Terms", href: "/pages/terms", children: [] }],
};

export const routes = liveDocumentRoutes({
  path: "/admin/menus",
  kind: "menus",
  what: "menus",
  answer: Menus,
  content: Menus,
  input: inputOf(Menus),
  example,
  unwritten: { header: [], footer: [], mobile: [], legal: [] },
  references: (menus: Menus) => menuReferencesOf(menus),
  find: (table) => table.get(LiveMenus, {}),
  put: (menus: Menus & { version: number }, condition) => put(LiveMenus, menus, condition),
});
