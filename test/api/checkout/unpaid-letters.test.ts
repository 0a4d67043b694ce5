import { beforeAll, expect, test } from "vitest";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import type { Order } from "#shared/domain/order/order.ts";
import { mayMailUnpaid } from "#shared/application/mail/letter-limits.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { Outbox } from "#shared/storage/outbox.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { openSettings } from "#shared/storage/settings/settings.ts";
import { orderDesk } from "#test/support/back-office/orders.ts";
import { inboxOf } from "#test/support/emulators/inbox.ts";
import { clientOf } from "#test/support/http/client.ts";
import { aVerifiedMember } from "#test/support/people/members.ts";
import { type StaffClient, staffClient, worldOf } from "#test/support/people/people.ts";
import { plantProduct, tableOf } from "#test/support/shop/plant.ts";
import { type Data, aPerson, aShopper } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";

const { baseUrl, environment } = await useShop({ effects: ["mail"] });

const table = tableOf(environment);
const inbox = inboxOf(environment.SES_ENDPOINT);
const desk = orderDesk(baseUrl, environment);
let sku: string;
let staff: StaffClient;
beforeAll(async () => {
  ({ sku } = await plantProduct(table, { units: 40 }));
  staff = await staffClient(baseUrl, worldOf(environment), "order_desk");
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

/** Counts as many letters as an unproven address gets in a day. */
async function useUp(email: string): Promise<void> {
  const log = { error: () => undefined };
  const ports = { table, settings: openSettings(table), rates: openRateCounters(table, log) };
  for (let count = 0; count < 10; count++) await mayMailUnpaid(email, ports, new Date());
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
  const { email } = aPerson();
  for (let count = 0; count < 10; count++) {
    const order = await place(email);
    expect(order.letter).toMatchObject(sent);
    expect((await timelines(order)).staff).toEqual([]);
    // Cancelled orders do not count against the limit of open orders.
    await desk.cancel(order.id);
  }
  const order = await place(email);
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
    expect([about(/cancelled/), mails.length]).toEqual([10, 21]);
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

test("an address whose owner has opened the link in a letter about an order gets every letter", async () => {
  const { email } = aPerson();
  const first = await place(email);
  const mailed = new RegExp(`/orders/${first.id}#token=([\\w.-]+)`);
  const { text } = (await inbox.waitFor(email)).body;
  await useUp(email);
  // The token that the buyer got without a mail proves nothing about the address.
  expect((await timelines(first)).buyer).toContain("placed");
  expect((await place(email)).letter).toMatchObject(withheld);
  const token = mailed.exec(text)?.[1] ?? "";
  for (let time = 0; time < 2; time++) {
    expect((await timelines({ ...first, token })).buyer).toContain("placed");
  }
  expect((await place(email)).letter).toMatchObject(sent);
});
