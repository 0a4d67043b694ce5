import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { AdminOrder, AdminOrderSummary } from "#shared/domain/order/view/admin-order.ts";
import { OrdersOfName, followNames, namesBeginning } from "#shared/storage/order/order-names.ts";
import { aPassword, aMember } from "#test/support/people/members.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, aPerson, aShopper } from "#test/support/shop/shopping.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table, staffAs } = await useShop({ effects: ["order-names"] });

const staff = await staffAs("order_desk");

type Page = Data<AdminOrderSummary[]> & { meta: { next_cursor: string | null } } & Problem;

/** A unique word of letters only. */
const aWord = (): string =>
  `x${randomUUID()
    .replaceAll("-", "")
    .replaceAll(/\d/g, (digit) => "ghijklmnop".charAt(Number(digit)))}`.slice(0, 20);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const list = async (query: Record<string, string>) =>
  (await staff.get<Page>(`/admin/orders?${new URLSearchParams(query).toString()}`)).body;
const found = async (q: string, more: Record<string, string> = {}) =>
  (await list({ q, ...more })).data.map(({ id }) => id);
/** Retries, because a stream consumer updates the lookup rows after the response. */
const findsAfterAWhile = (q: string, ids: readonly string[]) =>
  waitFor("order-names", async () => expect(await found(q)).toEqual(ids));
const rowsOf = async (word: string) =>
  (await table.page(OrdersOfName, namesBeginning(word))).records;

/** A guest's order, to be paid by bank transfer. The recipient may have another name than the guest. */
async function placed(name: string, recipient?: string): Promise<string> {
  const { sku } = await plantProduct(table);
  const { checkOut } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  const { shipping_address } = aCheckout();
  const { status, body, text } = await checkOut({
    ...aPerson(),
    name,
    ...(recipient !== undefined && {
      shipping_address: { ...Object(shipping_address), name: recipient },
    }),
  });
  if (status !== 201) throw new Error(text);
  return body.data.order.id;
}

describe("the search for orders by name", () => {
  test("matches whole words and prefixes, ignoring case and accents", async () => {
    const [first, last, recipient] = [aWord(), aWord(), aWord()];
    const id = await placed(`${capital(first)} Ö'${last}é`, `Dr. ${recipient}`);
    await findsAfterAWhile(first, [id]);
    const queries = [
      first.toUpperCase(),
      first.slice(0, 12),
      `${last}e`,
      `${last}\u00c9`,
      `o ${last}`,
      `o${last}`,
      recipient,
      `${last} ${first.slice(0, 5)}`,
      `${recipient.slice(0, 6)}, ${first}`,
      ` ${first}  ${last} `,
    ];
    for (const q of queries) expect([q, await found(q)]).toEqual([q, [id]]);
    for (const q of [`${first}x`, first.slice(1), `${first} ${aWord()}`, "'", "…"]) {
      expect([q, await found(q)]).toEqual([q, []]);
    }
  });

  test("finds only orders that match all words, and can be combined with status and day filters", async () => {
    const [name, other] = [aWord(), aWord()];
    const hers = await placed(`${name} ${other}`);
    const his = await placed(`${name} Rao`);
    await findsAfterAWhile(name, [his, hers]);
    expect(await found(`${name} ${other}`)).toEqual([hers]);
    await staff.patch(`/admin/orders/${hers}`, { status: "cancelled" });
    expect(await found(name, { status: "cancelled" })).toEqual([hers]);
    expect(await found(name, { payment_status: "awaiting_transfer" })).toEqual([his]);
    // The requested days end tomorrow, because the shop's date may be ahead of the UTC date.
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    expect(await found(name, { to: "2026-01-02" })).toEqual([]);
    expect(await found(name, { from: "2026-01-02", to: tomorrow })).toEqual([his, hers]);
  });

  test("is paginated without duplicates: whole-word matches precede prefix matches, and newer orders precede older ones", async () => {
    const name = aWord();
    const longer = await placed(`${name}a ${name}b`);
    const older = await placed(name);
    const newer = await placed(name);
    const all = [newer, older, longer];
    await findsAfterAWhile(name, all);
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const more: Record<string, string> = cursor === "" ? {} : { cursor };
      const page: Page = await list({ q: name, per_page: "1", ...more });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.meta.next_cursor;
      for (const q of cursor === null ? [] : [aWord(), "a@example.com"]) {
        expect(Object.keys((await list({ q, cursor: cursor ?? "" })).errors ?? {})).toEqual([
          "cursor",
        ]);
      }
    }
    expect(seen).toEqual(all);
  });

  test("matches the new name and no longer the old one after a name changes", async () => {
    const [before, after, last] = [aWord(), aWord(), aWord()];
    const id = await placed(`${before} ${last}`, `${before} ${last}`);
    await findsAfterAWhile(before, [id]);
    const address = { line1: "9 Brigade Road", city: "Bengaluru", postal_code: "560025" };
    const shipping = { ...address, country: "IN" };
    const change = { customer: { name: `${after} ${last}` }, addresses: { shipping } };
    const { status, body } = await staff.patch<Data<AdminOrder> & Problem>(
      `/admin/orders/${id}`,
      change,
    );
    expect([status, body.data?.customer.name]).toEqual([200, change.customer.name]);
    // The old name finds nothing immediately, even before the lookup rows are updated.
    expect(await found(before)).toEqual([]);
    await findsAfterAWhile(after, [id]);
    expect(await found(`${after} ${last}`)).toEqual([id]);
    expect(await rowsOf(before)).toEqual([]);
  });

  test("finds nothing once the customer is erased, even if an older queue message arrives later", async () => {
    const name = aWord();
    const { client, headers, email } = await aMember(baseUrl);
    const { sku } = await plantProduct(table);
    await client.post("/cart", { items: [{ sku, quantity: 1 }] }, headers);
    const checkout = { ...aCheckout({ email }), name };
    const { body } = await client.post<Data<{ order: { id: string } }>>(
      "/checkout",
      checkout,
      headers,
    );
    const { id } = body.data.order;
    await findsAfterAWhile(name, [id]);
    const erased = await client.send("DELETE", "/api/v1/account", {
      body: JSON.stringify({ password: aPassword }),
      headers: { ...headers, "content-type": "application/json" },
    });
    expect(erased.status, erased.text).toBe(204);
    expect(await rowsOf(name)).toEqual([]);
    await followNames(table, [id]);
    expect(await rowsOf(name)).toEqual([]);
    expect(await found(name)).toEqual([]);
    expect(await found(email)).toEqual([id]);
  });
});
