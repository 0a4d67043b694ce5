import * as z from "zod";
import { Redirect, Redirects, redirectId, withRedirect } from "#shared/domain/redirect.ts";
import { createOnce, creationHeaders } from "#shared/http/create-once.ts";
import { found } from "#shared/http/edit.ts";
import { AppError, invalidFields } from "#shared/http/errors.ts";
import { requireVersion } from "#shared/http/if-match.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { CursorMeta, CursorPage } from "#shared/http/paging.ts";
import { patchOf, withPatch } from "#shared/http/patch.ts";
import { type Call, apiPrefix, route, staff } from "#shared/http/route.ts";
import { doingOf } from "#shared/http/staff-call.ts";
import { recordActivity } from "#shared/storage/activity.ts";
import { putRedirects } from "#shared/storage/catalog-edits.ts";
import { LiveRedirects } from "#shared/storage/content.ts";
import { onFresh } from "#shared/storage/on-fresh.ts";
import type { Write } from "#shared/storage/writes.ts";
import type { Deps } from "./deps.ts";
import { entriesPage, requireUnchanged } from "./entries.ts";
import { storable } from "./input.ts";

const StaffRedirect = Redirect.extend({
  id: z.string().meta({ description: "Follows from `from`" }),
  version: z.int().meta({ description: "Of the whole map" }),
});
const RedirectInput = Redirect.extend({ status: Redirect.shape.status.default(301) }).meta({
  example: { from: "/sale-2025", to: "/products?tag=sale", status: 302 },
});
const RedirectPatch = patchOf(Redirect).meta({ example: { to: "/sofas" } });

const first = (_call: unknown, { table }: Deps) => table.get(LiveRedirects, {});
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
    const { body } = call;
    const id = redirectId(body.from);
    const made = await createOnce("POST /admin/redirects", call, deps.table, id, async (further) =>
      write(
        await first(call, deps),
        { call, deps, verb: "create", from: body.from, further },
        (redirects) => ({
          others: redirects,
          added: body,
        }),
      ),
    );
    const headers = creationHeaders(`${apiPrefix}/admin/redirects`, made);
    return { ...answerOf(found(await first(call, deps)), made.id), headers };
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
    const map = await save(call, deps, "update", asRead.from, (redirects, version) => {
      const { redirect, others } = taken(redirects, call.params.id);
      requireUnchanged(asRead, redirect, version);
      return { others, added: call.body };
    });
    return answerOf(map, redirectId(call.body.from));
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
    const map = await save(call, deps, "update", from, (redirects) => {
      const { redirect, others } = taken(redirects, call.params.id);
      return { others, added: withPatch(redirect, call.body) };
    });
    return answerOf(map, redirectId(call.body.from ?? from));
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
  async handle(call, deps: Deps) {
    const { from } = found(call.first?.redirects.find(isNamed(call.params.id)));
    await save(call, deps, "delete", from, (redirects) => taken(redirects, call.params.id));
  },
});

/** A redirect and its neighbours. Throws AppError `not_found`. */
function taken(redirects: readonly Redirect[], id: string) {
  const redirect = found(redirects.find(isNamed(id)));
  return { redirect, others: redirects.filter((other) => other !== redirect) };
}

interface Saving extends Pick<Call, "actor" | "requestId" | "now"> {
  readonly headers: z.output<typeof ifMatch>;
  readonly first: Redirects | undefined;
}

/** What is left of the map, and the redirect that joins it. */
interface Changed {
  readonly others: readonly Redirect[];
  readonly added?: Redirect;
}
type Change = (redirects: readonly Redirect[], version: number) => Changed;

/** Saves what a change makes of the map, on a fresh read when somebody else wrote in between. */
function save(
  call: Saving,
  deps: Deps,
  verb: "update" | "delete",
  from: string,
  change: Change,
): Promise<Redirects> {
  return onFresh(
    call.first,
    () => first(call, deps),
    async (before) => {
      requireVersion(call.headers["if-match"], before?.version ?? 0);
      return write(before, { call, deps, verb, from }, change);
    },
  );
}

interface Writing {
  readonly call: Parameters<typeof doingOf>[0];
  readonly deps: Deps;
  readonly verb: "create" | "update" | "delete";
  readonly from: string;
  /** Writes of the same transaction. */
  readonly further?: readonly { write: Write }[];
}

/** Throws Refused when the map is not the one that was read any more. */
async function write(
  before: Redirects | undefined,
  { call, deps, verb, from, further = [] }: Writing,
  change: Change,
): Promise<Redirects> {
  const { redirects, version } = before ?? { redirects: [], version: 0 };
  const { store } = await deps.settings.current();
  const hosts = [new URL(store.storefront_url).hostname, ...store.redirect_hosts];
  const { others, added } = change(redirects, version);
  const changed = added ? joined(others, added, hosts) : others;
  const after = storable(Redirects, { redirects: changed, version: version + 1 });
  const target = { kind: "redirect", id: redirectId(from), label: from };
  const states = { before: byName(redirects), after: byName(after.redirects) };
  await deps.table.transact([
    ...further.map(({ write }) => write),
    putRedirects(after.redirects, before),
    recordActivity(doingOf(call), `redirect.${verb}`, target, states),
  ]);
  return after;
}

function joined(others: readonly Redirect[], added: Redirect, hosts: readonly string[]) {
  const map = withRedirect(others, added, hosts);
  if (map.ok) return map.redirects;
  if (!map.exists) throw invalidFields(map.problems);
  throw new AppError("already_exists", {
    message: "Another redirect starts from this address.",
    details: { path: "from", from: added.from },
  });
}

/** So that the diff of a change names the redirect, not its place. */
const byName = (redirects: readonly Redirect[]) =>
  Object.fromEntries(redirects.map(({ from, to, status }) => [from, { to, status }]));
