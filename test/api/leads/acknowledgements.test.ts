import { describe, expect, test } from "vitest";
import type { EnquiryReceipt } from "#shared/domain/enquiry/enquiry.ts";
import { aBench, aLeadForm, aQuoteForm, sendQuote } from "#test/support/back-office/sales.ts";
import { clientOf } from "#test/support/http/client.ts";
import { aVerifiedMember } from "#test/support/people/members.ts";
import { type Data, aPerson } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";

const { baseUrl, inbox, staffAs } = await useShop({ effects: ["mail"] });

const staff = await staffAs("sales");

/** Sends a form from an IP address of its own. */
async function send(path: "/leads" | "/quotes", form: object): Promise<EnquiryReceipt> {
  const { status, body, text } = await clientOf(baseUrl).post<Data<EnquiryReceipt>>(path, form);
  if (status !== 201) throw new Error(text);
  return body.data;
}
const aLead = (email: string, number: number) =>
  send("/leads", aLeadForm({ email, message: `Question ${number}` }));
const withheld = async (path: "leads" | "quotes", { id }: EnquiryReceipt) =>
  (await staff.get<Data<{ letter_withheld: boolean }>>(`/admin/${path}/${id}`)).body.data
    .letter_withheld;

/** The number of mails to an address once `count` have arrived. */
async function mailsTo(email: string, count: number): Promise<number> {
  await waitFor("mail", async () =>
    expect((await inbox.mailsTo(email)).length).toBeGreaterThanOrEqual(count),
  );
  return (await inbox.mailsTo(email)).length;
}

describe("an address that nobody has proven", () => {
  test("gets three acknowledgements a day, however many callers send forms with it, and staff see which were withheld", async () => {
    const { email } = aPerson();
    const leads: EnquiryReceipt[] = [];
    for (let number = 0; number < 40; number++) leads.push(await aLead(email, number));
    const quote = await send("/quotes", aQuoteForm([aBench()], { email }));
    const seen = await Promise.all(leads.map((lead) => withheld("leads", lead)));
    expect(seen).toEqual(leads.map((_, number) => number >= 3));
    expect(await withheld("quotes", quote)).toBe(true);
    // Mails are sent in the order of their events, and this one comes last.
    const other = aPerson().email;
    await aLead(other, 0);
    await mailsTo(other, 1);
    expect(await mailsTo(email, 3)).toBe(3);
  });

  test("gets leads, quotes and alerts counted together, and repeated forms once", async () => {
    const { email } = aPerson();
    const form = aQuoteForm([aBench()], { email });
    const quote = await send("/quotes", form);
    for (let times = 0; times < 3; times++) {
      expect(await send("/quotes", form)).toEqual(quote);
    }
    await clientOf(baseUrl).post("/products/kaveri-lounge-chair/notify", {
      email,
      kind: "price_drop",
    });
    expect(await withheld("leads", await aLead(email, 1))).toBe(false);
    expect(await withheld("leads", await aLead(email, 2))).toBe(true);
    expect(await mailsTo(email, 3)).toBe(3);
  });
});

test("the verified email of an account gets every acknowledgement", async () => {
  const { email } = await aVerifiedMember({ baseUrl, inbox });
  for (let number = 0; number < 5; number++) {
    expect(await withheld("leads", await aLead(email, number))).toBe(false);
  }
});

/** A quote that was sent to an address, with the token of its link. */
async function aSentQuote(email: string) {
  const { id } = await send("/quotes", aQuoteForm([aBench()], { email }));
  return { id, token: (await sendQuote({ staff, inbox }, id, 700_000)).token };
}
const open = async ({ id }: { id: string }, token: string) =>
  (await clientOf(baseUrl).get(`/quotes/${id}?token=${token}`)).status;

test("an address whose owner has opened the link of a quote gets every acknowledgement", async () => {
  const { email } = aPerson();
  const quote = await aSentQuote(email);
  for (let number = 0; number < 3; number++) await aLead(email, number);
  expect(await withheld("leads", await aLead(email, 3))).toBe(true);
  expect(await open(quote, "x".repeat(43))).toBe(404);
  expect(await withheld("leads", await aLead(email, 4))).toBe(true);
  expect(await open(quote, quote.token)).toBe(200);
  expect(await withheld("leads", await aLead(email, 5))).toBe(false);
});

test("the link of a quote proves no email that staff have corrected since it was mailed", async () => {
  const [typed, corrected] = [aPerson().email, aPerson().email];
  const quote = await aSentQuote(typed);
  const edited = await staff.patch(`/admin/quotes/${quote.id}`, { email: corrected });
  expect(edited.status, edited.text).toBe(200);
  expect(await open(quote, quote.token)).toBe(200);
  for (let number = 0; number < 3; number++) await aLead(corrected, number);
  expect(await withheld("leads", await aLead(corrected, 3))).toBe(true);
});
