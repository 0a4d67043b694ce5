import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { listRoute } from "#functions/list-route.ts";
import {
  Redirect,
  RedirectSource,
  Redirects,
  SafeTarget,
  redirectId,
  redirectReferences,
  targetOnSite,
  withRedirect,
} from "#shared/domain/content/redirect.ts";
import type { RowMarks } from "#shared/domain/base/versioned-rows.ts";
import { recordRoutes } from "#functions/record-routes.ts";
import { AppError, invalidFields } from "#shared/domain/request/app-error.ts";
import { requireReferences } from "#shared/application/require-references.ts";
import { staff } from "#shared/http/route.ts";
import { redirectHosts } from "#shared/domain/settings/store-settings.ts";
import { changeRedirects, readRedirects } from "#shared/storage/content/redirects.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";
import { type EntrySet, entryStore } from "#shared/application/content/save-entry.ts";
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
type RedirectInput = z.output<typeof RedirectInput>;
const path = "/admin/redirects";
const example = { from: "/sale-2025", to: "/products?tag=sale", status: 302 } as const;

const redirects: EntrySet<Redirect, RedirectInput> = {
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
  async added({ entries }, input, { deps }) {
    const redirect = await onSite(input, deps);
    const all = await joined(entries, redirect, deps);
    const further = await requireTarget(redirect, deps.table);
    return { entries: all, id: redirectId(redirect.from), further };
  },
  async changed({ entry, others }, change, { deps }) {
    const before = contentOf(entry);
    const after = await onSite({ ...before, ...change }, deps);
    const id = redirectId(after.from);
    if (isDeepStrictEqual(before, after)) return { entries: [...others, entry], id };
    const entries = await joined(others, after, deps);
    const further = before.to === after.to ? [] : await requireTarget(after, deps.table);
    return { entries, id, further };
  },
};
/** Removes the id from a stored redirect. The id is derived from `from`, so entries do not contain it. */
const withoutId = <Row extends { id: string }>({ id: _id, ...entry }: Row): Omit<Row, "id"> =>
  entry;
const contentOf = ({ from, to, status }: Redirect): Redirect => ({ from, to, status });
const rules =
  "Public within five seconds. `to` is a path of the site, or an https URL on " +
  "the storefront's host or a host in the setting `store.redirect_hosts`. A record that `to` names must exist. `GET /redirects` resolves chains to " +
  "one hop.";

const shown = (entry: Redirect & RowMarks) => ({
  id: redirectId(entry.from),
  ...contentOf(entry),
  version: entry.version,
});
const list = listRoute({
  path,
  summary: "List redirects, oldest first",
  description: "Includes the redirects that slug changes created.",
  access: staff("content.view"),
  row: AdminRedirect,
  async list(_call, { table }: Shop<"table">) {
    const { entries } = await redirects.read(table);
    return { name: "staff's redirects", entries: entries.map(shown), nameOf: ({ id }) => id };
  },
});

/**
 * Returns condition checks that the redirect's target still exists when the redirect is stored. Throws AppError
 * `validation_failed` if the target does not exist.
 */
function requireTarget(redirect: Redirect, table: Table): Promise<Write[]> {
  return requireReferences(table, redirectReferences(redirect));
}

/** The redirect with a target on the storefront's own host as a path. */
async function onSite(
  redirect: Redirect,
  { settings }: Shop<"settings", CommerceGroup>,
): Promise<Redirect> {
  const { store } = await settings.current();
  return { ...redirect, to: targetOnSite(redirect.to, store.storefront_url) };
}

/** Adds a redirect to the others. Throws AppError `already_exists`, `validation_failed`. */
async function joined(
  others: readonly Redirect[],
  added: Redirect,
  { settings }: Shop<"settings", CommerceGroup>,
): Promise<Redirect[]> {
  const { store } = await settings.current();
  const joining = withRedirect(others, added, redirectHosts(store));
  if (joining.ok) return joining.redirects;
  if (!joining.exists) throw invalidFields(joining.problems);
  throw new AppError("already_exists", {
    message: "Another redirect already starts at this path.",
    details: { path: "from", from: added.from },
  });
}

const moving =
  "Changing `from` changes the redirect's id. `to` has the same rules as in `POST /admin/redirects`.";

export const routes = [
  list,
  ...recordRoutes({
    path,
    one: "a redirect",
    permissions: { view: "content.view", edit: "content.edit" },
    record: AdminRedirect,
    input: RedirectInput,
    examples: { record: example, patch: { to: "/sofas" } },
    descriptions: {
      create: rules,
      get: "The id is derived from `from`.",
      replace: moving,
      change: moving,
      remove: "The redirect stops working within seconds.",
    },
    errors: { create: ["already_exists"], edit: ["already_exists"] },
    store: entryStore(redirects),
    shown: ({ entry }) => shown(entry),
  }),
];
