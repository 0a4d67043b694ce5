import { expect, test } from "vitest";
import type { TrackedOrder } from "#shared/domain/order/view/buyer-order.ts";
import { clientOf } from "#test/support/http/client.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aPerson, aShopper, type Data } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table } = await useShop();

async function anOrder() {
  const planted = await plantProduct(table);
  const { checkOut } = await aShopper(baseUrl, [{ sku: planted.sku, quantity: 1 }]);
  const person = aPerson();
  const { order } = (await checkOut(person)).body.data;
  return { ...planted, order, person };
}

const track = (number: string, query = "") =>
  clientOf(baseUrl).get<Data<TrackedOrder> & Problem>(`/orders/track/${number}${query}`);

test("tracking by order number alone shows the status and no personal data", async () => {
  const { order, product, person } = await anOrder();
  const { status, body, text } = await track(order.number);
  expect(status).toBe(200);
  expect(body.data).toEqual({
    number: order.number,
    status: "pending_payment",
    first_name: "Asha",
    city: "Bengaluru",
    promised: order.shipping.promised,
    slot: null,
    items: [
      {
        kind: "product",
        slug: product.slug,
        material_code: null,
        choices: [],
        name: product.name,
        quantity: 1,
        image: null,
      },
    ],
    shipments: [],
    timeline: [{ at: order.placed_at, type: "placed", message: "We have received your order." }],
    placed_at: order.placed_at,
    currency: null,
    totals: null,
    payment_status: null,
    payment_method: null,
    allowed_actions: null,
  });
  for (const secret of [person.email, person.phone, "Rao", "Church Street", "560001"]) {
    expect(text).not.toContain(secret);
  }
});

test("tracking accepts the order number in any format", async () => {
  const { order } = await anOrder();
  const typed = order.number.toLowerCase().replaceAll("-", "");
  expect((await track(typed)).body.data.number).toBe(order.number);
});

test("tracking with the order's email adds totals and payment status; another email adds nothing", async () => {
  const { order, person } = await anOrder();
  const mine = await track(order.number, `?email=${person.email.toUpperCase()}`);
  expect(mine.body.data).toMatchObject({
    currency: "INR",
    totals: order.totals,
    payment_status: "awaiting_transfer",
    payment_method: "bank_transfer",
    allowed_actions: order.allowed_actions,
    timeline: order.timeline.map(({ at, type, message }) => ({ at, type, message })),
  });
  const guessed = await track(order.number, "?email=somebody@example.com");
  expect(guessed.status).toBe(200);
  expect(guessed.body.data).toMatchObject({
    totals: null,
    payment_status: null,
    allowed_actions: null,
  });
});

test.each(["FS-2222-2222-2222", "nothing", "FS-0000-1111-OOOO"])(
  "tracking returns 404 for the number %s",
  async (number) => {
    expect(await track(number)).toMatchObject({ status: 404, body: { code: "not_found" } });
  },
);

test("tracking is rate-limited, so that nobody can guess order numbers by trying many", async () => {
  const client = clientOf(baseUrl);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 21; attempt++) {
    statuses.push((await client.get("/orders/track/FS-2222-2222-2222")).status);
  }
  expect(statuses).toContain(429);
});
