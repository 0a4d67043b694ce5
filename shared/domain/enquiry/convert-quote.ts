import type { Problem } from "../base/names.ts";
import { canMove } from "../order/status/order-states.ts";
import { type Edited, isErased } from "./enquiry.ts";
import { quoteMachine, quoteStatusAt, type StoredQuote } from "./quote.ts";

/** A quote with all that its order needs. */
export interface PlaceableQuote extends StoredQuote {
  readonly phone: string;
  readonly shipping_address: NonNullable<StoredQuote["shipping_address"]>;
  readonly shipping_method: NonNullable<StoredQuote["shipping_method"]>;
}

/** What a quote lacks to become an order; empty if nothing. */
export function missingTerms(quote: StoredQuote): Problem[] {
  const unpriced = quote.items.flatMap(({ unit_price }, index) =>
    unit_price === null ? [`items.${index}.unit_price`] : [],
  );
  const members = ["phone", "shipping_address", "shipping_method"] as const;
  const missing = [...unpriced, ...members.filter((member) => quote[member] === null)];
  return missing.map((path) => ({ path, message: missingMessage(path, quote) }));
}

function missingMessage(path: string, { shipping_method }: StoredQuote): string {
  return path === "shipping_address" && shipping_method === "pickup"
    ? "Set an address, or a location with an address at which the buyer collects."
    : `The quote has no ${wordOf(path)} yet.`;
}

const wordOf = (path: string): string =>
  path.startsWith("items.") ? "price for this line" : path.replaceAll("_", " ");

/** The quote of an order that staff place. Placing it implies that its customer has accepted it. */
export function convertedQuote(
  before: StoredQuote,
  { orderId: order_id, now }: { readonly orderId: string; readonly now: Date },
): Edited<StoredQuote> {
  const at = now.toISOString();
  const current = quoteStatusAt(before, now);
  const isOpen = current === "accepted" || canMove(quoteMachine, current, "in_review");
  const isWithdrawn = current === "declined" || current === "expired" || isErased(before);
  if (isWithdrawn || !(isOpen || current === "in_review")) {
    const allowed = isErased(before) ? [] : quoteMachine[current];
    const refusal = { kind: "transition", from: current, to: "converted", allowed } as const;
    const message = `This quote was ordered already: it is the order ${before.order_id}.`;
    return { ok: false, refusal: current === "converted" ? { ...refusal, message } : refusal };
  }
  const acceptance =
    current === "accepted"
      ? {}
      : {
          accepted_at: at,
          accepted_by: before.channel === "showroom" ? ("showroom" as const) : ("phone" as const),
        };
  const converted = { ...before, ...acceptance, status: "converted" as const, order_id };
  return { ok: true, record: { ...converted, version: before.version + 1, updated_at: at } };
}
