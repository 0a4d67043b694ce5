import { describe, expect, test } from "vitest";
import { Carts } from "#shared/storage/cart/carts.ts";
import { CartReminders } from "#shared/storage/marketing/cart-reminders.ts";
import { MarketingTimers, scheduleTask } from "#shared/storage/marketing/marketing-timers.ts";
import { Subscriptions } from "#shared/storage/marketing/subscriptions.ts";
import { put } from "#shared/storage/writes.ts";
import { clientOf } from "#test/support/http/client.ts";
import {
  type Member,
  aPassword,
  aVerifiedMember,
  deleteAccount,
} from "#test/support/people/members.ts";
import { plantProduct, plantSofa } from "#test/support/shop/plant.ts";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, table, inbox } = await useShop({
  effects: ["mail", "marketing-timers"],
});

async function aMemberWithCart({ subscribed = true } = {}): Promise<Member & { names: string[] }> {
  const member = await aVerifiedMember({ baseUrl, inbox });
  if (subscribed) {
    const body = { email: member.email, consent: true };
    await clientOf(baseUrl).post("/newsletter", body, member.headers);
  }
  return { ...member, names: await fill(member) };
}

/** @returns the names of what is in the cart now */
async function fill({ client, headers }: Member): Promise<string[]> {
  const { sku } = await plantProduct(table);
  const { sofa } = await plantSofa(table);
  const items = [
    { sku, quantity: 1 },
    { sofa: sofa.slug, configuration: {}, quantity: 2 },
  ];
  const { status, text, body } = await client.post<Data<Cart>>("/cart", { items }, headers);
  if (status !== 200 && status !== 201) throw new Error(text);
  return body.data.items.map(({ name }) => name);
}

/** Makes the cart a day old, and runs the reminder check. */
async function passADay({ id }: Member): Promise<void> {
  const owner = { kind: "customer", id } as const;
  const cart = await table.get(Carts, { owner });
  if (!cart) throw new Error("There is no cart");
  const updated_at = new Date(Date.now() - 25 * 3_600_000).toISOString();
  await table.write(put(Carts, { ...cart, updated_at, owner }));
  await check(id);
}

/** Runs the reminder check of a customer's cart, and waits until it has run. */
async function check(customer: string): Promise<void> {
  const at = new Date().toISOString();
  const timer = { task: "cart_reminder", about: customer, at } as const;
  await table.write(scheduleTask(timer));
  await waitFor("marketing-timers", async () => {
    expect(await table.get(MarketingTimers, timer)).toBeUndefined();
  });
}

const reminders = async ({ email }: Member) =>
  (await inbox.mailsTo(email)).filter(({ subject }) => subject.includes("is waiting"));
const remindedOf = ({ id }: Member) => table.get(CartReminders, { customer: id });

describe("a reminder of an abandoned cart", () => {
  test("is mailed once to a subscribed customer, with one-click unsubscribing and a link without a token; deleting the account deletes the reminder's record", async () => {
    const member = await aMemberWithCart();
    await passADay(member);
    const mail = await inbox.waitFor(member.email, ({ subject }) => subject.includes("is waiting"));
    const token = (await table.get(Subscriptions, { email: member.email }))?.token;
    const headers = new Map(mail.headers.map(({ name, value }) => [name, value]));
    expect(headers.get("List-Unsubscribe")).toBe(
      `<${environment.API_BASE_URL}/api/v1/unsubscribe/${token}>`,
    );
    expect(headers.get("List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
    expect(mail.body.text).toMatch(/\/cart\n/);
    for (const name of member.names) expect(mail.body.text).toContain(name);
    await check(member.id);
    await check(member.id);
    expect(await reminders(member)).toHaveLength(1);
    expect(await remindedOf(member)).toBeDefined();
    expect(await deleteAccount(member, aPassword)).toBe(204);
    expect(await remindedOf(member)).toBeUndefined();
  });

  test("is not mailed before the cart has been unchanged for the hours in the settings", async () => {
    const member = await aMemberWithCart();
    await check(member.id);
    expect(await remindedOf(member)).toBeUndefined();
  });

  test("is not mailed to a customer who is not subscribed, or has unsubscribed", async () => {
    const member = await aMemberWithCart({ subscribed: false });
    await passADay(member);
    expect(await remindedOf(member)).toBeUndefined();
    const left = await aMemberWithCart();
    const token = (await table.get(Subscriptions, { email: left.email }))?.token;
    await clientOf(baseUrl).send("POST", `/api/v1/unsubscribe/${token}`);
    await passADay(left);
    expect(await remindedOf(left)).toBeUndefined();
  });
});
