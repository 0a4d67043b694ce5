import type { StoredLead } from "./lead.ts";
import type { StoredQuote } from "./quote.ts";

/** What stands where a name did. */
const erasedName = "Erased";

/** What changes of a lead so that it says no longer whose it was. The metrics go by what stays. */
export const erasedLead = (lead: Pick<StoredLead, "source">, now: Date) =>
  ({
    ...withoutPerson(lead, now),
    // Nothing checks what it says.
    configuration: null,
    lost_reason: null,
  }) satisfies Partial<StoredLead>;

/** The same of a quote. Its link ends. */
export const erasedQuote = (quote: Pick<StoredQuote, "source" | "items">, now: Date) =>
  ({
    ...withoutPerson(quote, now),
    items: quote.items.map((item) =>
      item.kind === "custom" ? { ...item, name: erasedName, description: null } : item,
    ),
    upload_ids: [],
    shipping_note: null,
    declined_reason: null,
    link_hash: null,
  }) satisfies Partial<StoredQuote>;

function withoutPerson({ source }: Pick<StoredLead, "source">, now: Date) {
  const at = now.toISOString();
  // What comes behind the path may name somebody.
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
