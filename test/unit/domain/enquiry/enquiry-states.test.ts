import { describe, expect, test } from "vitest";
import { dueOfQuote } from "#shared/application/document/due-documents.ts";
import { EnquirySource, enquiryReference, parseReference } from "#shared/domain/enquiry/enquiry.ts";
import { erasedLead, erasedQuote } from "#shared/domain/enquiry/erased-enquiry.ts";
import { type StoredLead, changedLead, leadMachine } from "#shared/domain/enquiry/lead.ts";
import { type Machine, canMove } from "#shared/domain/order/status/order-states.ts";
import { acceptedQuote, changedQuote, declinedQuote } from "#shared/domain/enquiry/quote-edit.ts";
import {
  openTerms,
  type QuoteStatus,
  quoteMachine,
  quoteStatusAt,
  type StoredQuote,
} from "#shared/domain/enquiry/quote.ts";
import { customItem } from "#shared/domain/enquiry/quote-item.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";

const at = noon.toISOString();
const later = (days: number) => new Date(noon.getTime() + days * 86_400_000);

const enquiry = {
  name: "Asha Rao",
  email: "asha@example.com",
  phone: null,
  message: null,
  postal_code: null,
  source: null,
  consented_at: at,
  assignee_id: null,
  follow_up_at: null,
  letter_withheld: false,
  erased_at: null,
  version: 1,
  created_at: at,
  updated_at: at,
};

const aLead = (overrides: Partial<StoredLead> = {}): StoredLead => ({
  ...enquiry,
  id: anId("lead"),
  reference: "L-7K3M-92QX",
  type: "contact",
  status: "new",
  products: [],
  configuration: null,
  lost_reason: null,
  ...overrides,
});

const bench = {
  ...customItem(
    { title: "Bench", description: null, dimensions: null },
    { id: anId("line"), quantity: 2 },
  ),
  unit_price: 500_000,
};

const aQuote = (overrides: Partial<StoredQuote> = {}): StoredQuote => ({
  ...enquiry,
  id: anId("qte"),
  reference: "Q-7K3M-92QX",
  status: "sent",
  customer_id: null,
  lead_id: null,
  ...openTerms,
  currency: "INR",
  items: [bench],
  upload_ids: [],
  free_shipping: false,
  shipping_note: null,
  revision: 1,
  valid_until: later(7).toISOString(),
  link_hash: "first",
  sent_at: at,
  accepted_at: null,
  accepted_by: null,
  declined_reason: null,
  order_id: null,
  ...overrides,
});

const link = { linkHash: "second", now: noon };

function reachable<State extends string>(machine: Machine<State>, from: State): Set<State> {
  const seen = new Set<State>([from]);
  for (const state of seen) for (const next of machine[state]) seen.add(next);
  return seen;
}
const pairsOf = <State extends string>(machine: Machine<State>) => {
  const states = Object.keys(machine) as State[];
  return states.flatMap((from) => states.map((to) => [from, to] as const));
};

test("every status of a lead and of a quote can be reached", () => {
  expect(reachable(leadMachine, "new").size).toBe(Object.keys(leadMachine).length);
  expect(reachable(quoteMachine, "submitted").size).toBe(Object.keys(quoteMachine).length);
});

test.each(pairsOf(leadMachine))(
  "a lead's change from %s to %s is permitted only if the lead's state machine has that transition",
  (from, to) => {
    const reason = to === "lost" ? { reason: "Too far" } : {};
    const result = changedLead(aLead({ status: from }), { status: to, ...reason }, noon);
    expect(result.ok).toBe(from === to || canMove(leadMachine, from, to));
    if (result.ok)
      expect(result.record).toMatchObject({
        status: to,
        version: from === to && to !== "lost" ? 1 : 2,
      });
    else
      expect(result.refusal).toEqual({ kind: "transition", from, to, allowed: leadMachine[from] });
  },
);

const staffs: ReadonlySet<QuoteStatus> = new Set(["in_review", "sent", "declined"]);

test.each(pairsOf(quoteMachine))(
  "a quote's change from %s to %s by staff is permitted only if the quote's state machine has that transition",
  (from, to) => {
    const before = aQuote({ status: from });
    const result = changedQuote(before, { status: to }, link);
    expect(result.ok).toBe(from === to || (canMove(quoteMachine, from, to) && staffs.has(to)));
    if (!result.ok) {
      const allowed = quoteMachine[from].filter((state) => staffs.has(state));
      expect(result.refusal).toEqual({ kind: "transition", from, to, allowed });
    }
  },
);

test.each(Object.keys(quoteMachine) as QuoteStatus[])(
  "a customer's answer to a quote with status %s is permitted only if the quote's state machine has that transition",
  (status) => {
    const quote = aQuote({ status });
    for (const [to, result] of [
      ["accepted", acceptedQuote(quote, noon)],
      ["declined", declinedQuote(quote, null, noon)],
    ] as const) {
      expect([to, result.ok]).toEqual([to, status === to || canMove(quoteMachine, status, to)]);
    }
  },
);

describe("the offer of a quote", () => {
  test("expires at valid_until, whether or not it is accepted", () => {
    const end = later(7);
    for (const status of ["sent", "accepted"] as const) {
      const quote = aQuote({ status });
      expect(quoteStatusAt(quote, new Date(end.getTime() - 1))).toBe(status);
      expect(quoteStatusAt(quote, end)).toBe("expired");
    }
    expect(quoteStatusAt(aQuote({ status: "converted" }), end)).toBe("converted");
    expect(acceptedQuote(aQuote(), end)).toMatchObject({
      ok: false,
      refusal: { from: "expired", to: "accepted", allowed: [] },
    });
  });

  test.each(["sent", "accepted", "declined"] as const)(
    "returns to in_review and its link becomes invalid if it changes while it is %s",
    (status) => {
      const items = [{ ...bench, unit_price: 400_000 }];
      const result = changedQuote(aQuote({ status, accepted_at: at }), { items }, link);
      expect(result).toMatchObject({
        ok: true,
        record: { status: "in_review", link_hash: null, accepted_at: null, revision: 1 },
      });
    },
  );

  test("can be changed and sent in one step, which creates the next revision", () => {
    const items = [{ ...bench, unit_price: 400_000 }];
    const result = changedQuote(aQuote(), { items, status: "sent" }, link);
    expect(result).toMatchObject({ record: { status: "sent", revision: 2, link_hash: "second" } });
  });

  test.each<[path: string, quote: Partial<StoredQuote>, change: { valid_until?: string }]>([
    ["items.1.unit_price", { items: [bench, { ...bench, unit_price: null }] }, {}],
    ["email", { email: null, phone: "+919812345678" }, {}],
    ["valid_until", {}, { valid_until: later(400).toISOString() }],
    ["valid_until", {}, { valid_until: later(-1).toISOString() }],
  ])("cannot be sent with a wrong %s", (path, quote, change) => {
    const before = aQuote({ status: "in_review", ...quote });
    const result = changedQuote(before, { status: "sent", ...change }, link);
    expect(result).toMatchObject({ ok: false, refusal: { kind: "fields", problems: [{ path }] } });
  });

  test("cannot change once it was ordered", () => {
    const result = changedQuote(aQuote({ status: "converted" }), { shipping_note: "No" }, link);
    expect(result).toMatchObject({ ok: false, refusal: { from: "converted", allowed: [] } });
  });

  test("can be sent again after it expired, with a new validity that defaults to two weeks", () => {
    const expired = aQuote({ valid_until: at });
    const until = later(3).toISOString();
    const result = changedQuote(expired, { status: "sent", valid_until: until }, link);
    expect(result).toMatchObject({ record: { valid_until: until, revision: 2 } });
    const review = changedQuote(expired, { status: "in_review" }, link);
    const again = review.ok ? changedQuote(review.record, { status: "sent" }, link) : review;
    expect(again).toMatchObject({ record: { valid_until: later(14).toISOString() } });
  });

  test("is unchanged by a new assignee or phone", () => {
    const result = changedQuote(aQuote(), { assignee: anId("stf"), phone: "+919812345678" }, link);
    expect(result).toMatchObject({ record: { status: "sent", revision: 1, link_hash: "first" } });
  });
});

test.each(Object.keys(quoteMachine) as QuoteStatus[])(
  "a quote that is %s has a document due only if it is sent",
  (status) => {
    const due = dueOfQuote(aQuote({ status }), { timezone: "Asia/Kolkata" });
    expect(due.length).toBe(status === "sent" ? 1 : 0);
  },
);

test("a change of a lead or quote to its current values has no effect, but adding a note increments the version", () => {
  const [lead, quote] = [aLead(), aQuote()];
  expect(changedLead(lead, { status: "new", name: lead.name }, noon)).toEqual({
    ok: true,
    record: lead,
  });
  expect(changedQuote(quote, { status: "sent", items: [bench] }, link)).toMatchObject({
    record: { version: 1, revision: 1 },
  });
  expect(changedLead(lead, { notes: "Called" }, noon)).toMatchObject({ record: { version: 2 } });
});

test("the reference of a lead or quote is recognised in any format", () => {
  const reference = enquiryReference("Q", Uint8Array.from([0, 7, 31, 200, 255, 64, 33, 9]));
  expect(reference).toMatch(/^Q-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
  expect(parseReference(` ${reference.toLowerCase().replaceAll("-", " ")}`)).toBe(reference);
  expect(parseReference("asha@example.com")).toBeNull();
});

test.each([
  ["/sofas/oslo?name=Asha#asha", "/sofas/oslo"],
  ["https://shop.example.com/sofas?name=Asha", "https://shop.example.com/sofas"],
  [null, null],
])("of the page %s from which an erased lead or quote came, %s is kept", (page, kept) => {
  const source = EnquirySource.parse({ page });
  expect(erasedLead({ source }, noon).source?.page).toBe(kept);
  expect(erasedQuote({ source, items: [] }, noon).source?.page).toBe(kept);
});

test("removing both email and phone from a lead or quote is refused with a message", () => {
  const nowhere = { email: null, phone: null };
  const problems = [{ path: "email", message: "Give an email or a phone number." }];
  const refused = { ok: false, refusal: { kind: "fields", problems } };
  expect(changedLead(aLead(), nowhere, noon)).toMatchObject(refused);
  expect(changedQuote(aQuote(), nowhere, link)).toMatchObject(refused);
});
