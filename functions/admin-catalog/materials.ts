import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { newId } from "#shared/domain/base/ids.ts";
import { Material, MaterialGrade, MaterialType } from "#shared/domain/catalog/material.ts";
import { withMediaAddresses } from "#shared/domain/upload/media.ts";
import { AdminMaterialRow } from "#shared/domain/listing/admin-rows.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import { NumberedMeta } from "#shared/http/paging.ts";
import { anyOf } from "#shared/http/query.ts";
import { route, staff } from "#shared/http/route.ts";
import { requirePictures } from "#shared/application/pictures.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { recordRoutes } from "#functions/record-routes.ts";
import type { RecordStore } from "#shared/application/record-store.ts";
import { Materials } from "#shared/storage/catalog/catalog.ts";
import {
  MaterialInput,
  changedMaterial,
  materialExamples,
} from "#shared/application/catalog/material-input.ts";
import { archives, catalogPermissions } from "./publishable.ts";
import { saveMaterial } from "#shared/application/catalog/save-material.ts";
import { AdminListQuery, pageEnvelope, readStaffCatalog, staffPage } from "./staff-list.ts";

const path = "/admin/materials";

const MaterialRow = Material.and(AdminMaterialRow.pick({ kind: true }));

const list = route({
  method: "GET",
  path,
  summary: "List materials, including drafts",
  description: "Returns one row per material. Changes appear within seconds.",
  access: staff("catalog.view"),
  request: {
    query: AdminListQuery.extend({
      type: anyOf(MaterialType, "velvet,fabric"),
      grade: anyOf(MaterialGrade, "A,B"),
    }),
  },
  response: { status: 200, data: z.array(MaterialRow), meta: NumberedMeta, links: true },
  first: (call, shop: Shop<"staffIndexReader" | "searchSettings" | "mediaBaseUrl">) =>
    readStaffCatalog(call, shop),
  async handle({ query, first }, { mediaBaseUrl }) {
    const { cards, total } = staffPage(first, "material", query);
    // The cast is safe: the staff index stores materials in this shape. The response drops members that only the index
    // uses.
    // The index that was loaded has URLs, and the response's schema declares addresses.
    const data = cards.map((text) =>
      withMediaAddresses(JSON.parse(text) as AdminMaterialRow, mediaBaseUrl),
    );
    return { data, ...pageEnvelope(apiPrefix + path, query, total) };
  },
});

const store: RecordStore<
  Shop<"table" | "settings", CommerceGroup>,
  z.output<typeof MaterialInput>,
  Material
> = {
  newId: (_input, now) => newId("mat", now),
  read: (id, { table }) => table.get(Materials, { id }),
  async create({ status = "draft", ...members }, { id, audit, deps, bind }) {
    const { store } = await deps.settings.current();
    const at = audit.now.toISOString();
    const material: Material = {
      id,
      ...members,
      status,
      currency: store.currency,
      version: 1,
      published_at: status === "published" ? at : null,
      created_at: at,
      updated_at: at,
    };
    await requirePictures(deps.table, undefined, material);
    const bound = await bind(material);
    await saveMaterial(undefined, material, { table: deps.table, audit, further: bound });
    return material;
  },
  async update(before, change, { audit, deps: { table } }) {
    const after = changedMaterial(before, change, audit.now);
    if (isUnchanged(before, after)) return before;
    await requirePictures(table, before, after);
    await saveMaterial(before, after, { table, audit });
    return after;
  },
  async remove(before, { audit, deps: { table } }) {
    if (before.published_at === null) await saveMaterial(before, undefined, { table, audit });
    else if (before.status !== "archived") {
      const after = changedMaterial(before, { status: "archived" }, audit.now);
      await saveMaterial(before, after, { table, audit });
    }
  },
};

export const routes = [
  list,
  ...recordRoutes({
    path,
    one: "a material",
    permissions: catalogPermissions,
    record: Material,
    input: MaterialInput,
    examples: materialExamples,
    descriptions: {
      create:
        "With `status: published`, sofas can offer the material, and it is public within seconds.",
      get: "Returns the whole record. Drafts are included.",
      replace: "The code cannot change, because sofas refer to the material by its code.",
      change: "Omitted members do not change. The code cannot change.",
      remove: archives,
    },
    errors: {
      create: ["already_exists"],
      edit: ["already_exists", "in_use"],
      remove: ["in_use"],
    },
    store,
  }),
];
