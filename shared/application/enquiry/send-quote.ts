import type { EditCall } from "#shared/application/audit-context.ts";
import { edit, edited } from "#shared/application/edit.ts";
import { hashOf, newOpaqueToken } from "#shared/auth/opaque-tokens.ts";
import { quoteLinkToken } from "#shared/auth/quote-link.ts";
import { internationalPhone } from "#shared/domain/contact/international-phone.ts";
import type { AcceptQuoteInput, SendQuoteInput } from "#shared/domain/enquiry/quote-input.ts";
import { acceptedForCustomer, sentQuote } from "#shared/domain/enquiry/quote-edit.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import type { StoreSettings } from "#shared/domain/settings/store-settings.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import { storefrontLink } from "#shared/mail/letter.ts";
import type { SettingsStore } from "#shared/storage/settings/settings.ts";
import { type QuotePorts, type QuoteRecord, readQuote } from "./patch-quote.ts";
import { saveQuote } from "./save-quote.ts";

export interface SentQuote {
  readonly record: QuoteRecord;
  /** Opens the quote, and lets the customer accept it. */
  readonly url: string;
  /** Opens a chat with the customer in WhatsApp, with the link in it; null for other ways. */
  readonly whatsapp_url: string | null;
}

/**
 * Sends a quote as a new revision, by mail, or with a link that staff pass on.
 *
 * @param first the quote, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`, `validation_failed`
 */
export async function sendQuote(
  call: EditCall<SendQuoteInput>,
  first: QuoteRecord | undefined,
  deps: QuotePorts & { readonly settings: Pick<SettingsStore, "current"> },
): Promise<SentQuote> {
  const { params, headers, now, body } = call;
  const { via } = body;
  const { store } = await deps.settings.current();
  const read = () => readQuote(deps.table, params.id);
  let token = "";
  const record = await edit(first, read, headers["if-match"], async (found) => {
    const before = found.quote;
    // Only a mailed link proves the email that it was mailed to.
    token =
      via === "email" && before.email !== null
        ? quoteLinkToken(before.email, deps.randomBytes)
        : newOpaqueToken(deps.randomBytes);
    const after = edited(sentQuote(before, { via, linkHash: hashOf(token), now }));
    const mailed = via === "email" ? token : null;
    await saveQuote(deps.table, { before, after, action: "quote.send" }, call, { mailed });
    return { ...found, quote: after, version: after.version };
  });
  const url = storefrontLink(store, `/quotes/${record.quote.id}`, { token });
  return {
    record,
    url,
    whatsapp_url: via === "whatsapp" ? chatLink(record.quote, url, store) : null,
  };
}

function chatLink({ phone, reference }: StoredQuote, url: string, store: StoreSettings): string {
  const digits = internationalPhone(phone ?? "", store.country).replace("+", "");
  const text = `Our quote ${reference} from ${store.name}: ${url}`;
  return `https://wa.me/${digits}?text=${encodeURIComponent(text)}`;
}

/**
 * Accepts a quote for a customer who has said so. Accepting it again changes nothing.
 *
 * @param first the quote, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`
 */
export async function acceptForCustomer(
  call: EditCall<AcceptQuoteInput>,
  first: QuoteRecord | undefined,
  { table }: Pick<QuotePorts, "table">,
): Promise<QuoteRecord> {
  const { params, headers, now, body } = call;
  const read = () => readQuote(table, params.id);
  return edit(first, read, headers["if-match"], async (found) => {
    const before = found.quote;
    const after = edited(acceptedForCustomer(before, body.by, now));
    if (after === before) return found;
    await saveQuote(table, { before, after, action: "quote.accept" }, call, { notes: body.note });
    return orNotFound(await read());
  });
}
