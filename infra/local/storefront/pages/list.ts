import type { Schemas, paths } from "furniture-storefront-client";
import { count } from "../format.ts";
import { cards, swatch } from "../goods.ts";
import { type View, loaded, useAnswer, useTitle, view } from "../page.ts";
import { address, navigate } from "../router.ts";
import { shop } from "../shop.ts";

const sorts = {
  relevance: "Best match",
  popular: "Most popular",
  newest: "Newest",
  price: "Price, low to high",
  "-price": "Price, high to low",
  name: "Name",
};
const single = new Set(["q", "price_min", "price_max", "width_max_mm", "in_stock", "sort", "page"]);
const several = ["category", "collection", "room", "style", "material", "color", "tag", "seats"];
/** What a path lists; the others list both. */
const typesOf: Readonly<Record<string, string[]>> = { "/products": ["product"], "/sofas": ["sofa"] };
const minorUnits = 100;
type Query = NonNullable<paths["/api/v1/search"]["get"]["parameters"]["query"]>;
type Meta = Schemas["CardListMeta"];

/** The values of a filter that takes several. */
const valuesOf = (name: string): string[] => address.value.searchParams.get(name)?.split(",").filter(Boolean) ?? [];

/** All state of a list is in its address, so that a link shows the same. */
function queryOf(slug: string | undefined): Query {
  const { pathname, searchParams } = address.value;
  const query: Record<string, unknown> = {};
  for (const [name, value] of searchParams) {
    if (single.has(name)) query[name] = value;
    if (several.includes(name)) query[name] = valuesOf(name);
  }
  const type = typesOf[pathname] ?? ["product", "sofa"];
  return { ...query, ...(slug && { category: [slug] }), type, include: ["facets"] } as Query;
}

/** Products, sofas or both, by words or without. */
export function List({ slug }: { slug?: string }): View {
  const query = queryOf(slug);
  const { href } = address.value;
  const answer = useAnswer(() => shop.GET("/api/v1/search", { params: { query } }), [href]);
  const title = titleOf(answer.data?.meta.facets ?? [], query);
  useTitle(title);
  return view`
    <h1>${title}</h1>
    ${loaded(
      answer,
      ({ data, meta }) => view`
        <div class="columns">
          ${filters(meta)}
          <section>
            <h2 class="hidden">Results</h2>
            <div class="toolbar"><p role="status">${resultOf(meta)}</p>${sorting(query)}</div>
            ${data.length === 0 && nothing}
            ${cards(cardsOf(data), 4)}
            ${pager(meta)}
          </section>
        </div>`,
    )}`;
}

const cardsOf = (found: readonly Schemas["SearchItem"][]) => found.flatMap((item) => ("card" in item ? item.card : []));

const nothing = view`<p class="notice">Nothing answers all of this. <a href="/contact">Have it made</a>, or take filters off.</p>`;

function titleOf(facets: readonly Schemas["Facet"][], query: Query): string {
  if (query.q) return `“${query.q}”`;
  for (const { code, values } of facets) {
    const [only, another] = query[code]?.map(String) ?? [];
    const chosen = values.find(({ value }) => value === only);
    if (chosen && another === undefined && code !== "seats") return chosen.label;
  }
  return address.value.pathname === "/sofas" ? "Sofas, made for you" : "Furniture";
}

const resultOf = ({ total, match }: Meta): string =>
  match === "partial" ? `Nothing matches every word. ${count(total, "piece")} come close.` : count(total, "piece");

function addressWith(name: string, value: string): string {
  const next = new URL(address.value);
  // Another filter begins at the first page.
  next.searchParams.delete("page");
  if (value === "") next.searchParams.delete(name);
  else next.searchParams.set(name, value);
  return next.href.replaceAll("%2C", ",");
}

const change = (name: string, value: string) => navigate(addressWith(name, value), "replace");

type Changed<Control extends HTMLElement = HTMLInputElement> = { currentTarget: Control };

const sorting = ({ q, sort = q ? "relevance" : "popular" }: Query): View => view`
  <label>
    Sort by${" "}
    <select value=${sort} onChange=${({ currentTarget }: Changed<HTMLSelectElement>) => change("sort", currentTarget.value)}>
      ${Object.entries(sorts).map(
        ([code, label]) => (q || code !== "relevance") && view`<option key=${code} value=${code}>${label}</option>`,
      )}
    </select>
  </label>`;

function filters({ facets = [], price_range }: Meta): View {
  const { searchParams, pathname } = address.value;
  const chosen = [...several, "price_min", "price_max", "in_stock"].filter((name) => searchParams.has(name));
  const onStock = ({ currentTarget }: Changed) => change("in_stock", currentTarget.checked ? "true" : "");
  return view`
    <details class="filters" open=${matchMedia("(min-width: 900px)").matches}>
      <summary>Filters${chosen.length > 0 && ` (${chosen.length})`}</summary>
      ${chosen.length > 0 && view`<a href=${pathname}>Clear all filters</a>`}
      <label class="check">
        <input type="checkbox" checked=${searchParams.has("in_stock")} onChange=${onStock} /> In stock
      </label>
      ${
        price_range &&
        view`
          <fieldset class="range">
            <legend>Price in rupees</legend>
            ${amount("price_min", "From", price_range.min)}${amount("price_max", "To", price_range.max)}
          </fieldset>`
      }
      ${facets.map(facet)}
    </details>`;
}

function amount(name: string, label: string, bound: number): View {
  const value = Number(address.value.searchParams.get(name)) / minorUnits || "";
  const onChange = ({ currentTarget }: Changed) =>
    change(name, currentTarget.value && String(Math.round(currentTarget.valueAsNumber * minorUnits)));
  return view`
    <label>
      ${label} <input type="number" min="0" placeholder=${Math.round(bound / minorUnits)} ...${{ value, onChange }} />
    </label>`;
}

const shownValues = 8;

function facet({ code, label, values }: Schemas["Facet"]): View {
  const chosen = valuesOf(code);
  const toggle = (value: string) =>
    change(code, (chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]).join(","));
  const boxes = values.map(
    ({ value, label, count, swatch: sample, parent }) => view`
      <label key=${value} class="check ${parent ? "child" : ""}">
        <input type="checkbox" checked=${chosen.includes(value)} onChange=${() => toggle(value)} />
        ${sample && swatch(sample)}<span>${label}</span> <small>${count}</small>
      </label>`,
  );
  const rest = boxes.slice(shownValues);
  return view`
    <fieldset key=${code}>
      <legend>${label}</legend>
      ${boxes.slice(0, shownValues)}
      ${rest.length > 0 && view`<details><summary>${rest.length} more</summary>${rest}</details>`}
    </fieldset>`;
}

const pager = ({ page, last_page }: Meta): View =>
  last_page > 1 &&
  view`
    <nav class="pager" aria-label="Pages">
      ${page > 1 && view`<a href=${addressWith("page", String(page - 1))}>Previous</a>`}
      <span>Page ${page} of ${last_page}</span>
      ${page < last_page && view`<a href=${addressWith("page", String(page + 1))}>Next</a>`}
    </nav>`;
