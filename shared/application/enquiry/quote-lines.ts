import type { StoredCartLine } from "../../domain/cart/cart.ts";
import {
  type CatalogFacts,
  type SaleContext,
  chosenMaterials,
  resolveLine,
} from "../../domain/cart/cart-lines.ts";
import { configurationId, normaliseConfiguration } from "../../domain/sofa/configuration.ts";
import { newId } from "../../domain/base/ids.ts";
import type { Problem } from "../../domain/base/names.ts";
import type { PublishedProduct } from "../../domain/catalog/product.ts";
import type { RequestedQuoteItem } from "../../domain/enquiry/quote-item-input.ts";
import { type QuoteItem, catalogItem, customItem } from "../../domain/enquiry/quote-item.ts";
import type { PublishedSofa } from "../../domain/sofa/sofa.ts";
import { priceSofa } from "../../domain/sofa/sofa-price.ts";
import {
  Cards,
  PublishedProducts,
  PublishedSofas,
  SkuClaims,
  Stocks,
} from "../../storage/catalog/catalog.ts";
import { byName, factReads, readCatalogFacts } from "../../storage/catalog/published-facts.ts";
import { at } from "../../storage/reads.ts";
import type { Table } from "../../storage/table.ts";

/** A requested line of a quote, and its path in the request. */
export interface RequestedLine {
  readonly requested: RequestedQuoteItem;
  readonly quantity: number;
  readonly path: string;
}

interface Resolved {
  readonly item?: QuoteItem;
  /** Slugs of the item's category and of that category's ancestors. */
  readonly categories?: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Resolves the requested lines of a quote against the current catalog.
 *
 * @returns the lines in the requested order, without those that have problems
 */
export async function quoteLines(
  table: Table,
  requested: readonly RequestedLine[],
  sale: SaleContext,
): Promise<{ items: QuoteItem[]; problems: Problem[] }> {
  const resolved = await resolveLines(table, requested, sale);
  return {
    items: resolved.flatMap(({ item }) => item ?? []),
    problems: resolved.flatMap(({ problems }) => problems),
  };
}

/** What the catalog says about a line of a quote. */
interface LineFacts {
  /** The price of the day. */
  readonly regular_price: number;
  /** Slugs of the category and of its ancestors. */
  readonly categories: readonly string[];
}

/** What the catalog says about a quote's lines, by their ids. Custom items, and what is no longer sold, are not in it. */
export async function catalogFactsOf(
  table: Table,
  items: readonly QuoteItem[],
  sale: SaleContext,
): Promise<ReadonlyMap<string, LineFacts>> {
  const requested = items.flatMap(requestedAgain);
  const resolved = requested.length === 0 ? [] : await resolveLines(table, requested, sale);
  return new Map(
    resolved.flatMap(({ item, categories = [] }, index) =>
      item?.unit_price == null
        ? []
        : [[requested[index]!.path, { regular_price: item.unit_price, categories }] as const],
    ),
  );
}

/** The request for a line that a quote has. Its path is the line's id. */
function requestedAgain({
  id: path,
  product_id,
  sofa_id,
  sku,
  configuration,
  quantity,
}: QuoteItem): RequestedLine[] {
  if (product_id !== null) {
    return [{ path, quantity, requested: { kind: "product", product: product_id, sku } }];
  }
  if (sofa_id === null) return [];
  const requested = {
    kind: "sofa",
    sofa: sofa_id,
    configuration: configuration ?? {},
  } as const;
  return [{ path, quantity, requested }];
}

async function resolveLines(
  table: Table,
  requested: readonly RequestedLine[],
  sale: SaleContext,
): Promise<Resolved[]> {
  const named = await readNamed(table, requested);
  const lines = requested.map((line) => catalogLine(line, named, sale.now));
  const stored = lines.filter((line) => line !== undefined);
  const facts = await readCatalogFacts(
    table.getMany,
    stored,
    await table.getMany(factReads(stored)),
  );
  return requested.map((line, index) => resolve(line, lines[index], facts, sale));
}

/** Published products and sofas, each found by its slug and by its id. */
interface Named {
  readonly bySku: ReadonlyMap<string, PublishedProduct>;
  readonly products: ReadonlyMap<string, PublishedProduct>;
  readonly sofas: ReadonlyMap<string, PublishedSofa>;
}

/**
 * Reads the requested records. A name with an underscore is an id, because slugs contain none and ids always do. A
 * record requested by id is found through its card, which takes one more read.
 */
async function readNamed(table: Table, requested: readonly RequestedLine[]): Promise<Named> {
  const names = requested.flatMap(({ requested: { kind, ...thing } }) => {
    if ("product" in thing) return thing.product === null ? [] : { kind, name: thing.product };
    return "sofa" in thing ? { kind, name: thing.sofa } : [];
  });
  const ids = [...new Set(names.map(({ name }) => name).filter((name) => name.includes("_")))];
  const skus = requested.flatMap(({ requested: thing }) =>
    thing.kind === "product" && thing.product === null ? (thing.sku ?? []) : [],
  );
  const { cards, claims } =
    ids.length + skus.length > 0
      ? await table.getMany({
          cards: ids.map((id) => at(Cards, { id })),
          claims: skus.map((sku) => at(SkuClaims, { sku })),
        })
      : { cards: [], claims: [] };
  const owners = claims.flatMap((claim) => (claim?.owner.kind === "product" ? claim.owner : []));
  const slugs = byName(cards, ({ id }) => id);
  const slugsOf = (requestedKind: string) =>
    names.flatMap(({ kind, name }) =>
      kind === requestedKind ? { slug: slugs.get(name)?.slug ?? name } : [],
    );
  const rows = await table.getMany({
    products: [...slugsOf("product"), ...owners].map(({ slug }) => at(PublishedProducts, { slug })),
    sofas: slugsOf("sofa").map((slug) => at(PublishedSofas, slug)),
  });
  const bySku = productsBySku(rows.products);
  // A claim has the slug of the time when it was made; the stock has the present one.
  const { stock } = await table.getMany({
    stock: claims.flatMap((claim) =>
      claim?.owner.kind === "product" && !bySku.has(claim.sku)
        ? at(Stocks, { id: claim.stock_id })
        : [],
    ),
  });
  const { renamed } = await table.getMany({
    renamed: stock.flatMap((row) => (row ? at(PublishedProducts, row.owner) : [])),
  });
  return {
    bySku: new Map([...bySku, ...productsBySku(renamed)]),
    products: new Map([
      ...byName(rows.products, ({ slug }) => slug),
      ...byName(rows.products, ({ id }) => id),
    ]),
    sofas: new Map([
      ...byName(rows.sofas, ({ slug }) => slug),
      ...byName(rows.sofas, ({ id }) => id),
    ]),
  };
}

const productsBySku = (products: readonly (PublishedProduct | undefined)[]) =>
  new Map(
    products.flatMap(
      (product) => product?.variants.map(({ sku }) => [sku, product] as const) ?? [],
    ),
  );

/** The cart line for a requested product or sofa; undefined if the catalog does not have it. */
function catalogLine(
  { requested, quantity }: RequestedLine,
  { bySku, products, sofas }: Named,
  now: Date,
): StoredCartLine | undefined {
  const line = { id: newId("line", now), quantity, unit_price: 0 };
  if (requested.kind === "product") {
    const product =
      requested.product === null ? bySku.get(requested.sku ?? "") : products.get(requested.product);
    const variant = product?.variants.find(({ sku }) => sku === (requested.sku ?? sku));
    if (!product || !variant) return undefined;
    const { id: product_id, slug } = product;
    return { ...line, kind: "product", product_id, slug, variant_id: variant.id, sku: variant.sku };
  }
  const sofa = requested.kind === "sofa" ? sofas.get(requested.sofa) : undefined;
  if (requested.kind !== "sofa" || !sofa) return undefined;
  const { configuration } = normaliseConfiguration(sofa, requested.configuration);
  return {
    ...line,
    kind: "sofa",
    sofa_id: sofa.id,
    slug: sofa.slug,
    configuration,
    configuration_id: configurationId(sofa.model_version, configuration),
    material_codes: chosenMaterials(sofa, configuration),
    upload_ids: [],
    note: null,
  };
}

function resolve(
  { requested, quantity, path }: RequestedLine,
  stored: StoredCartLine | undefined,
  facts: CatalogFacts,
  sale: SaleContext,
): Resolved {
  if (requested.kind === "custom") {
    return {
      item: customItem(requested.custom, { id: newId("line", sale.now), quantity }),
      problems: [],
    };
  }
  const member = requested.kind === "product" && requested.sku !== null ? "sku" : requested.kind;
  const unknown = { path: `${path}.${member}`, message: `There is no such ${requested.kind}.` };
  if (!stored) return { problems: [unknown] };
  const sofa = stored.kind === "sofa" ? facts.sofas.get(stored.sofa_id) : undefined;
  if (requested.kind === "sofa" && sofa) {
    const { errors } = priceSofa(sofa, facts.materials, requested.configuration);
    const problems = errors.map(({ option, message }) => ({
      path: `${path}.configuration.${option}`,
      message,
    }));
    if (problems.length > 0) return { problems };
  }
  const { line, requirement } = resolveLine(stored, facts, sale);
  const { categories } = line;
  return requirement
    ? { problems: [unknown] }
    : { item: catalogItem(line), categories, problems: [] };
}
