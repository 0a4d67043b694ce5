import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { publishSofa } from "#shared/domain/sofa/sofa-model.ts";
import { Sofa } from "#shared/domain/sofa/sofa.ts";
import { AdminSofaRow } from "#shared/domain/listing/admin-rows.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import { NumberedMeta } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { recordRoutes } from "#functions/record-routes.ts";
import { newId } from "#shared/domain/base/ids.ts";
import type { RecordStore } from "#shared/application/record-store.ts";
import { Sofas } from "#shared/storage/catalog/catalog.ts";
import { checkMedia } from "#shared/application/catalog/attached-media.ts";
import {
  archives,
  catalogPermissions,
  requireSellableTimes,
  sellablePreviews,
} from "./publishable.ts";
import { saveSellable } from "#shared/application/catalog/save-sellable.ts";
import {
  SofaInput,
  changedSofa,
  newSofa,
  sofaExamples,
} from "#shared/application/catalog/sofa-input.ts";
import { sofaStorage } from "#shared/application/catalog/sofa-storage.ts";
import { SellableListQuery, answerAdminList, readAdminList } from "./staff-list.ts";

const path = "/admin/sofas";

const list = route({
  method: "GET",
  path,
  summary: "List sofas, including drafts",
  description: "Returns one row per sofa. Changes appear within seconds.",
  access: staff("catalog.view"),
  request: { query: SellableListQuery },
  response: {
    status: 200,
    data: z.array(AdminSofaRow),
    meta: NumberedMeta,
    links: true,
    serialized: true,
  },
  first: (call, shop: Shop<"table" | "staffIndexReader" | "searchSettings">) =>
    readAdminList(call, shop),
  handle: async ({ query, first }) => answerAdminList(first, "sofa", apiPrefix + path, query),
});

const store: RecordStore<Shop<"table" | "settings", CommerceGroup>, SofaInput, Sofa> = {
  newId: (_input, now) => newId("sofa", now),
  read: (id, { table }) => table.get(Sofas, { id }),
  async create(input, { id, audit, deps, bind }) {
    const { store, tax } = await deps.settings.current();
    const presets = { currency: store.currency, tax_class: tax.default_class };
    const sofa = { ...newSofa(input, presets, audit.now), id };
    requireSellableTimes(undefined, sofa, audit.now);
    await checkMedia(undefined, sofa, deps.table);
    const bound = await bind(sofa);
    await saveSellable(sofaStorage, undefined, sofa, { table: deps.table, audit, further: bound });
    return sofa;
  },
  async update(before, change, { audit, deps: { table } }) {
    const after = changedSofa(before, change, audit.now);
    if (isUnchanged(before, after)) return before;
    requireSellableTimes(before, after, audit.now);
    await checkMedia(before, after, table);
    await saveSellable(sofaStorage, before, after, { table, audit });
    return after;
  },
  async remove(before, { audit, deps: { table } }) {
    if (before.published_at === null) {
      await saveSellable(sofaStorage, before, undefined, { table, audit });
    } else if (before.status !== "archived") {
      const after = changedSofa(before, { status: "archived" }, audit.now);
      await saveSellable(sofaStorage, before, after, { table, audit });
    }
  },
};

export const routes = [
  list,
  ...recordRoutes({
    path,
    one: "a sofa",
    permissions: catalogPermissions,
    record: Sofa,
    input: SofaInput,
    examples: sofaExamples,
    descriptions: {
      create: "With `status: published` the sofa is public within seconds.",
      get: "Returns the whole record with options, prices and rules. Drafts are included.",
      replace:
        "Changes to a published sofa are public within seconds. If the slug changes, the old one " +
        "redirects to the new one.",
      change: "Omitted members do not change; a list is replaced as a whole.",
      remove: archives,
    },
    errors: { create: ["already_exists"], edit: ["already_exists"], remove: ["in_use"] },
    store,
  }),
  ...sellablePreviews({
    kind: "sofa",
    read: (id, table) => table.get(Sofas, { id }),
    publish: publishSofa,
  }),
];
