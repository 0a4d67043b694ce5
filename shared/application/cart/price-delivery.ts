import type { NewLine } from "#shared/domain/cart/cart-input.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import type { Actor } from "#shared/domain/request/identity.ts";
import { type Buyer, priceLines, readFacts, buyerOf, type OpenedCart } from "./read-cart.ts";
import type { Table } from "#shared/storage/table.ts";
import type { RecentReads } from "#shared/storage/recent-reads.ts";
import { draftLines, unknownSku } from "./draft-lines.ts";
import { type Destination, readPostalCode } from "#shared/domain/contact/postal-code.ts";
import type { DestinationQuery } from "#shared/domain/delivery/shipping.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";

/** The priced lines whose delivery is quoted: those of the items in the query, or else the cart's. */
export async function linesToDeliver(
  call: { readonly actor: Actor; readonly opened: OpenedCart },
  items: readonly NewLine[] | undefined,
  choices: Parameters<typeof priceLines>[2],
  { catalogReads }: { readonly catalogReads: RecentReads },
): Promise<ReturnType<typeof priceLines>> {
  const buyer = buyerOf(call.actor);
  if (items) {
    return recheckingRefusal(catalogReads, (getMany) => priceItems(items, getMany, buyer, choices));
  }
  const { cart } = call.opened;
  const lines = cart?.lines ?? [];
  const coupon = cart?.coupon_code ?? null;
  const facts = await readFacts(catalogReads.current, lines, coupon, buyer);
  return priceLines(lines, facts, choices);
}

/** Prices the items in the query. Throws AppError `validation_failed` on `items`. */
async function priceItems(
  items: readonly NewLine[],
  getMany: Table["getMany"],
  buyer: Buyer,
  choices: Parameters<typeof priceLines>[2],
) {
  const drafts = await draftLines(getMany, [], items, choices).catch((error: unknown) => {
    throw namingItem(items, error);
  });
  const lines = drafts.map(({ line }) => line);
  const priced = priceLines(lines, await readFacts(getMany, lines, null, buyer), choices);
  for (const { line, requirement } of priced.lines) {
    if (requirement && line.kind !== "sofa") {
      throw invalidField("items", `${line.sku}: ${unknownSku}`);
    }
  }
  return priced;
}

/** The error on `items` that names the item refused by `draftLines`; other errors unchanged. */
function namingItem(items: readonly NewLine[], error: unknown): unknown {
  if (!(error instanceof AppError) || !error.refusal.errors) return error;
  const [first] = Object.entries(error.refusal.errors);
  if (!first) return error;
  const [path, [sentence = ""]] = first;
  const item = items[Number(path.split(".")[1])];
  if (!item) return error;
  const name = item.kind === "sku" ? item.sku : item.sofa;
  return invalidField("items", `${name}: ${sentence}`);
}

type SentDestination = {
  readonly [Name in keyof DestinationQuery]?: DestinationQuery[Name] | undefined;
};

/**
 * The destination in a query.
 *
 * @throws AppError `validation_failed` when the postal code is not one of its country, or is missing where the country
 * needs one
 */
export function destinationOf(
  { postal_code, country: sent }: SentDestination,
  { store }: Pick<Settings, "store">,
): Destination {
  const country = sent ?? store.country;
  const read = readPostalCode({ country, postal_code: postal_code ?? null });
  if (read.problem !== undefined) throw invalidField("postal_code", read.problem);
  return { country, postal_code: read.postal_code };
}

/**
 * The destination of a cart: null if the query says nothing about delivery, or lacks the postal code that the country
 * needs.
 *
 * @throws AppError `validation_failed` when the postal code is not one of its country
 */
export function chosenDestination(
  query: SentDestination & { readonly shipping_method?: string | undefined },
  settings: Pick<Settings, "store">,
): Destination | null {
  const { postal_code, country = settings.store.country } = query;
  if (postal_code !== undefined) return destinationOf(query, settings);
  const isChosen = query.country !== undefined || query.shipping_method !== undefined;
  const { problem } = readPostalCode({ country, postal_code: null });
  return isChosen && problem === undefined ? { country, postal_code: null } : null;
}

/**
 * Calls `use` with catalog records that may be up to two seconds old. If `use` refuses the request's items, calls it
 * again with the latest records, so that no request is refused because of an outdated record.
 *
 * @param use stores nothing if it throws `validation_failed`
 */
async function recheckingRefusal<Result>(
  { current, latest }: RecentReads,
  use: (getMany: Table["getMany"]) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(current);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "validation_failed") throw error;
    return use(latest);
  }
}
