import { describe, expect, test } from "vitest";
import type { Document } from "#shared/domain/document/document.ts";
import { creditsOf } from "#shared/domain/order/invoice/credit-supply.ts";
import { supplyValue } from "#shared/domain/order/invoice/supply.ts";
import { CreditNotes } from "#shared/storage/order/credit-notes.ts";
import { documentsOf as documentRows } from "#shared/storage/document/documents.ts";
import { put } from "#shared/storage/writes.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import { aKey } from "#test/support/back-office/orders.ts";
import { clientOf, fileOfDocument } from "#test/support/http/client.ts";
import { aMember } from "#test/support/people/members.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import { type Data, aPerson, aShopper } from "#test/support/shop/shopping.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table, inbox, desk, staffAs } = await useShop({ effects: ["documents", "mail"] });

const client = clientOf(baseUrl);
const staff = await staffAs("manager");

const pathOf = ({ id }: { id: string }) => `/admin/orders/${id}`;

/** The order's documents, as soon as it has this many. */
const documentsOf = (order: { id: string }, count: number): Promise<Document[]> =>
  waitFor("documents", async () => {
    const { body } = await staff.get<Data<Document[]>>(`${pathOf(order)}/documents`);
    expect(body.data).toHaveLength(count);
    return body.data;
  });

const fileOf = (document: Pick<Document, "url">): Promise<Buffer> =>
  waitFor("documents", () => fileOfDocument(baseUrl, document));

const isPdf = (bytes: Buffer) => bytes.subarray(0, 5).toString("latin1") === "%PDF-";

const refund = (order: { id: string }, body: object) =>
  staff.post(`${pathOf(order)}/refunds`, { reason: "Because", ...body }, aKey());

describe("the documents of an order", () => {
  test("are its confirmation, and its invoice from the first dispatch on", async () => {
    const order = await desk.place("cod");
    const [confirmation] = await documentsOf(order, 1);
    expect(confirmation).toMatchObject({ type: "order_confirmation", number: order.number });
    expect(isPdf(await fileOf(confirmation!))).toBe(true);
    await desk.send(order, 2);
    const [, invoice] = await documentsOf(order, 2);
    const { order: stored } = await order.read();
    expect(invoice).toMatchObject({ type: "invoice", ...stored.invoice });
    expect(isPdf(await fileOf(invoice!))).toBe(true);
  });

  test("have no invoice, and take no number, if nothing is left to invoice at the first dispatch", async () => {
    const order = await desk.placePaid();
    // What is forgiven as a whole is still sent, as a gift is.
    const all = { reduce: [{ id: null, amount: order.total }], reason: "A gift" };
    const forgiven = await staff.post(`${pathOf(order)}/changes`, all, aKey());
    expect(forgiven.status).toBe(200);
    await desk.send(order, 2, "delivered");
    const { order: sent, rows } = await order.read();
    expect([sent, rows.shipments]).toMatchObject([
      { status: "delivered", current: 0, invoice: null },
      [{ status: "delivered" }],
    ]);
    expect([sent.supplied, creditsOf({ rows })]).toEqual([undefined, []]);
    await documentsOf(order, 1);
  });

  test("are attached to the letters that announce them", async () => {
    const order = await desk.place("cod");
    const placed = await inbox.waitFor(order.email, ({ subject }) =>
      subject.includes("Your order"),
    );
    // This letter says all that the confirmation says.
    expect(placed.attachments).toEqual([]);
    await desk.send(order, 1);
    const sent = await inbox.waitFor(order.email, ({ subject }) => subject.includes("on its way"));
    expect(sent.attachments).toMatchObject([
      { filename: expect.stringMatching(/^invoice-.*\.pdf$/), contentType: "application/pdf" },
    ]);
    const [, invoice] = await documentsOf(order, 2);
    const attached = Buffer.from(sent.attachments[0]?.content ?? "", "base64");
    expect(attached.equals(await fileOf(invoice!))).toBe(true);
    // A later dispatch has no further invoice.
    await desk.send(order, 1, "delivered");
    const rest = await inbox.waitFor(order.email, ({ subject }) => subject.includes("delivered"));
    expect(rest.attachments).toEqual([]);
  });

  test("stay the same files", async () => {
    const order = await desk.place("cod");
    const [before] = await documentsOf(order, 1);
    const bytes = await fileOf(before!);
    await staff.patch(pathOf(order), { status: "ready_to_dispatch" });
    await staff.patch(pathOf(order), { notes: "Call first." });
    const [after] = await documentsOf(order, 1);
    expect(bytes.equals(await fileOf(after!))).toBe(true);
  });

  test("include a confirmation that is drawn when its link is first opened, and stored once", async () => {
    const order = await desk.place("cod");
    const [confirmation] = await documentsOf(order, 1);
    const rows = () => documentRows(table, order.id).then(({ documents }) => documents);
    expect(await rows()).toEqual([]);
    const path = new URL(confirmation!.url).pathname.slice("/api/v1".length);
    const first = await client.get<Data<{ url: string | null }>>(path);
    expect([first.status, first.body.data.url]).toEqual([202, null]);
    expect(Number(first.headers.get("retry-after"))).toBeGreaterThan(0);
    await Promise.all(Array.from({ length: 5 }, () => client.get(path)));
    await fileOf(confirmation!);
    expect(await rows()).toMatchObject([{ type: "order_confirmation", number: order.number }]);
    const [again] = await documentsOf(order, 1);
    expect(again).toMatchObject({ type: "order_confirmation", issued_on: confirmation!.issued_on });
  });

  test("open by a link for nobody who changes it, and not as a session", async () => {
    const order = await desk.place("cod");
    const [confirmation] = await documentsOf(order, 1);
    const path = new URL(confirmation!.url).pathname.slice("/api/v1".length);
    const token = path.split("/").at(-1)!;
    const member = await aMember(baseUrl);
    const session = member.headers.authorization.replace("Bearer ", "");
    for (const other of [`${token}x`, token.slice(1), "x", session]) {
      expect((await client.get(`/documents/${other}`)).status).toBe(404);
    }
    const signedIn = await client.get("/auth/me", { authorization: `Bearer ${token}` });
    expect(signedIn.status).toBe(401);
  });

  test("are not found for an order that does not exist", async () => {
    const reply = await staff.get(`/admin/orders/ord_01JD0000000000000000000000/documents`);
    expect(reply.status).toBe(404);
  });
});

describe("a buyer's documents", () => {
  test("are shown to the guest with the order's token, and to nobody else, as soon as their PDF is made", async () => {
    const { product } = { product: await plantProduct(table, { units: 5 }) };
    const shopper = await aShopper(baseUrl, [{ sku: product.sku, quantity: 1 }]);
    const { body } = await shopper.checkOut({ ...aPerson(), payment_method: "cod" });
    const { order, order_access_token }: CheckoutAnswer = body.data;
    const path = `/orders/${order.id}/documents`;
    const headers = { "x-order-token": order_access_token ?? "" };
    await documentsOf(order, 1);
    const own = await client.get<Data<Document[]>>(path, headers);
    expect([own.status, own.body.data.map(({ type }) => type)]).toEqual([
      200,
      ["order_confirmation"],
    ]);
    expect(isPdf(await fileOf(own.body.data[0]!))).toBe(true);
    const note = { order_id: order.id, id: "txn_1", number: "T/26-27/C00001" };
    await table.write(put(CreditNotes, { ...note, issued_on: "2026-11-21" }));
    expect((await client.get<Data<Document[]>>(path, headers)).body.data).toHaveLength(1);
    const member = await aMember(baseUrl);
    expect((await client.get(path, member.headers)).status).toBe(404);
    expect([401, 404]).toContain((await client.get(path)).status);
  });
});

describe("a supplement", () => {
  test("invoices what was added after the first dispatch, takes the next number and is credited on its own", async () => {
    const [order, lamp] = [await desk.placePaid({ quantity: 1 }), await plantProduct(table)];
    await desk.send(order, 1);
    const [, first] = await documentsOf(order, 2);
    const change = (body: object) =>
      staff.post<Data<{ money: { due: number } }>>(
        `${pathOf(order)}/changes`,
        { reason: "Because", ...body },
        aKey(),
      );
    const { body } = await change({ add: [{ sku: lamp.sku, quantity: 1 }] });
    await desk.receive(order.id, body.data.money.due);
    const line = (await order.read()).order.items[1]!.id;
    await desk.send({ id: order.id, line }, 1);
    const [, , supplement] = await documentsOf(order, 3);
    expect(supplement).toMatchObject({
      type: "invoice",
      number: expect.not.stringMatching(first!.number),
    });
    expect(supplement!.number > first!.number).toBe(true);
    expect(isPdf(await fileOf(supplement!))).toBe(true);
    const shown = await staff.get<Data<{ invoice: object; invoices: object[] }>>(pathOf(order));
    const numbers = [first!, supplement!].map(({ number, issued_on }) => ({ number, issued_on }));
    expect(shown.body.data).toMatchObject({ invoice: numbers[0], invoices: numbers });
    const letter = await inbox.waitFor(order.email, ({ attachments }) =>
      attachments.some(({ filename }) => filename.includes(supplement!.number.slice(-6))),
    );
    expect(letter.subject).toContain(order.number);
    await refund(order, { items: [{ id: line, quantity: 1 }] });
    await documentsOf(order, 4);
    const { supplements = {} } = (await order.read()).order;
    const [{ supplied } = { supplied: undefined }] = Object.values(supplements);
    expect(creditsOf(await order.read()).map(({ credit }) => credit)).toEqual([supplied]);
  });
});

describe("a credit note", () => {
  test("follows the refund of invoiced units, is attached to its letter, and takes the next number", async () => {
    const order = await desk.placePaid();
    await desk.send(order, 2);
    await documentsOf(order, 2);
    await refund(order, { items: [{ id: order.line, quantity: 1 }] });
    const [, , note] = await documentsOf(order, 3);
    expect(note).toMatchObject({
      type: "credit_note",
      number: expect.stringMatching(/^[A-Z]{1,3}\/\d\d-\d\d\/C\d{5}$/),
    });
    expect(isPdf(await fileOf(note!))).toBe(true);
    const letter = await inbox.waitFor(order.email, ({ subject }) => subject.includes("refund"));
    expect(letter.attachments).toMatchObject([
      { filename: `credit-note-${note!.number.replaceAll("/", "-")}.pdf` },
    ]);
    await refund(order, { amount: 500 });
    const [, , , next] = await documentsOf(order, 4);
    const [one, other] = [note!, next!].map(({ number }) => Number(number.slice(-5)));
    expect(other).toBeGreaterThan(one ?? 0);
  });

  test("does not follow the refund of an overpayment, or a refund before the invoice", async () => {
    const order = await desk.place("bank_transfer");
    await desk.receive(order.id, order.total + 5_000);
    await refund(order, { amount: 5_000, reference: "NEFT-1" });
    await refund(order, { items: [{ id: order.line, quantity: 1 }], reference: "NEFT-2" });
    await desk.send(order, 1);
    await documentsOf(order, 2);
    const record = await order.read();
    expect(creditsOf(record)).toEqual([]);
    const { supplied, paid, refunded } = record.order;
    expect(supplied && supplyValue(supplied)).toBe(paid - refunded);
    const invoice = await staff.get<Data<{ totals: { grand_total: number } }>>(
      `${pathOf(order)}/invoice`,
    );
    expect(invoice.body.data.totals.grand_total).toBe(order.total - order.lineTotal / 2);
  });

  test("covers an order that came back unpaid, without any refund", async () => {
    const order = await desk.place("cod");
    await desk.send(order, 2);
    await documentsOf(order, 2);
    await desk.bringBack(order);
    const [, , note] = await documentsOf(order, 3);
    expect(note?.type).toBe("credit_note");
    const [credit] = creditsOf(await order.read());
    expect(credit && supplyValue(credit.credit)).toBe(order.total);
  });
});
