import { beforeAll, describe, expect, test } from "vitest";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import type { Order } from "#shared/domain/order/view/buyer-order.ts";
import { mayMailUnpaid } from "#shared/application/mail/letter-limits.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { limits } from "#shared/domain/request/rate-limits.ts";
import { ProvenEmails } from "#shared/storage/customer/proven-emails.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { Outbox } from "#shared/storage/outbox.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { openSettings } from "#shared/storage/settings/settings.ts";
import { clientOf } from "#test/support/http/client.ts";
import { aPassword, aVerifiedMember, deleteAccount } from "#test/support/people/members.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import { type Data, aPerson, aShopper } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";
import { startProxiedService } from "#test/support/stack/table.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";

const { baseUrl, environment, table, inbox, desk, staffAs } = await useShop({ effects: ["mail"] });

const settings = openSettings(table);
const { calls } = limits.unpaid_order_letters;
let sku: string;
let staff: StaffClient;
beforeAll(async () => {
  ({ sku } = await plantProduct(table, { units: 40 }));
  staff = await staffAs("order_desk");
});

/** Places an order from an IP address and with a phone of its own, and waits until its letter is settled. */
async function place(email: string) {
  const shopper = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  const person = { ...aPerson(), email, payment_method: "bank_transfer" };
  const { body, status, text } = await shopper.checkOut(person);
  expect(status, text).toBe(201);
  const { order, order_access_token } = body.data;
  const letter = await settled(`order_placed#${order.id}`);
  return { id: order.id, total: order.totals.grand_total, token: order_access_token, letter };
}

/** The row of an event once its mail is sent or given up. */
const settled = (id: string) =>
  waitFor("mail", async () => {
    const row = await table.get(Outbox, { id });
    expect(row?.state).not.toBe("waiting");
    return row;
  });

const sent = { state: "sent", reason: null };
const withheld = { state: "given_up", reason: "withheld" };

/** Counts as many letters as an unproven address gets today, and tomorrow, in case the day ends during the test. */
async function useUp(email: string): Promise<void> {
  const log = { error: () => undefined };
  const ports = { table, settings, rates: openRateCounters(table, log) };
  for (const day of [Date.now(), Date.now() + 86_400_000]) {
    for (let count = 0; count < calls; count++) await mayMailUnpaid(email, ports, new Date(day));
  }
}

/** Does the work again if the day of the store ended meanwhile. */
async function withinOneDay<Result>(work: () => Promise<Result>): Promise<Result> {
  const { timezone } = (await settings.current()).store;
  const day = dayIn(timezone, new Date());
  const result = await work();
  return dayIn(timezone, new Date()) === day ? result : withinOneDay(work);
}

/** The types of the timeline's entries, for staff and for the buyer. */
async function timelines({ id, token }: { id: string; token: string | null }) {
  const forStaff = await staff.get<Data<AdminOrder>>(`/admin/orders/${id}`);
  const headers = { "x-order-token": token ?? "" };
  const forBuyer = await clientOf(baseUrl).get<Data<Order>>(`/orders/${id}`, headers);
  return {
    staff: forStaff.body.data.timeline.filter(({ type }) => type === "letter_withheld"),
    buyer: forBuyer.body.data.timeline.map(({ type }) => type),
  };
}

test("an unproven address gets ten letters a day about unpaid orders, however many callers place them, and staff see in the timeline what was withheld", async () => {
  const { email, order } = await withinOneDay(async () => {
    const person = aPerson();
    for (let count = 0; count < calls; count++) {
      const early = await place(person.email);
      expect(early.letter).toMatchObject(sent);
      expect((await timelines(early)).staff).toEqual([]);
      // Cancelled orders do not count against the limit of open orders.
      await desk.cancel(early.id);
    }
    return { email: person.email, order: await place(person.email) };
  });
  expect(order.letter).toMatchObject(withheld);
  const { staff, buyer } = await timelines(order);
  expect(staff).toEqual([
    expect.objectContaining({ public: false, message: expect.stringContaining("was not sent") }),
  ]);
  expect(buyer).toContain("placed");
  expect(buyer).not.toContain("letter_withheld");

  await desk.receive(order.id, order.total);
  await inbox.waitFor(email, ({ subject }) => /received your payment/.test(subject));
  await waitFor("mail", async () => {
    const mails = await inbox.mailsTo(email);
    const about = (words: RegExp) => mails.filter(({ subject }) => words.test(subject)).length;
    expect([about(/cancelled/), mails.length]).toEqual([calls, 2 * calls + 1]);
  });
});

test("letters about money and cancellation go to an address that gets no more letters about unpaid orders", async () => {
  const { email } = aPerson();
  await useUp(email);
  const [paid, unpaid] = [await place(email), await place(email)];
  expect([paid.letter, unpaid.letter]).toMatchObject([withheld, withheld]);
  await desk.receive(paid.id, paid.total - 1);
  await desk.cancel(unpaid.id);
  const { rows } = (await openOrders(table).find(paid.id)) ?? {};
  const received = `order_payment_received#${paid.id}#${rows?.transactions[0]?.id}`;
  expect(await settled(received)).toMatchObject(sent);
  expect(await settled(`order_cancelled#${unpaid.id}`)).toMatchObject(sent);
});

test("the letter that an unpaid order has expired is withheld like the others", async () => {
  const { email } = aPerson();
  const order = await place(email);
  await useUp(email);
  await desk.expire(order.id);
  expect(await settled(`order_expired#${order.id}`)).toMatchObject(withheld);
});

test("the verified email of an account gets every letter about its orders", async () => {
  const { email } = await aVerifiedMember({ baseUrl, inbox });
  await useUp(email);
  const order = await place(email);
  expect(order.letter).toMatchObject(sent);
  expect((await timelines(order)).staff).toEqual([]);
});

/** The token of the link in a letter about an order. */
async function mailedToken(email: string, { id }: { id: string }): Promise<string> {
  const link = new RegExp(`/orders/${id}#token=([\\w.-]+)`);
  const mail = await inbox.waitFor(email, ({ body }) => link.test(body.text));
  return link.exec(mail.body.text)?.[1] ?? "";
}

describe("the link in a letter about an order", () => {
  test("lifts the limit of its address once it is opened", async () => {
    const { email } = aPerson();
    const first = await place(email);
    const token = await mailedToken(email, first);
    await useUp(email);
    // The token that the buyer got without a mail proves nothing about the address.
    expect((await timelines(first)).buyer).toContain("placed");
    expect((await place(email)).letter).toMatchObject(withheld);
    for (let time = 0; time < 2; time++) {
      expect((await timelines({ ...first, token })).buyer).toContain("placed");
    }
    expect((await place(email)).letter).toMatchObject(sent);
  });

  test("proves nothing once the account of its address is erased", async () => {
    const { email } = aPerson();
    const first = await place(email);
    await timelines({ ...first, token: await mailedToken(email, first) });
    expect(await table.get(ProvenEmails, { email })).toMatchObject({ email });
    const member = await aVerifiedMember({ baseUrl, inbox }, { email });
    expect(await deleteAccount(member, aPassword)).toBe(204);
    expect(await table.get(ProvenEmails, { email })).toBeUndefined();
    await useUp(email);
    expect((await place(email)).letter).toMatchObject(withheld);
  });

  test("proves no email that staff have corrected since it was mailed", async () => {
    const [typed, corrected] = [aPerson().email, aPerson().email];
    const first = await place(typed);
    const token = await mailedToken(typed, first);
    const edited = await staff.patch(`/admin/orders/${first.id}`, {
      customer: { email: corrected },
    });
    expect(edited.status, edited.text).toBe(200);
    expect((await timelines({ ...first, token })).buyer).toContain("placed");
    await useUp(corrected);
    expect((await place(corrected)).letter).toMatchObject(withheld);
  });

  test("opens the order even while the proof cannot be stored", async () => {
    const { email } = aPerson();
    const { id } = await place(email);
    const headers = { "x-order-token": await mailedToken(email, { id }) };
    const service = await startProxiedService(environment);
    try {
      const { result, calls: sentCalls } = await service.proxy.disturb(
        ({ partitions }) =>
          partitions.includes(`PROVENEMAIL#${email}`) ? "server-error" : undefined,
        () => clientOf(service.baseUrl).get(`/orders/${id}`, headers),
      );
      expect([result.status, result.text]).toEqual([200, expect.stringContaining(id)]);
      expect(sentCalls.flatMap(({ partitions }) => partitions)).toContain(`PROVENEMAIL#${email}`);
    } finally {
      await service.stop();
    }
  });
});
