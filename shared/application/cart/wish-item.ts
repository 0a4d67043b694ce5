import {
  maxWishes,
  type WishlistEntry,
  type WishlistInput,
  wishPosition,
} from "#shared/domain/cart/wishlist.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import {
  Wishes,
  addWish,
  listWishes,
  removeWish,
  replaceWish,
} from "#shared/storage/cart/wishlist.ts";
import { unlessRefused } from "#shared/storage/writes.ts";
import type { Card, CardKind } from "#shared/domain/catalog/card.ts";
import type { StoredCartLine } from "#shared/domain/cart/cart.ts";
import { chosenMaterials } from "#shared/domain/cart/cart-lines.ts";
import { type Configuration, normaliseConfiguration } from "#shared/domain/sofa/configuration.ts";
import { priceSofa } from "#shared/domain/sofa/sofa-price.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import {
  Cards,
  PublishedMaterials,
  PublishedProducts,
  PublishedSofas,
} from "#shared/storage/catalog/catalog.ts";
import { byName, factReads, readCatalogFacts } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";

/**
 * Whether `name` is the id of a product or sofa. Story ids are excluded, because stories also have rows under `CARD#`.
 */
const isId = (name: string): boolean => /^(?:prd|sofa)_/.test(name);

export const unknownProduct = () => invalidField("product", "The selected product is invalid.");

/**
 * The wishlist entry of a product or sofa at its current price.
 *
 * @param id from `wishedId`
 * @throws AppError `validation_failed` on `product` or on options of the configuration
 */
async function wishOf(
  table: Table,
  id: string,
  { configuration }: WishlistInput,
  now: Date,
): Promise<{ entry: WishlistEntry; card: Card }> {
  const card = await table.get(Cards, { id });
  if (!card) throw unknownProduct();
  const configured = configuration && (await configuredAs(table, card, configuration));
  const entry = {
    product_id: card.id,
    kind: card.kind,
    slug: card.slug,
    name: card.name,
    configuration: configured?.configuration ?? null,
    configuration_id: configured?.configuration_id ?? null,
    material_codes: configured?.material_codes ?? [],
    currency: card.currency,
    price_when_added: configured?.price ?? card.price,
    added_at: now.toISOString(),
  };
  return { entry, card };
}

/**
 * The id that a wishlist request refers to. An id is returned unchecked. A slug is looked up among published products
 * and sofas, or only among sofas if the request has a configuration. The result is undefined if no item has the slug.
 * If a product and a sofa share the slug, a request without a configuration means the product.
 */
export async function wishedId(
  table: Table,
  { product: name, configuration }: WishlistInput,
): Promise<string | undefined> {
  if (isId(name)) return name;
  const { products, sofas } = await table.getMany({
    products: configuration ? [] : [at(PublishedProducts, { slug: name })],
    sofas: [at(PublishedSofas, { slug: name })],
  });
  return (products[0] ?? sofas[0])?.id;
}

async function configuredAs(table: Table, { kind, slug }: Card, input: Configuration) {
  const sofa = kind === "sofa" ? await table.get(PublishedSofas, { slug }) : undefined;
  if (!sofa) throw invalidField("configuration", "Only a sofa can have a configuration.");
  const material_codes = chosenMaterials(sofa, normaliseConfiguration(sofa, input).configuration);
  const { materials } = await table.getMany({
    materials: material_codes.map((code) => at(PublishedMaterials, { code })),
  });
  const priced = priceSofa(
    sofa,
    byName(materials, ({ code }) => code),
    input,
  );
  const problem = priced.errors[0];
  if (problem || priced.price === null) {
    throw new AppError("validation_failed", {
      ...(problem && { message: problem.message }),
      errors: Object.fromEntries(
        priced.errors.map(({ option, message }) => [`configuration.${option}`, [message]]),
      ),
    });
  }
  const { configuration, configuration_id, price } = priced;
  return { configuration, configuration_id, material_codes, price };
}

/** Reads the entries' cards and current prices, usually in one step. */
export async function pricesNow(
  table: Table,
  entries: readonly WishlistEntry[],
): Promise<(entry: WishlistEntry) => [card: Card | null, price: number | null]> {
  const lines = entries.flatMap(lineOf);
  const cards = entries.map(({ product_id }) => at(Cards, { id: product_id }));
  const found = await table.getMany({ cards, ...factReads(lines) });
  const byId = byName(found.cards, ({ id }) => id);
  const { sofas, materials } = await readCatalogFacts(table.getMany, lines, found);
  return ({ product_id, configuration }) => {
    const card = byId.get(product_id) ?? null;
    if (!card || configuration === null) return [card, card?.price ?? null];
    const sofa = sofas.get(product_id);
    return [card, sofa ? priceSofa(sofa, materials, configuration).price : null];
  };
}

/** The cart line of a configured sofa, whose records are found like those of a cart. */
function lineOf({
  product_id: id,
  configuration,
  configuration_id,
  slug,
  material_codes,
  price_when_added: unit_price,
}: WishlistEntry): StoredCartLine[] {
  if (configuration === null || configuration_id === null) return [];
  const line = { id, quantity: 1, unit_price, upload_ids: [], note: null };
  const sofa = { sofa_id: id, slug, configuration, configuration_id, material_codes };
  return [{ kind: "sofa", ...line, ...sofa }];
}

interface Wish {
  /** The entry in the list. */
  readonly entry: WishlistEntry;
  readonly card: Card;
  /** The current price; null if the item cannot be bought. */
  readonly price: number | null;
  readonly isNew: boolean;
}

/**
 * Adds an item to a customer's wishlist. A listed sofa gets the new configuration.
 *
 * @throws AppError `validation_failed` when the item is not published or the list is full
 */
export async function addToList(
  table: Table,
  wanted: {
    readonly owner: string;
    readonly product_id: string;
    readonly body: WishlistInput;
    readonly now: Date;
  },
): Promise<Wish> {
  const { owner, product_id, body, now } = wanted;
  const find = () => table.get(Wishes, { customer: owner, product_id });
  const [{ entry, card }, found] = await Promise.all([
    wishOf(table, product_id, body, now),
    find(),
  ]);
  return retryOnConflict(found, find, async (kept) => {
    if (kept && (!body.configuration || kept.configuration_id === entry.configuration_id)) {
      const [, price] = (await pricesNow(table, [kept]))(kept);
      return { entry: kept, card, price, isNew: false };
    }
    const price = entry.price_when_added;
    if (kept) {
      await table.write(replaceWish(owner, entry));
      return { entry, card, price, isNew: false };
    }
    const full = () =>
      invalidField("product", `The wishlist already has ${maxWishes} items. Remove one first.`);
    await table.transact(addWish(owner, entry, full));
    return { entry, card, price, isNew: true };
  });
}

/** The item that a request removes from a wishlist. */
interface UnwantedItem {
  /** Its id, or the slug that it has or had when added. */
  readonly product: string;
  readonly kind?: CardKind | undefined;
}

/** Removes at most one item from a customer's wishlist. */
export async function removeFromList(
  table: Table,
  owner: string,
  { product, kind }: UnwantedItem,
): Promise<void> {
  const id = isId(product) ? product : await listedAs(table, owner, { slug: product, kind });
  if (id !== undefined) await unlessRefused(table.transact(removeWish(owner, id)));
}

/**
 * The id of the listed item that has this slug now, a product before a sofa, or else of the newest item that had it when
 * it was added.
 */
async function listedAs(
  table: Table,
  owner: string,
  { slug, kind }: { readonly slug: string; readonly kind: CardKind | undefined },
): Promise<string | undefined> {
  const listed = await listWishes(table, owner);
  const entries = kind ? listed.filter((entry) => entry.kind === kind) : listed;
  const { cards } = await table.getMany({
    cards: entries.map(({ product_id }) => at(Cards, { id: product_id })),
  });
  const named = cards.filter((card) => card?.slug === slug);
  const now = named.find((card) => card?.kind === "product") ?? named[0];
  if (now) return now.id;
  return entries
    .filter((entry) => entry.slug === slug)
    .toSorted((one, other) => (wishPosition(one) < wishPosition(other) ? 1 : -1))[0]?.product_id;
}
