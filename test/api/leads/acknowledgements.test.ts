import { beforeAll, describe, expect, test } from "vitest";
import type { EnquiryReceipt } from "#shared/domain/enquiry/enquiry-view.ts";
import { aBench, aLeadForm, aQuoteForm, sendQuote } from "#test/support/back-office/sales.ts";
import { inboxOf } from "#test/support/emulators/inbox.ts";
import { clientOf } from "#test/support/http/client.ts";
import { aVerifiedMember } from "#test/support/people/members.ts";
import { type StaffClient, staffClient, worldOf } from "#test/support/people/people.ts";
import { type Data, aPerson } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";

const { baseUrl, environment } = await useShop({ effects: ["mail"] });

const world = worldOf(environment);
const inbox = inboxOf(environment.SES_ENDPOINT);
let staff: StaffClient;
beforeAll(async () => {
  staff = await staffClient(baseUrl, world, "sales");
});

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

test("an address whose owner has opened the link of a quote gets every acknowledgement", async () => {
  const { email } = aPerson();
  const quote = await send("/quotes", aQuoteForm([aBench()], { email }));
  const { token } = await sendQuote({ staff, inbox }, quote.id, 700_000);
  for (let number = 0; number < 3; number++) await aLead(email, number);
  expect(await withheld("leads", await aLead(email, 3))).toBe(true);
  await clientOf(baseUrl).get(`/quotes/${quote.id}?token=${"x".repeat(43)}`);
  expect(await withheld("leads", await aLead(email, 4))).toBe(true);
  const opened = await clientOf(baseUrl).get(`/quotes/${quote.id}?token=${token}`);
  expect(opened.status).toBe(200);
  expect(await withheld("leads", await aLead(email, 5))).toBe(false);
});
