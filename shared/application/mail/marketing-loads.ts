import { lineName } from "#shared/domain/cart/bare-line.ts";
import { AlertKind } from "#shared/domain/marketing/product-alert.ts";
import type { MarketingRecords } from "#shared/storage/marketing/marketing-records.ts";

interface Records {
  readonly marketing: MarketingRecords;
}

/** Reads an alert that waits for its confirmation, and its product; undefined if the product is not published. */
export async function loadRequestedAlert(
  event: { to: string; kind: string; product_id: string },
  { marketing }: Records,
) {
  const { to: email, product_id } = event;
  const kind = AlertKind.parse(event.kind);
  const [alert, product] = await Promise.all([
    marketing.alert({ email, product_id, kind }),
    marketing.product(product_id),
  ]);
  if (!alert || alert.requested_variant_ids.length === 0) return undefined;
  if (product?.status !== "published") return undefined;
  return { kind, variant_ids: alert.requested_variant_ids, product };
}

type Announced = { readonly to: string; readonly about: string; readonly at: string };

/** Reads an alert and its product, unless the person has ended the alert, or unsubscribed, since the event. */
export function loadAlert(kind: AlertKind) {
  return async ({ to: email, about: product_id, at }: Announced, { marketing }: Records) => {
    const [alert, product, subscription] = await Promise.all([
      marketing.alert({ email, product_id, kind }),
      marketing.product(product_id),
      marketing.subscription(email),
    ]);
    const hasLeft = (subscription?.unsubscribed_at ?? "") >= at;
    if (alert?.letter_at !== at || alert.stopped_at !== null || hasLeft) return undefined;
    return product?.status === "published" ? { alert, product } : undefined;
  };
}

/** Reads the cart of a subscriber with the names of its lines, unless the customer has changed or bought it since the event. */
export async function loadCart({ to, about: id, at }: Announced, { marketing }: Records) {
  const [customer, cart, subscription] = await Promise.all([
    marketing.customer(id),
    marketing.cartOf(id),
    marketing.subscription(to),
  ]);
  if (customer?.email !== to || customer.email_verified_at === null) return undefined;
  const isStanding = cart?.status === "active" && cart.lines.length > 0 && cart.updated_at < at;
  if (!isStanding || subscription?.status !== "subscribed") return undefined;
  const sold = await marketing.soldItems(cart.lines);
  return { customer, cart, names: cart.lines.map((line) => lineName(line, sold)), subscription };
}
