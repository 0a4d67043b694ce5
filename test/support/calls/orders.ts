import { randomInt } from "node:crypto";
import { plusDays } from "#shared/domain/base/day.ts";
import type { Budgets } from "./budget.ts";
import type { Document } from "#shared/domain/document/document.ts";
import type { Return } from "#shared/domain/order/returns/return-view.ts";
import type { AdminOrder, AdminShipment } from "#shared/domain/order/view/admin-order.ts";
import { aMember } from "../people/members.ts";
import { type Booked, type DeskOrder, aKey, orderDesk } from "../back-office/orders.ts";
import { aCheckout, plantProduct, plantSofa } from "../shop/plant.ts";
import { ordersInParts } from "../shop/placed-orders.ts";
import { type Choice, asQuery, bySlot, openPlaces, slotDestination, zone } from "../shop/slots.ts";
import { type Data, aShopper } from "../shop/shopping.ts";
import type { Calls, Shop } from "./shop.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import type { Cart } from "#shared/domain/cart/cart.ts";
import { clientOf } from "../http/client.ts";
import { mark } from "../back-office/catalog.ts";

const aTransfer = (amount: number) => ({ amount, method: "bank_transfer", reference: mark() });
const aCoupon = () => ({
  code: `C${mark().replaceAll("-", "").toUpperCase()}`,
  description: "Fifteen per cent off rugs",
  benefit: { kind: "percent", bps: 1_500, cap: 500_000 },
  max_uses: 500,
  applies_to: { categories: ["rugs"] },
});

/** Calls of customers and staff for orders, payments and coupons. */
export function orderCalls(shop: Shop): Calls {
  const { baseUrl, environment, table, owner, made } = shop;
  const desk = orderDesk(baseUrl, environment);
  const inParts = ordersInParts(baseUrl, environment);
  const pathOf = ({ id }: { id: string }) => `/admin/orders/${id}`;

  async function ready(): Promise<DeskOrder> {
    const order = await desk.place("cod");
    await owner.patch(pathOf(order), { status: "ready_to_dispatch" });
    return order;
  }
  /** A shipment that can be dispatched next. */
  async function packed(): Promise<{ id: string; shipment: string }> {
    const order = await ready();
    const path = `${pathOf(order)}/shipments`;
    const { shipment } = await made<{ shipment: AdminShipment }>(path, {});
    await owner.patch(`${path}/${shipment.id}`, { status: "packed" });
    return { id: order.id, shipment: shipment.id };
  }
  async function paidByTransfer(): Promise<DeskOrder> {
    const order = await desk.place("bank_transfer");
    await owner.post(`${pathOf(order)}/payments`, aTransfer(order.total), aKey());
    return order;
  }
  const aDiscount = async () => {
    const body = aCoupon();
    return { params: await made("/admin/coupons", body), body };
  };

  /** A free slot on a day with room for many calls. */
  const aFreeSlot = (): Promise<Choice> => openPlaces(baseUrl, owner, "calls")(200);
  /** A guest's order whose slot can be chosen. */
  async function plannable() {
    const { sku } = await plantProduct(table);
    const { headers, checkOut } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    const { order } = (await checkOut({ ...bySlot, payment_method: "cod" })).body.data;
    return { headers, params: { id: order.id } };
  }
  /** A guest's order that was delivered, and an item of it that can be returned. */
  async function delivered() {
    const { sku } = await plantProduct(table);
    const { headers, checkOut } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    const { order } = (await checkOut({ payment_method: "cod" })).body.data;
    const id = order.items[0]?.id ?? "";
    await desk.send({ id: order.id, line: id }, 1, "delivered");
    const item = { id, quantity: 1, reason: "changed-mind" };
    return { headers, params: { id: order.id }, item };
  }
  async function aReturn(): Promise<{ id: string }> {
    const { item, params } = await delivered();
    const { id } = await made<{ id: string }>("/admin/returns", {
      order: params.id,
      items: [item],
    });
    return { id };
  }
  // A Monday, on which the zone delivers.
  const anyDay = () => ({ zone, date: plusDays("2030-01-07", 7 * randomInt(3_000)) });

  return {
    "GET /shipping/slots": () => ({ query: asQuery }),
    async "PUT /cart/slot"() {
      const { sku } = await plantProduct(table);
      const { headers } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
      return { headers, body: { ...(await aFreeSlot()), ...slotDestination } };
    },
    "GET /orders/{id}/slots": plannable,
    "PUT /orders/{id}/slot": async () => ({ ...(await plannable()), body: await aFreeSlot() }),
    async "GET /admin/deliveries"() {
      const { headers, params } = await plannable();
      const choice = await aFreeSlot();
      await clientOf(baseUrl).put(`/orders/${params.id}/slot`, choice, headers);
      return { query: `date=${choice.date}&per_page=1` };
    },
    "GET /admin/delivery-days/{zone}/{date}": () => ({ params: anyDay() }),
    "PUT /admin/delivery-days/{zone}/{date}": () => ({
      params: anyDay(),
      body: { closed: false, capacities: { morning: 4 } },
    }),
    async "POST /checkout/{order}/payment"() {
      const { sku } = await plantProduct(table);
      const { headers, checkOut } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
      const { order } = (await checkOut()).body.data;
      return { headers, params: { order: order.id }, body: { payment_method: "cod" } };
    },
    async "POST /orders/{id}/cancel"() {
      const { headers, client } = await aMember(baseUrl);
      const { sku } = await plantProduct(table);
      await client.post<Data<Cart>>("/cart", { items: [{ sku, quantity: 1 }] }, headers);
      const placed = await clientOf(baseUrl).post<Data<CheckoutAnswer>>(
        "/checkout",
        aCheckout({ payment_method: "cod" }),
        headers,
      );
      return { headers, params: { id: placed.body.data.order.id } };
    },
    "GET /orders/{id}/returns": delivered,
    async "POST /orders/{id}/returns"() {
      const { item, ...order } = await delivered();
      return { ...order, body: { items: [item] } };
    },
    async "POST /orders/{id}/returns/{return}/cancel"() {
      const { item, params, headers } = await delivered();
      const path = `/orders/${params.id}/returns`;
      const asked = { items: [item] };
      const { body } = await clientOf(baseUrl).post<Data<Return>>(path, asked, headers);
      return { params: { ...params, return: body.data.id }, headers };
    },
    "GET /admin/returns": () => ({ query: "per_page=5" }),
    async "POST /admin/returns"() {
      const { item, params } = await delivered();
      return { body: { order: params.id, items: [item] } };
    },
    "GET /admin/returns/{id}": async () => ({ params: await aReturn() }),
    async "PATCH /admin/returns/{id}"() {
      const order = await desk.placePaid();
      await desk.send(order, 2, "delivered");
      const items = [{ id: order.line, quantity: 1, reason: "damaged" }];
      const params = await made<{ id: string }>("/admin/returns", { order: order.id, items });
      for (const status of ["approved", "received"]) {
        await owner.patch(`/admin/returns/${params.id}`, { status });
      }
      const inspected = [{ id: order.line, accepted: 1, goods: "restock" }];
      return { params: { id: params.id }, body: { status: "refunded", items: inspected } };
    },
    async "GET /documents/{token}"() {
      const path = `${pathOf(await desk.place("cod"))}/documents`;
      const [confirmation] = (await owner.get<Data<Document[]>>(path)).body.data;
      return { params: { token: confirmation?.url.split("/").at(-1) ?? "" } };
    },
    "PATCH /admin/orders/{id}": async () => ({
      params: { id: (await desk.place("cod")).id },
      body: { status: "ready_to_dispatch", tags: ["gift"] },
    }),
    "POST /admin/orders/{id}/shipments": async () => ({
      params: { id: (await ready()).id },
      body: { carrier: "Delhivery", tracking_number: "1490823764521" },
    }),
    "PATCH /admin/orders/{id}/shipments/{shipment}": async () => ({
      params: await packed(),
      body: { status: "out_for_delivery" },
    }),
    async "GET /admin/orders/{id}/invoice"() {
      const { id, shipment } = await packed();
      await owner.patch(`${pathOf({ id })}/shipments/${shipment}`, { status: "out_for_delivery" });
      return { params: { id } };
    },
    async "POST /admin/orders/{id}/payments"() {
      const { id, total } = await desk.place("bank_transfer");
      return { params: { id }, body: aTransfer(total), headers: aKey() };
    },
    async "PATCH /admin/orders/{id}/payments/{transaction}"() {
      const { id, total } = await desk.place("bank_transfer");
      const cheque = { amount: total, tender: "cheque", reference: mark() };
      const path = `${pathOf({ id })}/payments`;
      const { payment } = (await owner.post<Booked>(path, cheque, aKey())).body.data;
      return { params: { id, transaction: payment.id }, body: { state: "cleared" } };
    },
    async "POST /admin/orders/{id}/payments/{transaction}/void"() {
      const { id, read } = await paidByTransfer();
      const transaction = (await read()).rows.transactions[0]?.id ?? "";
      return { params: { id, transaction }, body: { reason: "Belongs to another order" } };
    },
    "POST /admin/orders/{id}/changes": async () => ({
      params: { id: (await desk.placePaid()).id },
      body: { reduce: [{ id: null, amount: 300 }], reason: "Scratched on arrival" },
      headers: aKey(),
    }),
    "POST /admin/orders/{id}/refunds": async () => ({
      params: { id: (await desk.placePaid()).id },
      body: { amount: 300, reason: "Scratched on arrival" },
      headers: aKey(),
    }),
    async "PATCH /admin/orders/{id}/payment-schedule/{code}"() {
      const { id, deposit } = await inParts.place();
      await owner.post(`${pathOf({ id })}/payments`, aTransfer(deposit), aKey());
      return {
        params: { id, code: "balance" },
        body: { state: "waived", reason: "Pays by cheque on delivery" },
      };
    },
    async "PATCH /admin/orders/{id}/lines/{line}"() {
      const [{ id }, { sofa }] = [await desk.place("cod"), await plantSofa(table)];
      const add = [{ sofa: sofa.slug, quantity: 1 }];
      const body = { add, reason: "Another one" };
      const path = `${pathOf({ id })}/changes`;
      const answer = await owner.post<Data<{ order: AdminOrder }>>(path, body, aKey());
      const line = answer.body.data.order.items.at(-1)?.id ?? "";
      return { params: { id, line }, body: { ready: true } };
    },
    async "PATCH /admin/orders/{id}/refunds/{transaction}"() {
      const order = await paidByTransfer();
      const { body } = await owner.post<Booked>(
        `${pathOf(order)}/refunds`,
        { amount: 300, reason: "Scratched on arrival" },
        aKey(),
      );
      const transaction = body.data.refunds[0]?.id ?? "";
      return { params: { id: order.id, transaction }, body: { reference: mark() } };
    },
    "PATCH /admin/customers/{id}": async () => ({
      params: { id: (await aMember(baseUrl)).id },
      body: { notes: "Prefers mornings.", tags: ["vip"] },
    }),
    "POST /admin/coupons": () => ({ body: aCoupon() }),
    async "PUT /admin/coupons/{id}"() {
      const { params, body } = await aDiscount();
      return { params, body: { ...body, description: "Rugs" } };
    },
    "PATCH /admin/coupons/{id}": async () => ({
      params: (await aDiscount()).params,
      body: { active: false },
    }),
    "DELETE /admin/coupons/{id}": async () => ({ params: (await aDiscount()).params }),
  };
}

export const orderBudgets: Budgets = {
  "GET /cart": [1, 1, 3, 0],
  "POST /cart": [3, 2, 3, 2],
  "POST /cart, new": [3, 2, 3, 2],
  "PATCH /cart/items": [3, 2, 4, 2],
  "DELETE /cart/items/{id}": [3, 2, 1, 3],
  "POST /checkout": [4, 3, 12, 45],
  "POST /checkout, gateway": [5, 4, 11, 58],
  "POST /checkout/coupon": [3, 2, 6, 1],
  "GET /shipping/quote": [1, 1, 3, 0],
  "GET /shipping/slots": [3, 2, 3, 1],
  "PUT /cart/slot": [6, 4, 7, 10],
  "GET /orders/{id}/slots": [3, 1, 4, 1],
  "PUT /orders/{id}/slot": [4, 4, 4, 25],
  "GET /admin/deliveries": [3, 2, 8, 0],
  "GET /admin/delivery-days/{zone}/{date}": [3, 2, 5, 0],
  "PUT /admin/delivery-days/{zone}/{date}": [6, 4, 7, 7],
  "GET /orders/track/{number}": [3, 2, 3, 1],
  "POST /checkout/{order}/confirm": [2, 1, 1, 1],
  "POST /checkout/{order}/confirm, gateway": [4, 3, 1, 3],
  "POST /checkout/{order}/payment": [3, 2, 1, 31],
  "GET /orders": [3, 2, 4, 0],
  "GET /orders/{id}": [2, 1, 3, 0],
  "POST /orders/{id}/cancel": [4, 2, 3, 30],
  "GET /orders/{id}/returns": [2, 1, 4, 0],
  "POST /orders/{id}/returns": [3, 3, 2, 21],
  "POST /orders/{id}/returns/{return}/cancel": [3, 2, 4, 40],
  "GET /admin/returns": [2, 1, 5, 0],
  "POST /admin/returns": [3, 3, 5, 24],
  "GET /admin/returns/{id}": [3, 2, 6, 0],
  "PATCH /admin/returns/{id}": [6, 5, 6, 51],
  "GET /admin/orders": [2, 1, 11, 0],
  "GET /admin/orders, 500 orders": [2, 1, 12, 0],
  "GET /admin/orders/{id}": [2, 1, 4, 0],
  "PATCH /admin/orders/{id}": [3, 2, 4, 24],
  "POST /admin/orders/{id}/shipments": [3, 2, 4, 23],
  "PATCH /admin/orders/{id}/shipments/{shipment}": [8, 6, 9, 50],
  "GET /admin/orders/{id}/invoice": [2, 1, 5, 0],
  "GET /orders/{id}/documents": [4, 1, 4, 1],
  "GET /documents/{token}": [3, 3, 3, 1],
  "GET /admin/orders/{id}/documents": [3, 1, 5, 0],
  "POST /admin/orders/{id}/payments": [4, 3, 6, 42],
  "PATCH /admin/orders/{id}/payments/{transaction}": [3, 2, 5, 32],
  "POST /admin/orders/{id}/payments/{transaction}/void": [3, 2, 5, 22],
  "POST /admin/orders/{id}/changes": [6, 5, 5, 52],
  "POST /admin/orders/{id}/refunds": [6, 5, 5, 48],
  "PATCH /admin/orders/{id}/payment-schedule/{code}": [3, 2, 5, 27],
  "PATCH /admin/orders/{id}/lines/{line}": [3, 2, 5, 27],
  "PATCH /admin/orders/{id}/refunds/{transaction}": [3, 2, 5, 27],
  "GET /admin/coupons": [3, 2, 18, 0],
  "POST /admin/coupons": [3, 3, 9, 13],
  "GET /admin/coupons/{id}": [3, 2, 7, 0],
  "PUT /admin/coupons/{id}": [5, 4, 7, 9],
  "PATCH /admin/coupons/{id}": [5, 4, 7, 9],
  "DELETE /admin/coupons/{id}": [4, 3, 7, 11],
  "POST /webhooks/payments/stripe": [4, 4, 2, 31],
};
