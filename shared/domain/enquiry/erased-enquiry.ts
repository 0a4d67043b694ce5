import type { StoredLead } from "./lead.ts";
import type { StoredQuote } from "./quote.ts";

/** The text that replaces an erased name. */
const erasedName = "Erased";

/** The members of a lead that an erasure changes. The remaining members are kept, because metrics depend on them. */
export const erasedLead = (lead: Pick<StoredLead, "source">, now: Date) =>
  ({
    ...withoutPerson(lead, now),
    // Free input that may contain personal data.
    configuration: null,
    lost_reason: null,
  }) satisfies Partial<StoredLead>;

/** The members of a quote that an erasure changes. Its link is revoked. */
export const erasedQuote = (quote: Pick<StoredQuote, "source" | "items">, now: Date) =>
  ({
    ...withoutPerson(quote, now),
    items: quote.items.map((item) =>
      item.kind === "custom" ? { ...item, name: erasedName, description: null } : item,
    ),
    upload_ids: [],
    customer_id: null,
    shipping_address: null,
    billing_address: null,
    tax_id: null,
    note: null,
    shipping_note: null,
    declined_reason: null,
    link_hash: null,
  }) satisfies Partial<StoredQuote>;

function withoutPerson({ source }: Pick<StoredLead, "source">, now: Date) {
  const at = now.toISOString();
  // The query and fragment of the page's URL may contain a name.
  const page = source?.page?.replace(/[?#].*$/, "") ?? "";
  return {
    name: erasedName,
    email: null,
    phone: null,
    message: null,
    postal_code: null,
    source: source && { ...source, page: page === "" ? null : page },
    follow_up_at: null,
    erased_at: at,
    updated_at: at,
  } satisfies Partial<StoredLead>;
}
