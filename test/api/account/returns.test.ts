import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Order } from "#shared/domain/order/view/buyer-order.ts";
import type { Return } from "#shared/domain/order/returns/return-view.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aMember } from "#test/support/people/members.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import { type Data, type Shopper, aPerson, aShopper } from "#test/support/shop/shopping.ts";
import { uploadedPicture } from "#test/support/shop/uploads.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, desk, staffAs } = await useShop({ effects: ["media"] });

const staff = await staffAs("order_desk");

interface GuestOrder {
  readonly id: string;
  readonly line: string;
  readonly proof: Record<string, string>;
  readonly shopper: Shopper;
}

/** A guest's order of two units that were delivered, by default. */
async function anOrder({ delivered = 2 } = {}): Promise<GuestOrder> {
  const { sku } = await plantProduct(desk.table);
  const shopper = await aShopper(baseUrl, [{ sku, quantity: 2 }]);
  const { email, phone } = aPerson();
  const { body, status, text } = await shopper.checkOut({ email, phone, payment_method: "cod" });
  if (status !== 201) throw new Error(text);
  const { order, order_access_token } = body.data;
  const line = order.items[0]!.id;
  if (delivered > 0) await desk.send({ id: order.id, line }, delivered, "delivered");
  return { id: order.id, line, proof: { "x-order-token": order_access_token ?? "" }, shopper };
}

type Answer = Data<Return> & Problem;

const aRequest = ({ line }: Pick<GuestOrder, "line">, item: object = {}, rest: object = {}) => ({
  items: [{ id: line, quantity: 1, reason: "changed-mind", ...item }],
  ...rest,
});

const request = (
  order: GuestOrder,
  body: object = aRequest(order),
  headers: Record<string, string> = order.proof,
  client = clientOf(baseUrl),
) => client.post<Answer>(`/orders/${order.id}/returns`, body, headers);

const listed = ({ id, proof }: GuestOrder) =>
  clientOf(baseUrl).get<
    Data<{ returns: Return[]; items: { returnable: number }[]; reasons: unknown[] }>
  >(`/orders/${id}/returns`, proof);

test("a guest returns units of a delivered order, and sees where the return is", async () => {
  const order = await anOrder();
  const before = await clientOf(baseUrl).get<Data<Order>>(`/orders/${order.id}`, order.proof);
  expect(before.body.data.allowed_actions).toContain("return");

  const { status, body, headers } = await request(order, aRequest(order, { note: "Too wide" }));

  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    status: "requested",
    kind: "return",
    wish: "refund",
    items: [{ id: order.line, quantity: 1, reason_label: "Changed my mind", note: "Too wide" }],
    allowed_actions: ["cancel"],
  });
  expect(headers.get("location")).toBe(`/api/v1/orders/${order.id}/returns`);
  const { data } = (await listed(order)).body;
  expect(data.returns).toEqual([body.data]);
  expect(data.items).toMatchObject([{ quantity: 1, returnable: 1 }]);
  expect(data.reasons).toHaveLength(5);
  const after = await clientOf(baseUrl).get<Data<Order>>(`/orders/${order.id}`, order.proof);
  expect(after.body.data.returns).toEqual([body.data]);
  expect(after.body.data.timeline.at(-1)).toMatchObject({ type: "return_requested" });
});

test("a customer returns units of an own order, and nobody else does", async () => {
  const { headers, client: member, email, phone } = await aMember(baseUrl);
  const { sku } = await plantProduct(desk.table);
  await member.post("/cart", { items: [{ sku, quantity: 1 }] }, headers);
  const asked = aCheckout({ email, phone, payment_method: "cod" });
  const placed = await member.post<Data<{ order: Order }>>("/checkout", asked, headers);
  const { id, items } = placed.body.data.order;
  await desk.send({ id, line: items[0]!.id }, 1, "delivered");
  const body = aRequest({ line: items[0]!.id });
  const other = await aMember(baseUrl);
  expect((await other.client.post(`/orders/${id}/returns`, body, other.headers)).status).toBe(404);
  expect((await member.post(`/orders/${id}/returns`, body, headers)).status).toBe(201);
});

describe("a return is refused", () => {
  test("without proof of the order", async () => {
    const order = await anOrder();
    const stranger = await anOrder();
    expect((await request(order, aRequest(order), {})).status).toBe(401);
    expect((await request(order, aRequest(order), stranger.proof)).status).toBe(404);
    expect(
      (await clientOf(baseUrl).get(`/orders/${order.id}/returns`, stranger.proof)).status,
    ).toBe(404);
  });

  test.each([
    ["units that were not delivered", 0, {}, "items.0.quantity", "It was not delivered yet."],
    [
      "more units than were delivered",
      1,
      { quantity: 2 },
      "items.0.quantity",
      "Only 1 of its units can be returned.",
    ],
    [
      "an unknown reason",
      2,
      { reason: "boredom" },
      "items.0.reason",
      "The selected reason is invalid.",
    ],
    [
      "damage without a picture",
      2,
      { reason: "damaged" },
      "items.0.upload_ids",
      "Please add a picture of it.",
    ],
    [
      "an unknown picture",
      2,
      { upload_ids: ["upl_01JD0000000000000000000001"] },
      "items.0.upload_ids.0",
      "The picture does not exist or is not ready yet.",
    ],
  ] as const)("for %s, and says why", async (_what, delivered, item, path, message) => {
    const order = await anOrder({ delivered });
    const { status, body } = await request(order, aRequest(order, item));
    expect(status).toBe(422);
    expect(body.errors?.[path]).toEqual([message]);
    expect((await listed(order)).body.data.returns).toEqual([]);
  });

  test("for a unit that is in another one", async () => {
    const order = await anOrder();
    await request(order, aRequest(order, { quantity: 2 }));
    const { status, body } = await request(order);
    expect(status).toBe(422);
    expect(body.errors?.["items.0.quantity"]).toEqual([
      "All of its units are being returned, are back or were refunded.",
    ]);
  });
});

test("a picture of the damage is kept with the return", async () => {
  const order = await anOrder();
  const upload = await uploadedPicture(clientOf(baseUrl));
  const { status, body, text } = await request(
    order,
    aRequest(order, { reason: "damaged", upload_ids: [upload] }),
  );
  expect(status, text).toBe(201);
  expect(body.data.items[0]?.upload_ids).toEqual([upload]);
});

test("of requests for the same unit at once, one opens a return", async () => {
  const order = await anOrder();
  const body = aRequest(order, { quantity: 2 });
  const replies = await Promise.all(Array.from({ length: 5 }, () => request(order, body)));
  const opened = replies.filter(({ status }) => status === 201);
  expect(opened).toHaveLength(1);
  for (const { status } of replies) expect([201, 422]).toContain(status);
  expect((await listed(order)).body.data.returns).toHaveLength(1);
});

describe("the buyer cancels a return", () => {
  const cancel = ({ id, proof }: GuestOrder, of: string, headers = proof) =>
    clientOf(baseUrl).post<Answer>(`/orders/${id}/returns/${of}/cancel`, {}, headers);

  test("until its goods have arrived, and its units are free again", async () => {
    const order = await anOrder();
    const { id } = (await request(order, aRequest(order, { quantity: 2 }))).body.data;
    expect((await cancel(order, id, {})).status).toBe(401);
    expect((await cancel(order, `ret_${randomUUID()}`)).status).toBe(404);
    const cancelled = await cancel(order, id);
    expect(cancelled.body.data).toMatchObject({ status: "cancelled", allowed_actions: [] });
    expect((await cancel(order, id)).status).toBe(200);
    expect((await request(order, aRequest(order, { quantity: 2 }))).status).toBe(201);
  });

  test("but not after that", async () => {
    const order = await anOrder();
    const { id } = (await request(order)).body.data;
    for (const status of ["approved", "received"]) {
      expect((await staff.patch(`/admin/returns/${id}`, { status })).status).toBe(200);
    }
    const { status, body } = await cancel(order, id);
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: "invalid_transition",
      details: { from: "received", to: "cancelled", allowed: ["inspected"] },
    });
  });
});
