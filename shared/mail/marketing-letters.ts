import type { StoredCart } from "../domain/cart/cart.ts";
import type { Product } from "../domain/catalog/product.ts";
import type { AlertKind } from "../domain/marketing/product-alert.ts";
import type { StoreSettings } from "../domain/settings/store-settings.ts";
import { type StorefrontSettings, pageAddress } from "../domain/settings/storefront-address.ts";
import type { LinkFor } from "./account-letters.ts";
import { moment, money } from "./format.ts";
import {
  type Block,
  type Fact,
  type Letter,
  facts,
  letter,
  link,
  paragraph,
  storefrontLink,
} from "./letter.ts";
import { greeting } from "./typed-text.ts";

type LetterProduct = Pick<Product, "name" | "slug" | "currency">;

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
  { kind, token, expires_at }: { kind: AlertKind } & Pick<LinkFor, "token" | "expires_at">,
): Letter {
  const news = kind === "back_in_stock" ? "is back in stock" : "costs less";
  return letter(store, {
    subject: `Please confirm: tell me about ${product.name}`,
    greeting: "Hello,",
    blocks: [
      paragraph(
        `This address was entered to be told when ${product.name} ${news}. Please confirm that you want this.`,
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

/** @param token ends the alert */
export function backInStockLetter(
  settings: StorefrontSettings,
  product: LetterProduct,
  token: string,
): Letter {
  const { store } = settings;
  return letter(store, {
    subject: `${product.name} is back in stock`,
    greeting: "Hello,",
    blocks: [
      paragraph(
        `You asked us to tell you: ${product.name} is back in stock. We cannot hold it for you.`,
      ),
      productLink(settings, product),
      paragraph("This was the only mail about it. You can ask again at any time."),
      endLink(store, token),
    ],
  });
}

/** @param offer.token ends the alert */
export function priceDropLetter(
  settings: StorefrontSettings,
  product: LetterProduct,
  { price, token }: { price: number; token: string },
): Letter {
  const { store } = settings;
  return letter(store, {
    subject: `${product.name} costs less`,
    greeting: "Hello,",
    blocks: [
      paragraph(
        `You asked us to tell you: ${product.name} now costs ${money(store, price, product.currency)}.`,
      ),
      productLink(settings, product),
      endLink(store, token),
    ],
  });
}

/** Reminds a customer of a cart. The linked page requires the customer to sign in. @param reader.token unsubscribes */
export function cartReminderLetter(
  store: StoreSettings,
  { lines, currency }: Pick<StoredCart, "lines" | "currency">,
  { name, token }: { name: string; token: string },
): Letter {
  const rows = lines.map((line): Fact => {
    const item = line.kind === "quoted" ? line : line.shown;
    const price = money(store, line.unit_price * line.quantity, currency);
    return [`${item?.name ?? "Item"} × ${line.quantity}`, price];
  });
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

const productLink = (settings: StorefrontSettings, { slug, name }: LetterProduct): Block =>
  link(`See ${name}`, pageAddress(settings, "product", slug));

const endLink = (store: StoreSettings, token: string): Block =>
  link("No more of these mails", storefrontLink(store, "/unsubscribe", { token }));
