import type { StoredCart } from "../domain/cart/cart.ts";
import { type Product, variantLabels, variantName } from "../domain/catalog/product.ts";
import type { AnnouncedPrice } from "../domain/marketing/price-drop.ts";
import { type AlertKind, anyVariant } from "../domain/marketing/product-alert.ts";
import type { StoreSettings } from "../domain/settings/store-settings.ts";
import { type StorefrontSettings, pageAddress } from "../domain/settings/storefront-address.ts";
import type { LinkFor } from "./account-letters.ts";
import {
  type Block,
  type Fact,
  type Letter,
  facts,
  greeting,
  letter,
  link,
  paragraph,
  smallLink,
  storefrontLink,
} from "./letter.ts";
import { moment, money } from "./wording.ts";

type LetterProduct = Pick<Product, "name" | "slug" | "currency" | "options" | "variants">;

/** The variants to name: those with these ids, or none if these are all of the product's. */
function namedVariants({ variants }: LetterProduct, ids: readonly string[]) {
  const meant = variants.filter(({ id }) => ids.includes(id));
  return ids.includes(anyVariant) || meant.length === variants.length ? [] : meant;
}

/** The name of what a letter is about: a variant if it is about only one, otherwise the product. */
function subjectOf(product: LetterProduct, ids: readonly string[]): string {
  const [variant, ...others] = namedVariants(product, ids);
  return variant && others.length === 0 ? variantName(product, variant) : product.name;
}

const labelOf = (product: LetterProduct, variant: LetterProduct["variants"][number]): string =>
  variantLabels(product, variant).join(", ") || variant.sku;

/**
 * Asks the owner of an address to confirm the newsletter. The mail contains nothing else that was typed with the
 * address.
 */
export function confirmSubscriptionLetter(
  store: StoreSettings,
  { token, expires_at }: Pick<LinkFor, "token" | "expires_at">,
): Letter {
  return letter(store, {
    subject: `Please confirm the newsletter of ${store.name}`,
    greeting: "Hello,",
    blocks: [
      paragraph("This address was entered for our newsletter. Please confirm that you want it."),
      link("Confirm the newsletter", storefrontLink(store, "/newsletter/confirm", { token })),
      onceUntil(store, expires_at),
    ],
  });
}

/** Asks the owner of an address to confirm a product alert. */
export function confirmAlertLetter(
  store: StoreSettings,
  product: LetterProduct,
  {
    kind,
    variant_ids: ids,
    token,
    expires_at,
  }: { kind: AlertKind; variant_ids: readonly string[] } & Pick<LinkFor, "token" | "expires_at">,
): Letter {
  const news = kind === "back_in_stock" ? "is back in stock" : "costs less";
  const name = subjectOf(product, ids);
  return letter(store, {
    subject: `Please confirm: tell me about ${name}`,
    greeting: "Hello,",
    blocks: [
      paragraph(
        `This address was entered to be told when ${name} ${news}. Please confirm that you want this.`,
      ),
      link("Yes, tell me", storefrontLink(store, "/notify/confirm", { token })),
      onceUntil(store, expires_at),
    ],
  });
}

const onceUntil = (store: StoreSettings, expires_at: string): Block =>
  paragraph(
    `The link works once, until ${moment(store, expires_at)}. If it was not you, you can ignore this mail.`,
  );

/**
 * @param news.variant_ids the available variants that the person asked about
 * @param news.token ends the alert
 */
export function backInStockLetter(
  settings: StorefrontSettings,
  product: LetterProduct,
  { variant_ids: ids, token }: { variant_ids: readonly string[]; token: string },
): Letter {
  const { store } = settings;
  const name = subjectOf(product, ids);
  const several = namedVariants(product, ids).map((variant) => labelOf(product, variant));
  const choice = several.length > 1 ? ` (${several.join("; ")})` : "";
  return letter(store, {
    subject: `${name} is back in stock`,
    greeting: "Hello,",
    blocks: [
      paragraph(
        `You asked us to tell you: ${name} is back in stock${choice}. We cannot hold it for you.`,
      ),
      productLink(settings, product, ids),
      paragraph("This was the only mail about it. You can ask again at any time."),
      endLink(store, token),
    ],
  });
}

/**
 * @param offer.prices the lowest first, at least one
 * @param offer.token ends the alert
 */
export function priceDropLetter(
  settings: StorefrontSettings,
  product: LetterProduct,
  { prices, token }: { prices: readonly AnnouncedPrice[]; token: string },
): Letter {
  const { store } = settings;
  const ids = prices.map(({ variant_id }) => variant_id);
  const name = subjectOf(product, ids);
  const written = (price: number) => money(store, price, product.currency);
  const lowest = prices[0]?.price ?? 0;
  const isOfOne = namedVariants(product, ids).length === 1;
  const from = !isOfOne && product.variants.some(({ price }) => price > lowest) ? "from " : "";
  const rows = namedVariants(product, ids).map((variant): Fact => [
    labelOf(product, variant),
    written(variant.price),
  ]);
  return letter(store, {
    subject: `${name} costs less`,
    greeting: "Hello,",
    blocks: [
      paragraph(`You asked us to tell you: ${name} now costs ${from}${written(lowest)}.`),
      ...(rows.length > 1 ? [facts("Lower prices", rows)] : []),
      productLink(settings, product, ids),
      endLink(store, token),
    ],
  });
}

/**
 * Reminds a customer of a cart. The linked page requires the customer to sign in.
 *
 * @param names of the cart's lines
 * @param reader.token unsubscribes
 */
export function cartReminderLetter(
  store: StoreSettings,
  { lines, currency }: Pick<StoredCart, "lines" | "currency">,
  names: readonly string[],
  { name, token }: { name: string; token: string },
): Letter {
  const rows = lines.map(({ quantity, unit_price }, index): Fact => [
    `${names[index]} × ${quantity}`,
    money(store, unit_price * quantity, currency),
  ]);
  return letter(store, {
    subject: `Your cart at ${store.name} is waiting`,
    greeting: greeting(name),
    blocks: [
      paragraph("You left these in your cart. Prices and stock may have changed since."),
      facts("In your cart", rows),
      link("Open my cart", storefrontLink(store, "/cart")),
      endLink(store, token),
    ],
  });
}

/** The product's page, with the variant selected if the letter is about only one. */
function productLink(
  settings: StorefrontSettings,
  product: LetterProduct,
  ids: readonly string[],
): Block {
  const page = pageAddress(settings, "product", product.slug);
  const [variant, ...others] = namedVariants(product, ids);
  const isOfOne = variant !== undefined && others.length === 0;
  const address = isOfOne ? `${page}?sku=${encodeURIComponent(variant.sku)}` : page;
  return link(`See ${subjectOf(product, ids)}`, address);
}

const endLink = (store: StoreSettings, token: string): Block =>
  smallLink("No more of these mails", storefrontLink(store, "/unsubscribe", { token }));
