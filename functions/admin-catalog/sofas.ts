import * as z from "zod";
import { Sofa } from "#shared/domain/sofa/sofa.ts";
import { AdminSofaRow } from "#shared/domain/listing/admin-rows.ts";
import { answerOnce } from "#shared/application/create-once.ts";
import { change, edit, orNotFound } from "#shared/application/edit.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { NumberedMeta } from "#shared/http/paging.ts";
import { type Call, route, staff } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { Sofas } from "#shared/storage/catalog/catalog.ts";
import { checkMedia } from "./attached-media.ts";
import type { Deps } from "./deps.ts";
import { deletion } from "./deletion.ts";
import { saveSellable } from "#shared/application/catalog/save-sellable.ts";
import {
  SofaInput,
  SofaPatch,
  SofaPut,
  changedSofa,
  newSofa,
  sofaForm,
} from "#shared/application/catalog/sofa-input.ts";
import { sofaShelf } from "#shared/application/catalog/sofa-shelf.ts";
import { SellableListQuery, answerAdminList, readAdminList } from "./staff-list.ts";

export const listSofas = route({
  method: "GET",
  path: "/admin/sofas",
  summary: "List sofas, drafts included",
  description: "A row for each sofa. Changes appear within seconds.",
  access: staff("catalog.view"),
  request: { query: SellableListQuery },
  response: { status: 200, data: z.array(AdminSofaRow), meta: NumberedMeta, links: true },
  first: (call, deps: Deps) => readAdminList(call, deps),
  handle: async ({ query, first }) =>
    answerAdminList(first, "sofa", `${apiPrefix}/admin/sofas`, query),
});

export const createSofa = route({
  method: "POST",
  path: "/admin/sofas",
  summary: "Add a sofa",
  description: "With `status: published` the sofa is public within seconds.",
  access: staff("catalog.edit"),
  request: { body: SofaInput },
  response: { status: 201, data: Sofa },
  errors: ["already_exists"],
  idempotent: true,
  async handle(call, { settings, table }: Deps) {
    const { store, tax } = await settings.current();
    const presets = { currency: store.currency, tax_class: tax.default_class };
    const sofa = newSofa(call.body, presets, call.now);
    const creation = { route: "POST /admin/sofas", id: sofa.id, at: pathOf };
    return answerOnce(creation, call, table, async (bind) => {
      const answered = answer(sofa);
      await checkMedia(undefined, sofa, table);
      await saveSellable(sofaShelf, undefined, sofa, table, auditContextOf(call), bind(answered));
      return answered;
    });
  },
});

export const getSofa = route({
  method: "GET",
  path: "/admin/sofas/{id}",
  summary: "Get a sofa",
  description: "The whole record, drafts included, with options, prices and rules.",
  access: staff("catalog.view"),
  request: { params: byId },
  response: { status: 200, data: Sofa },
  first: ({ params }, { table }: Deps) => table.get(Sofas, params),
  handle: async ({ first }) => answer(orNotFound(first)),
});

export const replaceSofa = route({
  method: "PUT",
  path: "/admin/sofas/{id}",
  summary: "Replace a sofa",
  description:
    "Changes to a published sofa are public within seconds. A new slug leaves a redirect " +
    "from the old one.",
  access: staff("catalog.edit"),
  request: { params: byId, body: SofaPut, headers: ifMatch },
  response: { status: 200, data: Sofa },
  errors: ["already_exists", "version_mismatch"],
  first: ({ params }, { table }: Deps) => table.get(Sofas, params),
  async handle(call, deps) {
    const expected = call.headers["if-match"] ?? orNotFound(call.first).version;
    return answer(await editSofa(call, expected, sofaForm.replaced, deps));
  },
});

export const changeSofa = route({
  method: "PATCH",
  path: "/admin/sofas/{id}",
  summary: "Update a sofa",
  description: "Members that are left out stay as they are; a list is replaced as a whole.",
  access: staff("catalog.edit"),
  request: { params: byId, body: SofaPatch, headers: ifMatch },
  response: { status: 200, data: Sofa },
  errors: ["already_exists", "version_mismatch"],
  first: ({ params }, { table }: Deps) => table.get(Sofas, params),
  handle: async (call, deps) =>
    answer(await editSofa(call, call.headers["if-match"], sofaForm.patched, deps)),
});

export const deleteSofa = route({
  ...deletion("sofa"),
  path: "/admin/sofas/{id}",
  first: ({ params }, { table }: Deps) => table.get(Sofas, params),
  async handle(call, deps: Deps) {
    const audit = auditContextOf(call);
    const readAgain = () => deps.table.get(Sofas, call.params);
    await edit(call.first, readAgain, call.headers["if-match"], async (before) => {
      if (before.published_at === null) {
        await saveSellable(sofaShelf, before, undefined, deps.table, audit);
      } else if (before.status !== "archived") {
        const after = changedSofa(before, { status: "archived" }, call.now);
        await saveSellable(sofaShelf, before, after, deps.table, audit);
      }
    });
  },
});

async function editSofa(
  call: Pick<Call, "actor" | "requestId" | "now"> & {
    first: Sofa | undefined;
    params: { id: string };
    body: object;
  },
  expected: number | undefined,
  written: (sent: object, shown: object) => Partial<z.output<typeof SofaInput>>,
  { table }: Deps,
): Promise<Sofa> {
  const readAgain = () => table.get(Sofas, call.params);
  return change(call.first, readAgain, expected, {
    change: (before) => changedSofa(before, written(call.body, before), call.now),
    async save(before, after) {
      await checkMedia(before, after, table);
      await saveSellable(sofaShelf, before, after, table, auditContextOf(call));
    },
  });
}

const pathOf = (id: string) => `/admin/sofas/${id}`;
const answer = (sofa: Sofa) => ({ data: sofa, version: sofa.version });

export const routes = [listSofas, createSofa, getSofa, replaceSofa, changeSofa, deleteSofa];
