import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import {
  Redirect,
  RedirectSource,
  Redirects,
  SafeTarget,
  hostOf,
  redirectId,
  withRedirect,
} from "#shared/domain/content/redirect.ts";
import type { RowMarks } from "#shared/domain/base/versioned-rows.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { AppError, invalidFields } from "#shared/domain/request/app-error.ts";
import { linkReferences, requireReferences } from "#shared/application/references.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { CursorMeta, CursorPage, sliceOf } from "#shared/http/paging.ts";
import { type Call, route, staff } from "#shared/http/route.ts";
import { redirectHosts } from "#shared/domain/settings/settings.ts";
import { changeRedirects, readRedirects } from "#shared/storage/content/redirects.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";
import type { Deps } from "./deps.ts";
import {
  type EntrySet,
  type Kept,
  type Placed,
  addEntry,
  deleteEntry,
  placed,
  saveEntry,
} from "./entries.ts";
import { storable } from "#shared/application/content/document-input.ts";

const AdminRedirect = Redirect.extend({
  id: z.string().meta({ description: "Derived from `from`" }),
  version: z.int(),
});
const RedirectInput = Redirect.extend({
  from: RedirectSource,
  to: SafeTarget,
  status: Redirect.shape.status.default(301),
});
const example = { from: "/sale-2025", to: "/products?tag=sale", status: 302 } as const;
const form = editForm(RedirectInput, AdminRedirect);

const redirects: EntrySet<Redirect> = {
  path: "/admin/redirects",
  kind: "redirect",
  async read(table: Table) {
    const { redirects: rows, version } = await readRedirects(table);
    return { entries: rows.map(withoutId), version };
  },
  idOf: ({ from }) => redirectId(from),
  labelOf: ({ from }) => from,
  check: (entries) => {
    storable(Redirects.shape.redirects, entries.map(contentOf));
  },
  changes({ entries, version }, after, now) {
    const named = entries.map((entry) => ({ ...entry, id: redirectId(entry.from) }));
    const before = { redirects: named, version };
    const changes = changeRedirects(before, after.map(contentOf), now);
    return {
      writes: changes.writes,
      after: { entries: changes.after.redirects.map(withoutId), version: changes.after.version },
    };
  },
};
/** The id is derived from `from`, so a change never contains it. */
const withoutId = <Row extends { id: string }>({ id: _id, ...entry }: Row): Omit<Row, "id"> =>
  entry;
const contentOf = ({ from, to, status }: Redirect): Redirect => ({ from, to, status });
const first = (_call: unknown, { table }: Deps) => redirects.read(table);
const rules =
  "Public as soon as it is saved. The target is a path of the site, or an https URL on the " +
  "storefront's host or a host listed in the setting `store.redirect_hosts`; a page, " +
  "product, sofa, story, category or collection that it leads to must exist. `GET " +
  "/redirects` resolves chains to one hop.";

const shown = (entry: Redirect & RowMarks) => ({
  id: redirectId(entry.from),
  ...contentOf(entry),
  version: entry.version,
});
const answerOf = ({ entry }: Pick<Placed<Redirect>, "entry">) => ({
  data: shown(entry),
  version: entry.version,
});

export const listRedirects = route({
  method: "GET",
  path: "/admin/redirects",
  summary: "List redirects, oldest first",
  description: "With those that a changed slug left behind.",
  access: staff("content.view"),
  request: { query: CursorPage },
  response: { status: 200, data: z.array(AdminRedirect), meta: CursorMeta },
  first,
  handle: async ({ first, query }) =>
    sliceOf(first.entries.map(shown), "staff's redirects", ({ id }) => id, query),
});

export const createRedirect = route({
  method: "POST",
  path: "/admin/redirects",
  summary: "Add a redirect",
  description: rules,
  access: staff("content.edit"),
  request: { body: RedirectInput.meta({ example }) },
  response: { status: 201, data: AdminRedirect },
  errors: ["already_exists"],
  idempotent: true,
  handle: async (call, deps: Deps) =>
    addEntry(redirects, call, deps.table, {
      id: redirectId(call.body.from),
      change: ({ entries }) => joined(entries, call.body, deps),
      further: () => requireTarget(call.body, deps.table),
      answerOf,
    }),
});

export const getRedirect = route({
  method: "GET",
  path: "/admin/redirects/{id}",
  summary: "Get a redirect",
  description: "By id. The id follows from the path that the redirect leads away from.",
  access: staff("content.view"),
  request: { params: byId },
  response: { status: 200, data: AdminRedirect },
  first,
  handle: async (call) => answerOf(placed(redirects, call.first, call.params.id)),
});

export const replaceRedirect = route({
  method: "PUT",
  path: "/admin/redirects/{id}",
  summary: "Replace a redirect",
  description: `${rules} Changing \`from\` changes the redirect's id.`,
  access: staff("content.edit"),
  request: { params: byId, body: form.put.meta({ example }), headers: ifMatch },
  response: { status: 200, data: AdminRedirect },
  errors: ["already_exists", "version_mismatch"],
  first,
  handle: (call, deps: Deps) => {
    const read = placed(redirects, call.first, call.params.id).entry.version;
    return edited(call, call.headers["if-match"] ?? read, form.replaced, deps);
  },
});

export const changeRedirect = route({
  method: "PATCH",
  path: "/admin/redirects/{id}",
  summary: "Update a redirect",
  description: `${rules} Changing \`from\` changes the redirect's id.`,
  access: staff("content.edit"),
  request: {
    params: byId,
    body: form.patch.meta({ example: { to: "/sofas" } }),
    headers: ifMatch,
  },
  response: { status: 200, data: AdminRedirect },
  errors: ["already_exists", "version_mismatch"],
  first,
  handle: (call, deps: Deps) => edited(call, call.headers["if-match"], form.patched, deps),
});

export const deleteRedirect = route({
  method: "DELETE",
  path: "/admin/redirects/{id}",
  summary: "Delete a redirect",
  description: "The path answers 404 again within seconds.",
  access: staff("content.edit"),
  request: { params: byId, headers: ifMatch },
  response: { status: 204 },
  errors: ["version_mismatch"],
  first,
  handle: (call, { table }: Deps) =>
    deleteEntry(redirects, call, table, { expected: call.headers["if-match"] }),
});

async function edited(
  call: Pick<Call, "actor" | "requestId" | "now"> & {
    readonly first: Kept<Redirect>;
    readonly params: { readonly id: string };
    readonly body: object;
  },
  expected: number | undefined,
  written: (sent: object, shown: object) => Partial<z.output<typeof RedirectInput>>,
  deps: Deps,
) {
  const { kept, id } = await saveEntry(redirects, call, deps.table, {
    expected,
    async change({ entry, others }) {
      const before = contentOf(entry);
      const after = { ...before, ...written(call.body, shown(entry)) };
      const id = redirectId(after.from);
      if (isDeepStrictEqual(before, after)) return { entries: [...others, entry], id };
      const entries = await joined(others, after, deps);
      const further = before.to === after.to ? [] : await requireTarget(after, deps.table);
      return { entries, id, further };
    },
  });
  return answerOf(placed(redirects, kept, id));
}

/** Writes that guard the redirect's target. Throws AppError `validation_failed` if it does not exist. */
function requireTarget(redirect: Redirect, table: Table): Promise<Write[]> {
  const path = "to";
  const host = hostOf(redirect);
  return requireReferences(
    table,
    host === null
      ? linkReferences([{ path, href: redirect.to }])
      : [{ path, kind: "redirect_host", id: host }],
  );
}

/** All redirects with the new one. Throws AppError `already_exists`, `validation_failed`. */
async function joined(
  others: readonly Redirect[],
  added: Redirect,
  { settings }: Pick<Deps, "settings">,
): Promise<Redirect[]> {
  const { store } = await settings.current();
  const joining = withRedirect(others, added, redirectHosts(store));
  if (joining.ok) return joining.redirects;
  if (!joining.exists) throw invalidFields(joining.problems);
  throw new AppError("already_exists", {
    message: "Another redirect already uses this from address.",
    details: { path: "from", from: added.from },
  });
}

export const routes = [
  listRedirects,
  createRedirect,
  getRedirect,
  replaceRedirect,
  changeRedirect,
  deleteRedirect,
];
