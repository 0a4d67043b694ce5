import { type StoredOrder, isCollected } from "../domain/order/order.ts";
import type { StoreSettings } from "../domain/settings/store-settings.ts";
import { type Fact, waysToReach } from "./letter.ts";
import { withoutLinks } from "./typed-text.ts";

/** The wording for each delivery method. */
interface DeliveryWords {
  readonly name: string;
  readonly payCash: string;
  readonly restInCash: string;
  readonly sent: {
    readonly subject: string;
    readonly said: string;
    readonly pieces: string;
    readonly toPay: string;
  };
  readonly handedOver: { readonly said: string; readonly pieces: string };
}

const brought: DeliveryWords = {
  name: "Delivery",
  payCash: "In cash, when it arrives",
  restInCash: "Please have the rest ready when your order arrives.",
  sent: {
    subject: "is on its way",
    said: "has left our warehouse",
    pieces: "What is on its way",
    toPay: "To be paid when it arrives",
  },
  handedOver: { said: "has been delivered", pieces: "What has arrived" },
};

const collected: DeliveryWords = {
  name: "Collection",
  payCash: "In cash, when you collect",
  restInCash: "Please pay the rest when you collect your order.",
  sent: {
    subject: "is ready to collect",
    said: "is ready to collect",
    pieces: "What is ready",
    toPay: "To be paid when you collect",
  },
  handedOver: { said: "has been collected", pieces: "What you have collected" },
};

export const deliveryWords = (order: StoredOrder): DeliveryWords =>
  isCollected(order) ? collected : brought;

/** Where a buyer receives an order: at the shipping address or, for pickup, at the shop. */
export function whereFacts(store: StoreSettings, order: StoredOrder): Fact[] {
  if (!isCollected(order)) return [["Where", addressLine(order)]];
  const ways = waysToReach(store);
  return [
    ["Where", [store.name, ...store.address_lines].join(", ")],
    ...(ways === "" ? [] : [["Contact", ways] as const]),
  ];
}

function addressLine({ addresses: { shipping } }: StoredOrder): string {
  const { name, line1, line2, landmark, city, state, postal_code, country } = shipping;
  const parts = [name, line1, line2, landmark, city, state, postal_code, country];
  return withoutLinks(parts.filter((part) => part !== null).join(", "));
}
