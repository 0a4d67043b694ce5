import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import type { EditCall } from "#shared/application/audit-context.ts";
import { type Answered, type CreatingCall, once } from "#shared/application/once.ts";
import { edit, edited } from "#shared/application/edit.ts";
import { hashOf, newOpaqueToken } from "#shared/auth/opaque-tokens.ts";
import { quoteLinkToken } from "#shared/auth/quote-link.ts";
import { internationalPhone } from "#shared/domain/contact/international-phone.ts";
import type { AcceptQuoteInput, SendQuoteInput } from "#shared/domain/enquiry/quote-input.ts";
import { acceptedForCustomer, withRevision, sentQuote } from "#shared/domain/enquiry/quote-edit.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import type { StoreSettings } from "#shared/domain/settings/store-settings.ts";
import { orNotFound, requireVersion } from "#shared/domain/request/app-error.ts";
import { storefrontLink } from "#shared/mail/letter.ts";
import { type QuoteRecord, readQuoteRecord } from "./patch-quote.ts";
import { offeredQuote } from "./offered-quote.ts";
import { saveQuote } from "./save-quote.ts";

type Found = QuoteRecord | undefined;

export interface SentQuote {
  readonly record: QuoteRecord;
  /** Opens the quote, and lets the customer accept it. */
  readonly url: string;
  /** Opens a chat with the customer in WhatsApp, with the link in it; null for other ways. */
  readonly whatsapp_url: string | null;
}

/**
 * Sends a quote, by mail or with a link that staff pass on: as a new revision, unless it is sent again unchanged. With an
 * idempotency key it is sent once.
 *
 * @param first the quote, as the request has read it
 * @param shown the answer for the sent quote
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`, `validation_failed`, `idempotency_key_reused`
 */
export async function sendQuote<Data>(
  call: EditCall<SendQuoteInput> & CreatingCall,
  first: QuoteRecord | undefined,
  shop: Shop<"table" | "randomBytes" | "settings", CommerceGroup>,
  shown: (sent: SentQuote) => Promise<{ data: Data; version: number }>,
) {
  const { params, headers, now, body } = call;
  const { via } = body;
  const { table, randomBytes } = shop;
  const sending = {
    route: `POST /admin/quotes/${params.id}/send`,
    id: params.id,
    known: { first, again: () => readQuoteRecord(table, params.id) },
    replay: "answer",
  } as const;
  return once<Answered<Data>, Found>(sending, call, table, async (bind, read) => {
    const found = orNotFound(read);
    const before = found.quote;
    requireVersion(headers["if-match"], before.version);
    const settings = await shop.settings.current();
    const { store } = settings;
    // Only a mailed link proves the email that it was mailed to.
    const token =
      via === "email" && before.email !== null
        ? quoteLinkToken(before.email, randomBytes)
        : newOpaqueToken(randomBytes);
    const sent = edited(sentQuote(before, { via, linkHash: hashOf(token), now }));
    const after = withRevision(before, await offeredQuote(table, sent, { settings, now }), now);
    const url = storefrontLink(store, `/quotes/${after.id}`, { token });
    const answer = await shown({
      record: { ...found, quote: after, version: after.version },
      url,
      whatsapp_url: via === "whatsapp" ? chatLink(after, url, store) : null,
    });
    await saveQuote(table, { before, after, action: "quote.send" }, call, {
      mailed: via === "email" ? token : null,
      further: bind(answer),
    });
    return answer;
  });
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
  { table }: Shop<"table">,
): Promise<QuoteRecord> {
  const { params, headers, now, body } = call;
  const read = () => readQuoteRecord(table, params.id);
  return edit(first, read, headers["if-match"], async (found) => {
    const before = found.quote;
    const after = edited(acceptedForCustomer(before, body.by, now));
    if (after === before) return found;
    await saveQuote(table, { before, after, action: "quote.accept" }, call, { notes: body.note });
    return orNotFound(await read());
  });
}
