import { isDeepStrictEqual } from "node:util";
import {
  type Edited,
  isErased,
  refusedFields,
  refusedMove,
  refusedOfErased,
  unlessSame,
} from "./enquiry.ts";
import { canBeReached, unreachable } from "./enquiry-input.ts";
import type { Problem } from "../base/names.ts";
import type { QuoteItem } from "./quote-item.ts";
import { canMove } from "../order/status/order-states.ts";
import {
  type QuoteStatus,
  quoteMachine,
  quoteStatusAt,
  staffMayMoveTo,
  changedTerms,
  termsProblems,
  type AcceptedBy,
  type StoredQuote,
} from "./quote.ts";
import type { QuotePatch, QuotedPerson, SendQuoteInput } from "./quote-input.ts";
import { withoutCoupon } from "./quote-coupon.ts";

/** An edit of a quote by staff, with its requested lines converted into quote lines with catalog data. */
export type QuoteChange = Omit<QuotePatch, "items" | "customer"> & {
  readonly items?: readonly QuoteItem[] | undefined;
  readonly person?: QuotedPerson | undefined;
};

const dayMs = 86_400_000;
const usualDays = 14;
const longestDays = 366;

/**
 * The quote after an edit by staff. A sent offer never changes in place: changes to the offer return the quote to
 * review, take back what its coupon took off, and revoke the mailed link.
 *
 * @param linkHash hash of the token that is mailed if the edit sends the quote
 */
export function changedQuote(
  before: StoredQuote,
  change: QuoteChange,
  { linkHash, now }: { linkHash: string; now: Date },
): Edited<StoredQuote> {
  const erased = refusedOfErased(before, change);
  if (erased) return erased;
  const current = quoteStatusAt(before, now);
  const after = withChange(before, change, now);
  const problems = termsProblems(after);
  if (problems.length > 0) return refusedFields(...problems);
  const isForAnother = change.person !== undefined && !isDeepStrictEqual(...persons(before, after));
  const reviewed = (isForAnother || offers(before, after)) && current !== "in_review";
  if (reviewed) {
    const refused = refusedMove(quoteMachine, current, "in_review", staffMayMoveTo);
    if (refused) return refused;
  }
  const from: QuoteStatus = reviewed ? "in_review" : current;
  const to = change.status ?? from;
  const refused = to === from ? undefined : refusedMove(quoteMachine, from, to, staffMayMoveTo);
  if (refused) return refused;
  if (change.reason !== undefined && to !== "declined") {
    return refusedFields({ path: "reason", message: "Only a declined quote can have a reason." });
  }
  if (after.customer_id !== null && change.person === undefined && after.email !== before.email) {
    const message = "The quote is for an account, which has its own email.";
    return refusedFields({ path: "email", message });
  }
  if (!isErased(before) && !canBeReached(after)) {
    return refusedFields({ path: "email", message: unreachable().message });
  }
  if (to === current && !reviewed) return { ok: true, record: unlessSame(before, after, change) };
  if (to !== "sent") return { ok: true, record: withdrawn(after, to) };
  return sent(after, { linkHash, until: change.valid_until, via: "email", now });
}

/** The quote, sent as a new revision (see `withRevision`), without the discounts of its coupon. Earlier links of it end. */
export function sentQuote(
  before: StoredQuote,
  { via, linkHash, now }: Pick<Sending, "via" | "linkHash" | "now">,
): Edited<StoredQuote> {
  const current = quoteStatusAt(before, now);
  const from = current === "sent" ? "in_review" : current;
  const refused = refusedMove(quoteMachine, from, "sent", staffMayMoveTo);
  if (refused) return refused;
  if (isErased(before)) {
    const message = "The personal data was erased, so nobody can be sent this quote.";
    return refusedFields({ path: "via", message });
  }
  const next = { ...before, version: before.version + 1, updated_at: now.toISOString() };
  return sent(next, { via, linkHash, until: undefined, now });
}

interface Sending {
  readonly via: SendQuoteInput["via"];
  readonly linkHash: string;
  readonly until: string | undefined;
  readonly now: Date;
}

function withChange(before: StoredQuote, change: QuoteChange, now: Date): StoredQuote {
  const changedOr = <Value>(value: Value | undefined, otherwise: Value): Value =>
    value === undefined ? otherwise : value;
  const person = change.person ?? before;
  return {
    ...before,
    ...changedTerms(before, change),
    customer_id: person.customer_id,
    name: changedOr(change.name, person.name),
    email: changedOr(change.email, person.email),
    phone: changedOr(change.phone, person.phone),
    assignee_id: changedOr(change.assignee, before.assignee_id),
    follow_up_at: changedOr(change.follow_up_at, before.follow_up_at),
    lead_id: changedOr(change.lead_id, before.lead_id),
    shipping_note: changedOr(change.shipping_note, before.shipping_note),
    items: change.items ? [...change.items] : before.items,
    valid_until: changedOr<string | null>(change.valid_until, before.valid_until),
    declined_reason: changedOr<string | null>(change.reason, before.declined_reason),
    version: before.version + 1,
    updated_at: now.toISOString(),
  };
}

const persons = (before: StoredQuote, after: StoredQuote) =>
  [personOf(before), personOf(after)] as const;

const personOf = ({ customer_id, name, email, phone }: StoredQuote): QuotedPerson => ({
  customer_id,
  name,
  email,
  phone,
});

/** What the customer is offered. */
const offerOf = (quote: StoredQuote) => [
  quote.items,
  quote.shipping_note,
  quote.valid_until,
  quote.shipping_address,
  quote.shipping_method,
  quote.payment_plan,
  quote.coupon,
  quote.free_shipping,
];

/** Whether an edit changes the offer that the customer sees. */
const offers = (before: StoredQuote, after: StoredQuote): boolean =>
  !isDeepStrictEqual(offerOf(before), offerOf(after));

/**
 * A quote that was sent, with the discounts of its coupon. It keeps its revision, and so its document, if nothing about it
 * has changed since it was sent before.
 */
export function withRevision(before: StoredQuote, sent: StoredQuote, now: Date): StoredQuote {
  const isUnchanged = quoteStatusAt(before, now) === "sent" && before.updated_at === before.sent_at;
  return isUnchanged && !offers(before, sent) ? { ...sent, revision: before.revision } : sent;
}

const withdrawn = (quote: StoredQuote, status: QuoteStatus): StoredQuote => ({
  ...withoutCoupon(quote),
  status,
  link_hash: null,
  accepted_at: null,
  accepted_by: null,
  declined_reason: status === "declined" ? quote.declined_reason : null,
});

function sent(quote: StoredQuote, { via, linkHash, until, now }: Sending): Edited<StoredQuote> {
  const valid_until = until ?? heldUntil(quote, now);
  const problems = problemsOf({ ...quote, valid_until }, via, now);
  if (problems.length > 0) return refusedFields(...problems);
  return {
    ok: true,
    record: {
      ...withdrawn(quote, "sent"),
      revision: quote.revision + 1,
      valid_until,
      link_hash: linkHash,
      sent_at: now.toISOString(),
    },
  };
}

/**
 * Until when a quote that is sent now is valid: `valid_until` if that is in the future, otherwise `usualDays` from now.
 */
function heldUntil({ valid_until }: StoredQuote, now: Date): string {
  const ahead = valid_until !== null && Date.parse(valid_until) > now.getTime();
  return ahead ? valid_until : new Date(now.getTime() + usualDays * dayMs).toISOString();
}

/** The problems that prevent sending a quote. */
function problemsOf(
  quote: StoredQuote & { valid_until: string },
  via: Sending["via"],
  now: Date,
): Problem[] {
  const days = (Date.parse(quote.valid_until) - now.getTime()) / dayMs;
  const unpriced = quote.items.flatMap(({ unit_price }, index) =>
    unit_price === null
      ? {
          path: `items.${index}.unit_price`,
          message: "Set a price for this line before you send the quote.",
        }
      : [],
  );
  return [
    ...unpriced,
    ...(via === "email" && quote.email === null
      ? [{ path: "email", message: "Enter an email first, or pass the link on yourself." }]
      : []),
    ...(via === "whatsapp" && quote.phone === null
      ? [{ path: "phone", message: "Enter a phone number first." }]
      : []),
    ...(days <= 0 || days > longestDays
      ? [{ path: "valid_until", message: "The valid until field must be within the next year." }]
      : []),
  ];
}

/** The quote that its customer has accepted with the link. Accepting it again changes nothing. */
export function acceptedQuote(before: StoredQuote, now: Date): Edited<StoredQuote> {
  return answered(before, "accepted", acceptance("link", now), now);
}

/** The quote that staff accept for its customer. Accepting it again changes nothing. */
export function acceptedForCustomer(
  before: StoredQuote,
  by: AcceptedBy,
  now: Date,
): Edited<StoredQuote> {
  const may = (status: QuoteStatus) => status === "accepted" || staffMayMoveTo(status);
  const current = quoteStatusAt(before, now);
  const refused =
    current === "accepted" ? undefined : refusedMove(quoteMachine, current, "accepted", may);
  return refused ?? answered(before, "accepted", acceptance(by, now), now);
}

const acceptance = (accepted_by: AcceptedBy, now: Date) => ({
  accepted_at: now.toISOString(),
  accepted_by,
});

export function declinedQuote(
  before: StoredQuote,
  reason: string | null,
  now: Date,
): Edited<StoredQuote> {
  return answered(before, "declined", { declined_reason: reason }, now);
}

function answered(
  before: StoredQuote,
  status: "accepted" | "declined",
  set: Partial<StoredQuote>,
  now: Date,
): Edited<StoredQuote> {
  const current = quoteStatusAt(before, now);
  if (current === status) return { ok: true, record: before };
  if (current !== "sent" && !canMove(quoteMachine, current, status)) {
    const message = whyNoAnswer[current];
    return {
      ok: false,
      refusal: { kind: "transition", from: current, to: status, allowed: [], message },
    };
  }
  const version = before.version + 1;
  return {
    ok: true,
    record: { ...before, ...set, status, version, updated_at: now.toISOString() },
  };
}

/** Why a quote cannot be accepted or declined, as a message for its customer. */
const whyNoAnswer: Readonly<Record<Exclude<QuoteStatus, "sent">, string>> = {
  submitted: "We are still preparing this quote.",
  in_review: "We are still preparing this quote.",
  accepted: "You have already accepted this quote. Please contact us if you do not want it.",
  declined: "This quote was declined. Please contact us if you want it after all.",
  expired: "This quote is no longer valid. Please ask us for a new one.",
  converted: "This quote has already been ordered.",
};
