import { quoteDocumentNumber } from "#shared/domain/document/document.ts";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import { isErased } from "#shared/domain/enquiry/enquiry.ts";
import type { OutboxEvent } from "#shared/domain/base/outbox-event.ts";
import { quoteTotals } from "#shared/domain/enquiry/quote-view.ts";
import type { AllSettings } from "#shared/domain/settings/settings.ts";
import {
  leadAcknowledgedLetter,
  leadReceivedLetter,
  quoteAcknowledgedLetter,
  quoteAnsweredLetter,
  quoteReceivedLetter,
  quoteSentLetter,
} from "#shared/mail/enquiry-letters.ts";
import { type Addressed, type Letter, staffAddress } from "#shared/mail/letter.ts";
import type { EnquiryStore } from "#shared/storage/enquiry/enquiries.ts";

import type { Attach } from "./attach-document.ts";

export type EnquiryEvent = Extract<OutboxEvent, { lead_id: string } | { quote_id: string }>;

export const isOfEnquiry = (event: OutboxEvent): event is EnquiryEvent =>
  "lead_id" in event || "quote_id" in event;

type ForEnquiries = Pick<AllSettings, "store" | "tax" | "email">;

/**
 * Returns the mail about a lead or a quote; undefined if the mail has no recipient, or its event is stale.
 *
 * @throws DocumentPending while the mail waits for its PDF
 */
export async function composeEnquiry(
  event: EnquiryEvent,
  { enquiries, attach }: { enquiries: EnquiryStore; attach: Attach },
  settings: ForEnquiries,
): Promise<Addressed | undefined> {
  const { store, tax } = settings;
  const staff = staffAddress(settings);
  const addressed = (to: string | null, letter: Letter) =>
    to === null ? undefined : { to, ...letter };
  if ("lead_id" in event) {
    const lead = await enquiries.lead(event.lead_id);
    if (!lead || isErased(lead)) return undefined;
    return event.type === "lead_received"
      ? addressed(staff, leadReceivedLetter(store, lead))
      : addressed(lead.email, leadAcknowledgedLetter(store, lead));
  }
  const quote = await enquiries.quote(event.quote_id);
  if (!quote || isErased(quote)) return undefined;
  switch (event.type) {
    case "quote_received":
      return addressed(staff, quoteReceivedLetter(store, quote));
    case "quote_acknowledged":
      return addressed(quote.email, quoteAcknowledgedLetter(store, quote));
    case "quote_accepted":
      return addressed(
        staff,
        quoteAnsweredLetter(store, quote, "accepted", quoteTotals(quote.items, tax)),
      );
    case "quote_declined":
      return addressed(
        staff,
        quoteAnsweredLetter(store, quote, "declined", quoteTotals(quote.items, tax)),
      );
    case "quote_sent": {
      const totals = quoteTotals(quote.items, tax);
      // Since the event, the quote may have been withdrawn, or sent again with another mail.
      const stands = quote.status === "sent" && quote.link_hash === hashOf(event.token);
      if (!stands || !totals) return undefined;
      const { token, expires_at } = event;
      const letter = quoteSentLetter(store, quote, { totals, token, expires_at });
      const number = quoteDocumentNumber(quote);
      // Without the PDF, the mail's own link leads to the quote.
      return {
        to: event.to,
        ...(await attach(quote.id, { type: "quote", number, link: null }, letter)),
      };
    }
  }
}
