import { hash } from "node:crypto";
import { type RecordReference, linkReferences } from "../base/references.ts";
import * as z from "zod";
import {
  type LinkTarget,
  type PagePaths,
  SitePath,
  linkTargets,
  plainPath,
  decodedText,
} from "./content.ts";
import { namesOf } from "../base/members.ts";
import type { Problem } from "../base/names.ts";
import { LimitedString } from "../base/text.ts";

/** A path on the site, or an https URL whose host is on the shop's list of allowed hosts. */
export const RedirectTarget = z.union([
  SitePath,
  LimitedString(500)
    .regex(/^https:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:[/?#][^\s\\\u0000-\u001f\u007f-\u009f]*)?$/)
    .refine((address) => URL.canParse(address)),
]);
export type RedirectTarget = z.output<typeof RedirectTarget>;

/** Whether a path contains encoded control characters, or invisible characters that make it look like another path. */
const isDisguised = (path: string): boolean =>
  /%(?:[01][0-9a-f]|7f)/i.test(path) || /[\p{Cc}\p{Cf}]/u.test(decodedText(path));

const hidden = "The address must not contain control characters or invisible marks.";

/** A path that may be redirected. The service's own paths may not be redirected. */
export const RedirectSource = SitePath.refine((path) => !isDisguised(path), {
  abort: true,
  message: hidden,
}).refine((path) => !/^\/+(?:api|docs|webhooks)(?:[/?#]|$)/i.test(decodedText(path)), {
  message: "Paths below /api, /docs and /webhooks are reserved.",
});

/**
 * A target as staff enter it. It contains no invisible characters or dot segments, which would disguise where it leads.
 */
export const SafeTarget = RedirectTarget.refine((target) => !isDisguised(target), {
  message: hidden,
}).refine((target) => !/\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(target.split(/[?#]/, 1)[0] ?? ""), {
  message: "The address must not contain `.` or `..` as a segment.",
});

export const Redirect = z.strictObject({
  from: SitePath,
  to: RedirectTarget,
  status: z.union([z.literal(301), z.literal(302), z.literal(308)]),
});
export type Redirect = z.output<typeof Redirect>;

/** Maximum number of redirects in the map. */
const mostRedirects = 2_000;

/** The whole redirect map. */
export const Redirects = z.object({
  redirects: z.array(Redirect).max(mostRedirects),
  version: z.int().min(1),
});
export type Redirects = z.output<typeof Redirects>;

/**
 * An address for comparisons: in lower case, without a trailing slash, a fragment, an empty query and needless percent
 * encoding. Those of other sites stay as they are.
 */
function canonical(address: string): string {
  if (!leadsHome(address)) return address;
  const [sent = ""] = address.split("#");
  const [path = "", ...query] = sent.split("?");
  const plain = plainPath(path).toLowerCase().replace(/\/+$/, "") || "/";
  return [plain, ...query.filter(Boolean).map(plainQuery)].join("?");
}

const plainQuery = (query: string): string =>
  query
    .split("&")
    .map((member) =>
      member
        .split("=")
        .map((part) => encodeURIComponent(decodedText(part)))
        .join("="),
    )
    .join("&");

const ends = new WeakMap<Redirect, string>();

/** The canonical address to which a redirect leads, memoized: a long chain is followed from each of its redirects. */
function endOf(redirect: Redirect): string {
  const end = ends.get(redirect) ?? canonical(redirect.to);
  ends.set(redirect, end);
  return end;
}

export type FlattenedRedirects =
  | { ok: true; redirects: Redirect[] }
  | { ok: false; problems: Problem[] };

/**
 * Replaces each chain of redirects by direct redirects. A direct redirect is permanent only if every redirect of its
 * chain is permanent. Duplicates, loops and targets on other hosts than the allowed ones are refused.
 *
 * @param allowedHosts lower-case host names that a target may lead to, without ports
 */
export function flattenRedirects(
  redirects: readonly Redirect[],
  allowedHosts: readonly string[],
): FlattenedRedirects {
  const byFrom = new Map(redirects.map((redirect) => [canonical(redirect.from), redirect]));
  const problems: Problem[] = [];
  const flattened = redirects.map((redirect, index): Redirect => {
    const at = (member: string, message: string) =>
      problems.push({ path: `redirects.${index}.${member}`, message });
    if (byFrom.get(canonical(redirect.from)) !== redirect) {
      at("from", "Another redirect already starts at this path.");
    }
    if (!leadsHome(redirect.to) && !allowedHosts.includes(new URL(redirect.to).hostname)) {
      at("to", "The address must be on this site or on an allowed host.");
    }
    const chain = chainFrom(redirect, byFrom);
    if (chain === undefined) {
      at("to", "The redirect leads back to the path where it starts.");
      return redirect;
    }
    const temporary = chain.some(({ status }) => status === 302);
    return {
      from: redirect.from,
      to: chain.at(-1)?.to ?? redirect.to,
      status: temporary ? 302 : redirect.status,
    };
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, redirects: flattened };
}

const leadsHome = (target: string): boolean => target.startsWith("/");

/** The redirects of a chain that starts with `first`; undefined for a loop. */
function chainFrom(first: Redirect, byFrom: ReadonlyMap<string, Redirect>): Redirect[] | undefined {
  const passed = new Set<Redirect>();
  let next: Redirect | undefined = first;
  while (next) {
    if (passed.has(next)) return undefined;
    passed.add(next);
    next = leadsHome(next.to) ? byFrom.get(endOf(next)) : undefined;
  }
  return [...passed];
}

/**
 * The map after a record moved from one address to another. It contains a 301 from the old address to the new one, so
 * that redirects to the old address lead on to the new one. Redirects from the new address are removed. If the map is
 * full, the oldest redirects are dropped.
 */
export function redirectsAfterMove(
  redirects: readonly Redirect[],
  from: string,
  to: string,
): Redirect[] {
  const others = withoutRedirectFrom(withoutRedirectFrom(redirects, from), to);
  return [...others, { from, to, status: 301 as const }].slice(-mostRedirects);
}

/** The map without direct or indirect redirects to an address that no longer exists. */
export function withoutRedirectsTo(redirects: readonly Redirect[], address: string): Redirect[] {
  const gone = canonical(address);
  return withoutEnds(redirects, (end) => canonical(pathOf(end)) === gone);
}

/** The map without redirects to the list of a deleted category or collection. */
export const withoutRedirectsToList = (
  redirects: readonly Redirect[],
  { kind, slug }: LinkTarget,
  paths: PagePaths,
): Redirect[] =>
  withoutEnds(redirects, (end) =>
    linkTargets(end, paths).some((target) => target.kind === kind && target.slug === slug),
  );

function withoutEnds(
  redirects: readonly Redirect[],
  isGone: (end: SitePath) => boolean,
): Redirect[] {
  const byFrom = new Map(redirects.map((redirect) => [canonical(redirect.from), redirect]));
  return redirects.filter((redirect) => {
    const end = chainFrom(redirect, byFrom)?.at(-1)?.to;
    return end === undefined || !leadsHome(end) || !isGone(end);
  });
}

/**
 * The map after the paths of the storefront's pages changed: a redirect to a page leads to its new address, and a
 * redirect with `{slug}` leads from the old path to the new one. Redirects that would then lead to themselves are left
 * out.
 */
export function redirectsAfterNewPaths(
  redirects: readonly Redirect[],
  before: PagePaths,
  after: PagePaths,
): Redirect[] {
  const direct = publicRedirects(redirects);
  const followed = redirects.flatMap((redirect, index) => {
    if (hrefAfterNewPaths(redirect.to, before, after) === redirect.to) return [redirect];
    // Redirects from earlier slugs start at the old path, so the chain is followed first.
    const { to: end, status } = direct[index] ?? redirect;
    const to = hrefAfterNewPaths(end, before, after);
    return canonical(to) === canonical(redirect.from) ? [] : [{ ...redirect, to, status }];
  });
  return movedPaths(before, after).reduce(
    (map, { from, to, isFree }) =>
      isFree ? redirectsAfterMove(map, from, to) : withoutRedirectFrom(map, to),
    followed,
  );
}

/** A link, or the target of a redirect, after the paths of the storefront's pages changed. */
export function hrefAfterNewPaths(href: string, before: PagePaths, after: PagePaths): string {
  const [target, ...others] = linkTargets(href, before);
  if (target === undefined || others.length > 0 || target.kind === "collection") return href;
  const { kind, slug } = target;
  if (before[kind] === after[kind]) return href;
  return after[kind].replace("{slug}", () => slug) + href.slice(pathOf(href).length);
}

/** The paths that changed. An old path is free if no page of the storefront has an address that matches it. */
function movedPaths(before: PagePaths, after: PagePaths) {
  const kinds = namesOf(after).filter((kind) => before[kind] !== after[kind]);
  return kinds.map((kind) => ({
    from: before[kind],
    to: after[kind],
    isFree:
      !before[kind].startsWith("/{slug}") &&
      Object.values(after).every(
        (path) =>
          linkTargets(path.replace("{slug}", "a"), { ...noPaths, [kind]: before[kind] }).length ===
          0,
      ),
  }));
}

/** Paths that no address has. */
const noPaths: PagePaths = {
  page: "//page/{slug}",
  product: "//product/{slug}",
  sofa: "//sofa/{slug}",
  story: "//story/{slug}",
  category: "//category/{slug}",
};

/**
 * A target on the storefront's own host as a path of the site, so that a loop through it is found. Other targets stay as
 * they are.
 */
export function targetOnSite(target: string, storefrontUrl: string): string {
  if (leadsHome(target)) return target;
  const site = new URL(storefrontUrl);
  const { host, pathname, search, hash: fragment } = new URL(target);
  const path = SitePath.safeParse(pathname + search + fragment);
  return host === site.host && site.pathname === "/" && path.success ? path.data : target;
}

/** The path of an address of the site, without query and fragment. */
export const pathOf = (target: string): string => target.split(/[?#]/, 1)[0] ?? "";

/**
 * The map without the redirect from an address that a record uses again. Redirects to that address then lead to the
 * target of the removed redirect, because they were not meant for this record.
 */
export function withoutRedirectFrom(redirects: readonly Redirect[], address: string): Redirect[] {
  const place = canonical(address);
  const gone = redirects.find(({ from }) => canonical(from) === place);
  if (!gone) return [...redirects];
  const { to, status } = gone;
  return redirects.flatMap((redirect) => {
    if (redirect === gone) return [];
    if (endOf(redirect) !== place) return [redirect];
    return [{ ...redirect, to, status: status === 302 ? 302 : redirect.status }];
  });
}

/** The hosts that the redirects lead to. They were allowed when the redirects were written. */
const hostsOf = (redirects: readonly Redirect[]): string[] =>
  redirects.flatMap(({ to }) => (leadsHome(to) ? [] : [new URL(to).hostname]));

/** The reference of a redirect to its target: to a host, or to what a path of the shop's own site leads to. */
export const redirectReferences = (redirect: Redirect): RecordReference[] => {
  const [host] = hostsOf([redirect]);
  const path = "to";
  return host === undefined
    ? linkReferences([{ path, href: redirect.to }])
    : [{ path, kind: "redirect_host", id: host }];
};

/** The id of a redirect, derived from its source path. */
export const redirectId = (from: string): string =>
  `rdr_${hash("sha256", from, "base64url").slice(0, 22)}`;

export type AddedRedirect =
  | { ok: true; redirects: Redirect[] }
  | { ok: false; exists: boolean; problems: Problem[] };

/**
 * The map with one more redirect. Problems refer to members of the new redirect.
 *
 * @param allowedHosts as for `flattenRedirects`; hosts of existing targets stay allowed
 */
export function withRedirect(
  redirects: readonly Redirect[],
  added: Redirect,
  allowedHosts: readonly string[],
): AddedRedirect {
  const refused = (path: string, message: string) => ({ path, message });
  if (withoutRedirectFrom(redirects, added.from).length < redirects.length) {
    const message = "Another redirect already starts at this path.";
    return { ok: false, exists: true, problems: [refused("from", message)] };
  }
  if (hostsOf([added]).some((host) => !allowedHosts.includes(host))) {
    const message = "The address must be on this site or on an allowed host.";
    return { ok: false, exists: false, problems: [refused("to", message)] };
  }
  const map = [...redirects, added];
  if (flattenRedirects(map, hostsOf(map)).ok) return { ok: true, redirects: map };
  const message = "The redirect leads back to the path where it starts.";
  return { ok: false, exists: false, problems: [refused("to", message)] };
}

/**
 * The public redirects, in which each chain is replaced by direct redirects. If that fails, they are returned as
 * stored.
 */
export function publicRedirects(redirects: readonly Redirect[]): Redirect[] {
  const flattened = flattenRedirects(redirects, hostsOf(redirects));
  return flattened.ok ? flattened.redirects : [...redirects];
}
