import type { StoredLead } from "../domain/enquiry/lead.ts";
import type { Pricing } from "../domain/pricing/totals.ts";
import type { StoredQuote } from "../domain/enquiry/quote.ts";
import type { StoreSettings } from "../domain/settings/store-settings.ts";
import { inWords } from "../domain/base/names.ts";
import {
  type Block,
  type Fact,
  type Letter,
  adminLink,
  facts,
  greeting,
  letter,
  link,
  paragraph,
  storefrontLink,
} from "./letter.ts";
import { choiceFacts, moment, money } from "./wording.ts";

type Enquiry = Pick<
  StoredLead,
  "reference" | "name" | "email" | "phone" | "message" | "postal_code" | "follow_up_at"
>;

/**
 * Confirms an enquiry, in the shop's own words only. The address is not proven, so nothing that was typed into a form,
 * such as a name, is mailed in the shop's name.
 */
function acknowledgement(
  store: StoreSettings,
  { reference }: Enquiry,
  said: { subject: string; next: string },
): Letter {
  return letter(store, {
    subject: said.subject,
    greeting: "Hello,",
    blocks: [
      paragraph(`Thank you for writing to us. ${said.next}`),
      paragraph(`Should you call us about it, your reference is ${reference}.`),
      link("Visit the shop", storefrontLink(store, "/")),
    ],
  });
}

export function leadAcknowledgedLetter(store: StoreSettings, lead: StoredLead): Letter {
  return acknowledgement(store, lead, {
    subject: `We have received your message ${lead.reference}`,
    next: "We will contact you soon.",
  });
}

export function quoteAcknowledgedLetter(store: StoreSettings, quote: StoredQuote): Letter {
  return acknowledgement(store, quote, {
    subject: `We have received your request ${quote.reference}`,
    next: "We are working out our prices and will mail you our quote.",
  });
}

export function leadReceivedLetter(store: StoreSettings, lead: StoredLead): Letter {
  const { id, reference, type } = lead;
  return letter(store, {
    subject: `New enquiry ${reference}: ${inWords(type)}`,
    greeting: "Hello,",
    blocks: [
      ...whoAsks(lead),
      ...(lead.products.length > 0 ? [facts("About", [["Things", lead.products.join(", ")]])] : []),
      link("Open the enquiry", adminLink(store, `/leads/${id}`)),
    ],
  });
}

export function quoteReceivedLetter(store: StoreSettings, quote: StoredQuote): Letter {
  const { id, reference, items } = quote;
  return letter(store, {
    subject: `New request for a quote ${reference}`,
    greeting: "Hello,",
    blocks: [
      ...whoAsks(quote),
      facts(
        "What they ask for",
        items.flatMap((item): Fact[] => [[item.name, `× ${item.quantity}`], ...choiceFacts(item)]),
      ),
      link("Open the request", adminLink(store, `/quotes/${id}`)),
    ],
  });
}

/** Notifies the shop of a customer's answer to a quote. */
export function quoteAnsweredLetter(
  store: StoreSettings,
  quote: StoredQuote,
  answer: "accepted" | "declined",
  total: number | null,
): Letter {
  const { id, reference, name, currency, declined_reason } = quote;
  const amount: Fact[] = total === null ? [] : [["Total", money(store, total, currency)]];
  const why: Fact[] =
    answer === "declined" && declined_reason !== null ? [["Why", declined_reason]] : [];
  return letter(store, {
    subject: `Quote ${reference} was ${answer}`,
    greeting: "Hello,",
    blocks: [
      facts("The quote", [["Reference", reference], ["Customer", name], ...amount, ...why]),
      link("Open the quote", adminLink(store, `/quotes/${id}`)),
    ],
  });
}

/** Sends a quote. @param token opens the quote and lets the customer accept it */
export function quoteSentLetter(
  store: StoreSettings,
  quote: StoredQuote,
  offer: { pricing: Pricing; token: string; expires_at: string },
): Letter {
  const { id, reference, name, items, currency, shipping_note } = quote;
  const { pricing, token, expires_at } = offer;
  const { totals } = pricing;
  return letter(store, {
    subject: `Our quote ${reference} from ${store.name}`,
    greeting: greeting(name),
    blocks: [
      paragraph("Here is what we can offer you."),
      facts(
        "Our offer",
        items.flatMap((item, index): Fact[] => [
          [
            `${item.name} × ${item.quantity}`,
            money(store, pricing.lines[index]!.amounts.line_total, currency),
          ],
          ...choiceFacts(item),
        ]),
      ),
      facts("Total of the quote", [
        ["Total before delivery", money(store, totals.grand_total, currency), "strong"],
        ["Of which tax", money(store, totals.tax, currency)],
      ]),
      ...(shipping_note === null ? [] : [paragraph(shipping_note)]),
      link("See and accept the quote", storefrontLink(store, `/quotes/${id}`, { token })),
      paragraph(`These prices hold until ${moment(store, expires_at)}.`),
    ],
  });
}

function whoAsks({ name, email, phone, postal_code, message }: Enquiry): Block[] {
  const rows = [
    ["Name", name],
    ["Email", email],
    ["Phone", phone],
    ["Postal code", postal_code],
    ["Message", message],
  ] as const;
  const known = rows.flatMap(([label, value]): Fact[] => (value === null ? [] : [[label, value]]));
  return [facts("Who asks", known)];
}
