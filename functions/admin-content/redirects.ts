import * as z from "zod";
import { Redirect, Redirects, redirectId, withRedirect } from "#shared/domain/redirect.ts";
import { found } from "#shared/http/edit.ts";
import { AppError, invalidFields } from "#shared/http/errors.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { CursorMeta, CursorPage } from "#shared/http/paging.ts";
import { patchOf, withPatch } from "#shared/http/patch.ts";
import { route, staff } from "#shared/http/route.ts";
import { putRedirects } from "#shared/storage/catalog-edits.ts";
import { LiveRedirects } from "#shared/storage/content.ts";
import type { Deps } from "./deps.ts";
import {
  type EntryDocument,
  addEntry,
  entriesPage,
  requireUnchanged,
  saveEntry,
} from "./entries.ts";
import { storable } from "./input.ts";

const StaffRedirect = Redirect.extend({
  id: z.string().meta({ description: "Follows from `from`" }),
  version: z.int().meta({ description: "Of the whole map" }),
});
const RedirectInput = Redirect.extend({ status: Redirect.shape.status.default(301) }).meta({
  example: { from: "/sale-2025", to: "/products?tag=sale", status: 302 },
});
const RedirectPatch = patchOf(Redirect).meta({ example: { to: "/sofas" } });

const map: EntryDocument<Redirects> = {
  path: "/admin/redirects",
  kind: "redirect",
  empty: { redirects: [], version: 0 },
  find: (table) => table.get(LiveRedirects, {}),
  checked: (document) => storable(Redirects, document),
  put: ({ redirects }, before) => putRedirects(redirects, before),
  byName: ({ redirects }) =>
    Object.fromEntries(redirects.map(({ from, to, status }) => [from, { to, status }])),
};
const first = (_call: unknown, { table }: Deps) => map.find(table);
const entryOf = (from: string) => ({ id: redirectId(from), label: from });
const rules =
  "The public sees it as soon as it is saved. The target is a path of the site or an https address on the " +
  "storefront's host or one of the setting `store.redirect_hosts`; chains are flattened to one hop.";

const isNamed = (id: string) => (redirect: Redirect) => redirectId(redirect.from) === id;

function answerOf({ redirects, version }: Redirects, id: string) {
  return { data: { id, ...found(redirects.find(isNamed(id))), version }, version };
}

export const listRedirects = route({
  method: "GET",
  path: "/admin/redirects",
  summary: "The redirect map, oldest first",
  access: staff("content.view"),
  request: { query: CursorPage },
  response: { status: 200, data: z.array(StaffRedirect), meta: CursorMeta },
  first,
  async handle({ first, query }) {
    const version = first?.version ?? 0;
    const rows = (first?.redirects ?? []).map((redirect) => ({
      id: redirectId(redirect.from),
      ...redirect,
      version,
    }));
    return entriesPage("redirects", rows, ({ id }) => id, query);
  },
});

export const createRedirect = route({
  method: "POST",
  path: "/admin/redirects",
  summary: "Add a redirect",
  description: rules,
  access: staff("content.edit"),
  request: { body: RedirectInput },
  response: { status: 201, data: StaffRedirect },
  errors: ["already_exists"],
  idempotent: true,
  async handle(call, deps: Deps) {
    const { document, id, headers } = await addEntry(map, {
      call,
      table: deps.table,
      entry: entryOf(call.body.from),
      change: ({ redirects }) => joined(redirects, call.body, deps),
    });
    return { ...answerOf(document, id), headers };
  },
});

export const getRedirect = route({
  method: "GET",
  path: "/admin/redirects/{id}",
  summary: "A redirect",
  access: staff("content.view"),
  request: { params: byId },
  response: { status: 200, data: StaffRedirect },
  first,
  handle: async (call) => answerOf(found(call.first), call.params.id),
});

export const replaceRedirect = route({
  method: "PUT",
  path: "/admin/redirects/{id}",
  summary: "Replace a redirect",
  description: `${rules} Another \`from\` gives it another id.`,
  access: staff("content.edit"),
  request: { params: byId, body: RedirectInput, headers: ifMatch },
  response: { status: 200, data: StaffRedirect },
  errors: ["already_exists", "version_mismatch"],
  first,
  async handle(call, deps: Deps) {
    const asRead = found(call.first?.redirects.find(isNamed(call.params.id)));
    const saved = await saveEntry(map, "update", {
      call,
      table: deps.table,
      entry: entryOf(asRead.from),
      change({ redirects, version }) {
        const { redirect, others } = taken(redirects, call.params.id);
        requireUnchanged(asRead, redirect, version);
        return joined(others, call.body, deps);
      },
    });
    return answerOf(saved, redirectId(call.body.from));
  },
});

export const changeRedirect = route({
  method: "PATCH",
  path: "/admin/redirects/{id}",
  summary: "Change members of a redirect",
  description: `${rules} Another \`from\` gives it another id.`,
  access: staff("content.edit"),
  request: { params: byId, body: RedirectPatch, headers: ifMatch },
  response: { status: 200, data: StaffRedirect },
  errors: ["already_exists", "version_mismatch"],
  first,
  async handle(call, deps: Deps) {
    const { from } = found(call.first?.redirects.find(isNamed(call.params.id)));
    const saved = await saveEntry(map, "update", {
      call,
      table: deps.table,
      entry: entryOf(from),
      change({ redirects }) {
        const { redirect, others } = taken(redirects, call.params.id);
        return joined(others, withPatch(redirect, call.body), deps);
      },
    });
    return answerOf(saved, redirectId(call.body.from ?? from));
  },
});

export const deleteRedirect = route({
  method: "DELETE",
  path: "/admin/redirects/{id}",
  summary: "Delete a redirect",
  access: staff("content.edit"),
  request: { params: byId, headers: ifMatch },
  response: { status: 204 },
  errors: ["version_mismatch"],
  first,
  async handle(call, { table }: Deps) {
    const { id } = call.params;
    const { from } = found(call.first?.redirects.find(isNamed(id)));
    const change = ({ redirects }: Redirects) => ({ redirects: taken(redirects, id).others });
    await saveEntry(map, "delete", { call, table, entry: entryOf(from), change });
  },
});

/** A redirect and its neighbours. Throws AppError `not_found`. */
function taken(redirects: readonly Redirect[], id: string) {
  const redirect = found(redirects.find(isNamed(id)));
  return { redirect, others: redirects.filter((other) => other !== redirect) };
}

/** What a map becomes once a redirect has joined the others. Throws AppError `already_exists`, `validation_failed`. */
async function joined(others: readonly Redirect[], added: Redirect, { settings }: Deps) {
  const { store } = await settings.current();
  const hosts = [new URL(store.storefront_url).hostname, ...store.redirect_hosts];
  const joining = withRedirect(others, added, hosts);
  if (joining.ok) return { redirects: joining.redirects };
  if (!joining.exists) throw invalidFields(joining.problems);
  throw new AppError("already_exists", {
    message: "Another redirect starts from this address.",
    details: { path: "from", from: added.from },
  });
}
