import { describe, expect, test } from "vitest";
import type { AdminOrder, AdminShipment } from "#shared/domain/order/view/admin-order.ts";
import type { ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import type { Payment } from "#shared/domain/payment/payment.ts";
import { scheduleCheck } from "#shared/storage/order/due-orders.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { update } from "#shared/storage/writes.ts";
import { aKey } from "#test/support/back-office/orders.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { type OrderInParts, ordersInParts } from "#test/support/shop/placed-orders.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import { type Data, aShopper } from "#test/support/shop/shopping.ts";
import { waitFor, waitUntil } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, inbox, stripe, staffAs } = await useShop({
  effects: ["due-orders", "mail"],
});

const { table, aSofaCart, place } = ordersInParts(baseUrl, environment);
/** A staff user who may update orders but not refund payments. */
const clerk = await staffAs("order_desk");
const manager = await staffAs("manager");

/** A balance that may be paid in cash. */
const cheap = { base_price: 1_500_000 };
type One = Data<AdminOrder> & Problem;
const pathOf = ({ id }: { id: string }) => `/admin/orders/${id}`;
const change = (staff: StaffClient, order: OrderInParts, body: object) =>
  staff.patch<One>(pathOf(order), body);
const waive = (staff: StaffClient, order: OrderInParts, code = "balance") =>
  staff.patch<One>(`${pathOf(order)}/payment-schedule/${code}`, {
    state: "waived",
    reason: "A regular",
  });
const receive = (order: OrderInParts, amount: number, method = "bank_transfer") =>
  clerk.post<Data<{ order: AdminOrder }>>(
    `${pathOf(order)}/payments`,
    { amount, method, reference: `UTR ${amount} ${order.id}` },
    aKey(),
  );
const secretOf = ({ action }: Payment) =>
  action.type === "stripe_payment_intent" ? action.client_secret : "";
const statesOf = ({ payment_schedule }: Pick<AdminOrder, "payment_schedule">) =>
  payment_schedule.map(({ code, state, due }) => `${code} ${state} ${due}`);

async function withDeposit(placing: Parameters<typeof place>[0] = {}): Promise<OrderInParts> {
  const order = await place(placing);
  await receive(order, order.deposit);
  return order;
}
async function readyToLeave(placing: Parameters<typeof place>[0] = {}): Promise<OrderInParts> {
  const order = await withDeposit(placing);
  for (const status of ["in_production", "ready_to_dispatch"]) {
    const moved = await change(clerk, order, { status });
    expect(moved.status).toBe(200);
  }
  return order;
}
async function dispatch(order: OrderInParts) {
  const path = `${pathOf(order)}/shipments`;
  const { body } = await clerk.post<Data<{ shipment: AdminShipment }>>(path, {}, aKey());
  const shipment = `${path}/${body.data.shipment.id}`;
  await clerk.patch(shipment, { status: "packed" });
  return {
    again: () =>
      clerk.patch<Data<{ order: AdminOrder; shipment: AdminShipment }> & Problem>(shipment, {
        status: "out_for_delivery",
      }),
  };
}

describe("payment plans", () => {
  test("of a cart with a made-to-order line add up to its total, and to each delivery method's total in a quote", async () => {
    const shopper = await aSofaCart();
    const { totals, payment_plans } = await shopper.read(
      "?postal_code=560001&shipping_method=standard",
    );
    expect(payment_plans.map(({ code }) => code)).toEqual(["full", "deposit"]);
    for (const { parts } of payment_plans) {
      expect(parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(totals.grand_total);
    }
    const { body } = await shopper.client.get<
      Data<{ methods: { code: string; payment_plans: typeof payment_plans }[] }>
    >("/shipping/quote?postal_code=560001", shopper.headers);
    const standard = body.data.methods.find(({ code }) => code === "standard");
    expect(standard?.payment_plans).toEqual(payment_plans);
  });

  test("of a cart from stock offer no deposit, and checkout refuses one", async () => {
    const { sku } = await plantProduct(table);
    const shopper = await aShopper(baseUrl, [{ sku, quantity: 4 }]);
    expect(shopper.cart.payment_plans.map(({ code }) => code)).toEqual(["full"]);
    const { status, body } = await shopper.checkOut({ payment_plan: "deposit" });
    expect([status, body.errors]).toEqual([
      422,
      { payment_plan: ["This order cannot be paid in parts."] },
    ]);
  });

  test("take no deposit in cash", async () => {
    const shopper = await aSofaCart(cheap);
    const { status, body } = await shopper.checkOut({
      payment_plan: "deposit",
      payment_method: "cod",
    });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["payment_method"]]);
  });
});

test("a deposit and its balance are paid online, each once, also by parallel calls", async () => {
  const order = await place({ payment_method: "gateway" });
  const { payment } = order.placed;
  expect(payment.amount_due).toBe(order.deposit);
  expect(statesOf(order.placed.order)).toEqual(["deposit due now", "balance open before_dispatch"]);
  await stripe.pay(secretOf(payment));
  const confirmed = (await order.confirm()).body.data;
  expect(confirmed.order.allowed_actions).toEqual(["pay", "cancel"]);
  expect(confirmed.order).toMatchObject({
    status: "confirmed",
    payment_status: "partially_paid",
    totals: { paid: order.deposit, due: order.total - order.deposit },
    expires_at: null,
  });
  const mail = await inbox.waitFor(order.email, ({ subject }) => subject.includes("the deposit"));
  expect(mail.body.text).toContain("Balance: ");

  const asked = await Promise.all(Array.from({ length: 5 }, () => order.payBy("gateway")));
  const secrets = new Set(asked.map(({ body }) => secretOf(body.data.payment)));
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect([secrets.size, [...secrets][0] !== ""]).toEqual([1, true]);
  expect(asked[0]?.body.data.payment.amount_due).toBe(order.total - order.deposit);
  const [secret = ""] = secrets;
  await Promise.all([stripe.pay(secret), stripe.pay(secret)]);
  // Some of the parallel calls have asked the gateway, so confirming may not ask it within 5 seconds.
  const paid = await waitUntil(async () => {
    const { data } = (await order.confirm()).body;
    expect(data.order).toMatchObject({ payment_status: "paid", totals: { due: 0 } });
    return data;
  });
  expect(paid.order.allowed_actions).toEqual(["cancel"]);
  expect(statesOf(paid.order)).toEqual(["deposit paid now", "balance paid before_dispatch"]);
  expect((await order.read()).order.paid).toBe(order.total);
  const repeated = (await order.payBy("gateway")).body.data;
  expect(repeated.payment).toMatchObject({ amount_due: 0, action: { type: "none" } });
  const changed = await order.payBy("bank_transfer");
  expect([changed.status, changed.body.code]).toEqual([409, "invalid_transition"]);
});

test("confirming a balance right after its payment was opened asks the gateway, and needs no webhook", async () => {
  const order = await place({ payment_method: "gateway" });
  await stripe.pay(secretOf(order.placed.payment));
  await order.confirm();
  await stripe.holdNext(order.id);
  const opened = (await order.payBy("gateway")).body.data;
  await stripe.pay(secretOf(opened.payment));
  const { body } = await order.confirm();
  expect(body.data.order).toMatchObject({ payment_status: "paid", totals: { due: 0 } });
  expect((await order.read()).order.paid).toBe(order.total);
  await stripe.letGo(order.id);
});

test("a paid deposit makes an order one that is not open, and a short one does not confirm it", async () => {
  const order = await place();
  const short = await receive(order, order.deposit - 1);
  expect(short.body.data.order).toMatchObject({
    status: "pending_payment",
    payment_status: "partially_paid",
    attention: [{ code: "part_paid" }],
  });
  const rest = await clerk.post<Data<{ order: AdminOrder }>>(
    `${pathOf(order)}/payments`,
    { amount: 1, method: "bank_transfer", reference: `UTR rest ${order.id}` },
    aKey(),
  );
  expect(rest.body.data.order).toMatchObject({ status: "confirmed", attention: [] });
});

describe("a balance that is due", () => {
  test("is asked for by a mail whose link lets a guest pay", async () => {
    const order = await readyToLeave();
    const mail = await inbox.waitFor(order.email, ({ subject }) =>
      subject.startsWith("The balance"),
    );
    expect(mail.body.text).toContain("Account number: ");
    expect(statesOf((await change(clerk, order, {})).body.data)).toEqual([
      "deposit paid now",
      "balance due before_dispatch",
    ]);
    const online = await order.payBy("gateway");
    expect(online.status).toBe(200);

    const another = await place({ payment_method: "gateway" });
    await stripe.pay(secretOf(another.placed.payment));
    await another.confirm();
    for (const status of ["in_production", "ready_to_dispatch"]) {
      await change(clerk, another, { status });
    }
    const letter = await inbox.waitFor(another.email, ({ subject }) =>
      subject.startsWith("The balance"),
    );
    const token = /#token=([^\s&]+)/.exec(letter.body.text)?.[1] ?? "";
    const paid = await clientOf(baseUrl).post<Data<ConfirmAnswer>>(
      `/checkout/${another.id}/payment`,
      { payment_method: "gateway" },
      { "x-order-token": decodeURIComponent(token) },
    );
    expect(paid.body.data.payment).toMatchObject({
      amount_due: another.total - another.deposit,
      action: { type: "stripe_payment_intent" },
    });
  });

  test("keeps the order from leaving until it is paid", async () => {
    const order = await readyToLeave();
    const { again } = await dispatch(order);
    const refused = await again();
    expect([refused.status, refused.body.code]).toEqual([409, "balance_due"]);
    expect(refused.body.details).toEqual({
      amount: order.total - order.deposit,
      currency: "INR",
      allowed: [],
    });
    expect((await order.read()).order.status).toBe("ready_to_dispatch");
    await receive(order, order.total - order.deposit);
    const { body } = await again();
    expect(body.data.order).toMatchObject({ status: "shipped", payment_status: "paid" });
  });

  test("can be waived by staff who may refund, and is then still owed", async () => {
    const order = await readyToLeave();
    const { again } = await dispatch(order);
    const forbidden = await waive(clerk, order);
    expect([forbidden.status, forbidden.body.details]).toEqual([
      403,
      { permission: "orders.refund" },
    ]);
    const waived = await waive(manager, order);
    expect(statesOf(waived.body.data)).toEqual([
      "deposit paid now",
      "balance waived before_dispatch",
    ]);
    expect(waived.body.data.totals.due).toBe(order.total - order.deposit);
    expect((await waive(manager, order)).body.data.version).toBe(waived.body.data.version);
    expect((await again()).body.data.order.status).toBe("shipped");
    const online = await order.payBy("gateway");
    expect(online.body.data.payment.amount_due).toBe(order.total - order.deposit);

    for (const [code, status] of [
      ["deposit", 409],
      ["full", 404],
      ["rent", 404],
    ] as const) {
      expect([code, (await waive(manager, order, code)).status]).toEqual([code, status]);
    }
  });

  test("is reminded of and then flagged by the scheduled checks", async () => {
    const order = await readyToLeave();
    /** Lets days pass since the balance was asked for, and waits for the scheduled check's entry in the timeline. */
    const daysPass = async (days: number, type: string) => {
      const { deposit } = (await order.read()).order;
      const due_at = new Date(Date.parse(deposit?.due_at ?? "") - days * 86_400_000).toISOString();
      const before = new Date(Date.now() - 1).toISOString();
      await table.transact([
        update(Orders, { id: order.id }, { set: { deposit: { ...deposit!, due_at } } }),
        scheduleCheck(order.id, before),
      ]);
      await waitFor("due-orders", async () =>
        expect((await order.read()).rows.timeline).toContainEqual(
          expect.objectContaining({ type }),
        ),
      );
    };
    await daysPass(3.5, "balance_reminder");
    await inbox.waitFor(order.email, ({ subject }) => subject.startsWith("Reminder: the balance"));
    await daysPass(4, "balance_overdue");
    expect((await order.read()).order.attention).toMatchObject([{ code: "balance_overdue" }]);
    const listed = await clerk.get<Data<{ id: string }[]>>(
      "/admin/orders?attention=1&per_page=100",
    );
    expect(listed.body.data.map(({ id }) => id)).toContain(order.id);
    await receive(order, order.total - order.deposit);
    expect((await order.read()).order.attention).toEqual([]);
  });
});

describe("cash on delivery", () => {
  test("pays a balance within the limit, also of what is made to order", async () => {
    const order = await readyToLeave(cheap);
    const { body } = await order.payBy("cod");
    expect(body.data.order).toMatchObject({ status: "ready_to_dispatch", payment_method: "cod" });
    expect(statesOf(body.data.order)).toEqual(["deposit paid now", "balance due on_delivery"]);
    expect((await order.payBy("cod")).body).toEqual(body);
    const { again } = await dispatch(order);
    expect((await again()).body.data.order.status).toBe("shipped");
    const late = await order.payBy("gateway");
    expect([late.status, late.body.code]).toEqual([409, "invalid_transition"]);
    const { totals } = (await clerk.get<One>(pathOf(order))).body.data;
    await receive(order, totals.due, "cod");
    expect((await order.read()).order.payment_status).toBe("paid");
  });

  test("does not pay a balance above the limit", async () => {
    const order = await withDeposit();
    const { status, body } = await order.payBy("cod");
    expect([status, body.errors]).toEqual([
      422,
      { payment_method: ["This order is above the limit for cash on delivery."] },
    ]);
  });
});

describe("cancelling", () => {
  const cancelled = { status: "cancelled", requested_by: "buyer", reason: "Changed their mind" };

  test("for the buyer keeps up to the deposit, and refunds the rest", async () => {
    const order = await withDeposit();
    const keep_amount = order.deposit - 500;
    const forbidden = await change(clerk, order, { ...cancelled, keep_amount });
    expect(forbidden.status).toBe(403);
    const { status, body } = await change(manager, order, { ...cancelled, keep_amount });
    expect([status, body.data.status]).toEqual([200, "cancelled"]);
    expect(body.data.totals).toMatchObject({ retained: keep_amount, due: 0 });
    expect(body.data.transactions).toMatchObject([
      { type: "charge", amount: order.deposit },
      { type: "refund", amount: 500, state: "pending" },
    ]);
    const mail = await inbox.waitFor(order.email, ({ subject }) =>
      subject.includes("was cancelled"),
    );
    expect(mail.body.text).toContain("What we keep, as agreed with you");

    const repeated = await change(manager, order, { ...cancelled, keep_amount });
    expect(repeated.body.data.version).toBe(body.data.version);
    const other = await change(manager, order, { ...cancelled, keep_amount: 1 });
    expect([other.status, other.body]).toMatchObject([
      409,
      { code: "order_locked", details: { reason: "ended" } },
    ]);
  });

  test.each<[string, (order: OrderInParts) => object, string]>([
    [
      "more than the deposit",
      ({ deposit }) => ({ ...cancelled, keep_amount: deposit + 1 }),
      "keep_amount",
    ],
    [
      "an amount for the shop",
      () => ({ ...cancelled, requested_by: "shop", keep_amount: 1 }),
      "requested_by",
    ],
    [
      "an amount without a reason",
      () => ({ ...cancelled, reason: undefined, keep_amount: 1 }),
      "reason",
    ],
    ["an amount without cancelling", () => ({ keep_amount: 1 }), "keep_amount"],
  ])("does not keep %s", async (_what, body, path) => {
    const order = await withDeposit();
    const answer = await change(manager, order, body(order));
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [path]]);
    expect((await order.read()).order.status).toBe("confirmed");
  });

  test("that keeps the whole deposit needs the permission to refund, although nothing is refunded", async () => {
    const order = await withDeposit();
    const terms = { ...cancelled, keep_amount: order.deposit };
    expect((await change(clerk, order, terms)).status).toBe(403);
    const { body } = await change(manager, order, terms);
    expect(body.data.totals.retained).toBe(order.deposit);
    expect(body.data.transactions).toHaveLength(1);
  });

  test("keeps at most the deposit once the balance is paid, and at most what is left of it after a refund", async () => {
    const paid = await withDeposit();
    await receive(paid, paid.total - paid.deposit);
    const more = await change(manager, paid, { ...cancelled, keep_amount: paid.deposit + 1 });
    expect(more.status).toBe(422);
    const kept = await change(manager, paid, { ...cancelled, keep_amount: paid.deposit });
    expect(kept.body.data.totals.retained).toBe(paid.deposit);

    const lowered = await withDeposit();
    const refund = { amount: 100, pay_again: true, reason: "A scratch", reference: "NEFT 1" };
    await manager.post(`${pathOf(lowered)}/refunds`, refund, aKey());
    const whole = await change(manager, lowered, { ...cancelled, keep_amount: lowered.deposit });
    expect(Object.keys(whole.body.errors ?? {})).toEqual(["keep_amount"]);
    const rest = { ...cancelled, keep_amount: lowered.deposit - 100 };
    expect((await change(manager, lowered, rest)).status).toBe(200);
  });

  test("for the buyer gives everything back unless staff keep an amount, whether or not the buyer could still cancel", async () => {
    for (const order of [await withDeposit(), await readyToLeave()]) {
      const { body } = await change(manager, order, cancelled);
      expect(body.data.totals.retained).toBe(0);
      expect(body.data.transactions[1]).toMatchObject({ type: "refund", amount: order.deposit });
    }
  });

  test("by the shop gives everything back", async () => {
    const order = await withDeposit();
    const { body } = await change(manager, order, { status: "cancelled" });
    expect(body.data.totals.retained).toBe(0);
    expect(body.data.transactions[1]).toMatchObject({ type: "refund", amount: order.deposit });
  });
});
