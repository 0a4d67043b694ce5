import * as z from "zod";
import { newId } from "#shared/domain/base/ids.ts";
import { Material, MaterialGrade, MaterialType } from "#shared/domain/catalog/material.ts";
import { AdminMaterialRow } from "#shared/domain/listing/admin-rows.ts";
import { answerOnce } from "#shared/application/create-once.ts";
import { change, edit, orNotFound } from "#shared/application/edit.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { NumberedMeta } from "#shared/http/paging.ts";
import { anyOf } from "#shared/http/query.ts";
import { type Call, route, staff } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { Materials } from "#shared/storage/catalog/catalog.ts";
import type { Deps } from "./deps.ts";
import {
  MaterialInput,
  MaterialPatch,
  MaterialPut,
  changedMaterial,
  materialForm,
} from "#shared/application/catalog/material-input.ts";
import { deletion } from "./deletion.ts";
import { saveMaterial } from "#shared/application/catalog/save-material.ts";
import { AdminListQuery, around, staffPage } from "./staff-list.ts";

export const listMaterials = route({
  method: "GET",
  path: "/admin/materials",
  summary: "List materials, drafts included",
  description: "A row for each material. Changes appear within seconds.",
  access: staff("catalog.view"),
  request: {
    query: AdminListQuery.extend({
      type: anyOf(MaterialType, "velvet,fabric"),
      grade: anyOf(MaterialGrade, "A,B"),
    }),
  },
  response: { status: 200, data: z.array(AdminMaterialRow), meta: NumberedMeta, links: true },
  first: (_call, { indexReader }: Deps) => indexReader.current(),
  async handle({ query, first }) {
    const { cards, total } = staffPage(first, "material", query);
    // Removes members that only the read model uses.
    const data = cards.map((text) => JSON.parse(text) as AdminMaterialRow);
    return { data, ...around(`${apiPrefix}/admin/materials`, query, total) };
  },
});

export const createMaterial = route({
  method: "POST",
  path: "/admin/materials",
  summary: "Add a material",
  description:
    "With `status: published` sofas can offer it, and the public sees it within seconds.",
  access: staff("catalog.edit"),
  request: { body: MaterialInput },
  response: { status: 201, data: Material },
  errors: ["already_exists"],
  idempotent: true,
  async handle(call, deps: Deps) {
    const { store } = await deps.settings.current();
    const { status = "draft", ...members } = call.body;
    const at = call.now.toISOString();
    const material: Material = {
      id: newId("mat", call.now),
      ...members,
      status,
      currency: store.currency,
      version: 1,
      published_at: status === "published" ? at : null,
      created_at: at,
      updated_at: at,
    };
    const { id } = material;
    const creation = { route: "POST /admin/materials", id, at: pathOf };
    return answerOnce(creation, call, deps.table, async (bind) => {
      const answered = answer(material);
      await saveMaterial(undefined, material, deps.table, auditContextOf(call), bind(answered));
      return answered;
    });
  },
});

export const getMaterial = route({
  method: "GET",
  path: "/admin/materials/{id}",
  summary: "Get a material",
  description: "The whole record, drafts included.",
  access: staff("catalog.view"),
  request: { params: byId },
  response: { status: 200, data: Material },
  first: ({ params }, { table }: Deps) => table.get(Materials, params),
  handle: async ({ first }) => answer(orNotFound(first)),
});

export const replaceMaterial = route({
  method: "PUT",
  path: "/admin/materials/{id}",
  summary: "Replace a material",
  description: "The code cannot change, because sofas refer to the material by it.",
  access: staff("catalog.edit"),
  request: { params: byId, body: MaterialPut, headers: ifMatch },
  response: { status: 200, data: Material },
  errors: ["already_exists", "in_use", "version_mismatch"],
  first: ({ params }, { table }: Deps) => table.get(Materials, params),
  async handle(call, deps) {
    const expected = call.headers["if-match"] ?? orNotFound(call.first).version;
    return answer(await editMaterial(call, expected, materialForm.replaced, deps));
  },
});

export const changeMaterial = route({
  method: "PATCH",
  path: "/admin/materials/{id}",
  summary: "Update a material",
  description: "Members that are left out stay as they are. The code cannot change.",
  access: staff("catalog.edit"),
  request: { params: byId, body: MaterialPatch, headers: ifMatch },
  response: { status: 200, data: Material },
  errors: ["already_exists", "in_use", "version_mismatch"],
  first: ({ params }, { table }: Deps) => table.get(Materials, params),
  handle: async (call, deps) =>
    answer(await editMaterial(call, call.headers["if-match"], materialForm.patched, deps)),
});

export const deleteMaterial = route({
  ...deletion("material"),
  path: "/admin/materials/{id}",
  first: ({ params }, { table }: Deps) => table.get(Materials, params),
  async handle(call, { table }: Deps) {
    const audit = auditContextOf(call);
    const readAgain = () => table.get(Materials, call.params);
    await edit(call.first, readAgain, call.headers["if-match"], async (before) => {
      if (before.published_at === null) await saveMaterial(before, undefined, table, audit);
      else if (before.status !== "archived") {
        await saveMaterial(
          before,
          changedMaterial(before, { status: "archived" }, call.now),
          table,
          audit,
        );
      }
    });
  },
});

async function editMaterial(
  call: Pick<Call, "actor" | "requestId" | "now"> & {
    first: Material | undefined;
    params: { id: string };
    body: object;
  },
  expected: number | undefined,
  written: (sent: object, shown: object) => Partial<z.output<typeof MaterialInput>>,
  { table }: Deps,
): Promise<Material> {
  const readAgain = () => table.get(Materials, call.params);
  return change(call.first, readAgain, expected, {
    change: (before) => changedMaterial(before, written(call.body, before), call.now),
    save: (before, after) => saveMaterial(before, after, table, auditContextOf(call)),
  });
}

const pathOf = (id: string) => `/admin/materials/${id}`;
const answer = (material: Material) => ({ data: material, version: material.version });

export const routes = [
  listMaterials,
  createMaterial,
  getMaterial,
  replaceMaterial,
  changeMaterial,
  deleteMaterial,
];
