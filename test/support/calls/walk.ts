import { explorerAssets } from "#functions/docs/explorer.ts";
import { families } from "#functions/families.ts";
import { type Route, fullPath } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import type { Client, Reply } from "../http/client.ts";
import { paramsOf, pathOf } from "../http/every-route.ts";
import { nothingListed } from "./every-call.ts";

interface Listed {
  data: { slug: string }[];
  links?: { next: string | null };
  meta?: { next_cursor?: string | null };
}

export interface Visit {
  readonly route: Route;
  readonly path: string;
  readonly reply: Reply;
}

/** Functions that find the slugs for routes whose parent path is not a list of these slugs. */
const slugsOf: Record<string, (client: Client) => Promise<string[]>> = {
  "/products/{slug}/related": (client) => listedSlugs(client, "/products"),
  "/sofas/{slug}/related": (client) => listedSlugs(client, "/sofas"),
  "/pages/{slug}": linkedPages,
  "/docs/api/{asset}": async () => [...explorerAssets],
  "/sitemaps/{file}": async () => ["1.xml"],
};

/** Queries that add members or records to a list's response. */
const furtherQueries: Record<string, readonly string[]> = {
  "/products": ["include=facets", "q=chair", "sort=-price&in_stock=true"],
  "/sofas": ["include=facets", "q=sofa"],
  "/search": ["include=facets", "category=sofas&sort=-price", "color=grey"],
  "/categories": ["kind=category", "kind=collection", "kind=room", "kind=style"],
};

/** Queries without which a route refuses the request. */
const requiredQueries: Record<string, string> = {
  "/search": "?q=chair",
  "/search/suggest": "?q=cha",
};

/** Calls every public route: all pages of lists, and all records. */
export async function visitPublic(client: Client): Promise<Visit[]> {
  const visits: Visit[] = [];
  const readable = families
    .flatMap(({ routes }) => routes)
    .filter(({ method, cache }) => method === "GET" && cache === "public");
  for (const route of readable) {
    const paths =
      paramsOf(route).length > 0
        ? (await valuesOf(client, route)).map((value) => pathOf(route, () => value))
        : await pagesOf(client, fullPath(route) + (requiredQueries[route.path] ?? ""));
    const queries = (furtherQueries[route.path] ?? []).map(
      (query) => `${apiPrefix}${route.path}?${query}`,
    );
    for (const path of [...paths, ...queries]) {
      visits.push({ route, path, reply: await client.send("GET", path) });
    }
  }
  return visits;
}

async function valuesOf(client: Client, { path }: Route): Promise<string[]> {
  const list = path.slice(0, path.indexOf("/{"));
  const values = await (slugsOf[path]?.(client) ?? listedSlugs(client, list));
  if (values.length === 0) throw new Error(nothingListed(list));
  return values;
}

/** The paths of all pages of a list; for other routes the path itself. */
async function pagesOf(client: Client, first: string): Promise<string[]> {
  const pages: string[] = [];
  for (let path: string | null = first; path !== null;) {
    pages.push(path);
    const { body }: Reply<Listed | undefined> = await client.send("GET", path);
    const cursor: string | null | undefined = body?.meta?.next_cursor;
    path = body?.links?.next ?? (cursor ? `${first}?cursor=${encodeURIComponent(cursor)}` : null);
  }
  return pages;
}

async function listedSlugs(client: Client, list: string): Promise<string[]> {
  const slugs: string[] = [];
  for (const page of await pagesOf(client, apiPrefix + list)) {
    const { status, text, body } = await client.send<Listed>("GET", page);
    if (status !== 200) throw new Error(`GET ${page} fails: ${status} ${text}`);
    slugs.push(...body.data.map(({ slug }) => slug));
  }
  return slugs;
}

async function linkedPages(client: Client): Promise<string[]> {
  const { text } = await client.get("/bootstrap");
  return [...new Set([...text.matchAll(/"\/pages\/([a-z0-9-]+)"/g)].map(([, slug]) => slug ?? ""))];
}
