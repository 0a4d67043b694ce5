import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Stack } from "#infra/local/stack.ts";
import { startGuardedStack } from "#test/support/stack/shop.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import type { ProductDetail } from "#shared/domain/catalog/product-detail.ts";
import type { PublicSettings } from "#shared/domain/settings/settings-groups.ts";
import type { SettingsGroup } from "#shared/domain/settings/settings.ts";
import type { SetupChecklist } from "#shared/domain/settings/setup-checklist.ts";
import type { SlotCalendar } from "#shared/domain/delivery/slot-calendar.ts";
import type { ShippingQuote } from "#shared/domain/delivery/shipping.ts";
import { type Client, clientOf } from "#test/support/http/client.ts";
import { aSlotShop } from "#test/support/shop/settings.ts";
import { aMethod, aStore, aTax, aZone, somePayments } from "#test/support/shop/commerce.ts";
import { aPassword } from "#test/support/people/members.ts";
import { type StoredMail, inboxOf } from "#test/support/emulators/inbox.ts";
import { type World, worldOf, type StaffClient, staffClient } from "#test/support/people/people.ts";
import { plantProduct, plantSofa } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aPerson, aShopper, type Data } from "#test/support/shop/shopping.ts";
import { aStaffUser, addStaff } from "#test/support/people/staff.ts";
import { families } from "#functions/families.ts";
import { lambdaContext } from "#infra/local/functions/lambda.ts";
import { loadFamily } from "#infra/local/functions/load-function.ts";
import type { HttpAnswer } from "#shared/http/answers.ts";
import { anEvent } from "#test/support/http/in-process.ts";
import { soon, waitFor } from "#test/support/stack/wait-until.ts";
import { expectAfter } from "#test/support/stack/clock.ts";
import { tableOpeners } from "#test/support/stack/functions.ts";

// A newly deployed shop without settings.
let stack: Stack;
let world: World;
let client: Client;
let owner: StaffClient;
beforeAll(async () => {
  stack = await startGuardedStack({
    dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
    effects: ["mail"],
  });
  world = worldOf(stack.environment);
  client = clientOf(stack.baseUrl);
  owner = await staffClient(stack.baseUrl, world, "owner");
});
afterAll(() => stack.stop());

async function save(group: SettingsGroup, value: object): Promise<void> {
  const { status, text } = await owner.put(`/admin/settings/${group}`, value);
  expect([status, text]).toEqual([200, expect.any(String)]);
}

const aBasket = async () => {
  const { sku } = await plantProduct(world.table);
  return aShopper(stack.baseUrl, [{ sku, quantity: 1 }]);
};
const bootstrap = async () => (await client.get<Data<PublicSettings>>("/bootstrap")).body.data;
const checklist = async () => {
  const { body } = await owner.get<Data<SetupChecklist>>("/admin/settings/checklist");
  return new Map(body.data.items.map(({ code, done }) => [code, done]));
};

describe("a shop without saved settings", () => {
  test("answers requests, but no item can be ordered", async () => {
    expect(await bootstrap()).toMatchObject({
      store: { name: "Furniture store", contact: { email: null, phone: null, whatsapp: null } },
      payment_methods: [{ enabled: false }, { enabled: false }, { enabled: false }],
      seo: { indexable: true },
    });
    const { checkOut, cart } = await aBasket();
    expect(cart.totals).toMatchObject({ items_subtotal: 1_000_000, tax: 0 });
    const quote = await client.get<Data<ShippingQuote>>("/shipping/quote?postal_code=560001");
    expect([quote.status, quote.body.data.serviceable]).toEqual([200, false]);
    const refused = await checkOut();
    expect(refused.status).toBe(422);
  });

  test("has an open setup checklist, and saving a settings group completes its steps", async () => {
    const before = await checklist();
    for (const code of ["store_details", "shipping_zones", "tax", "payment_method", "homepage"]) {
      expect([code, before.get(code)]).toEqual([code, false]);
    }
    expect(before.get("mail_sender")).toBe(true);
    await save("shipping", { zones: [aZone()] });
    await save("payments", somePaymentsByHand());
    const after = await checklist();
    expect(after.get("shipping_zones")).toBe(true);
    expect(after.get("payment_method")).toBe(true);
    expect(after.get("bank_account")).toBe(true);
    expect(after.get("online_payment")).toBe(false);
  });
});

const somePaymentsByHand = () => ({
  ...somePayments(),
  gateway: defaultSettings.payments.gateway,
});

describe("saved settings", () => {
  const bookkeeper = `${randomUUID()}@example.com`;
  // All settings are saved together, so that the tests wait only once for the functions' caches.
  beforeAll(async () => {
    const payments = somePaymentsByHand();
    const bands = [{ max_weight_g: null, max_volume_cm3: null, amount: 12_300 }];
    await Promise.all([
      save("store", aStore({ name: "Loom & Lathe" })),
      save("shipping", { zones: [aZone({ methods: [aMethod({ bands })] })] }),
      save("tax", aTax()),
      save("payments", { ...payments, cod: { ...payments.cod, enabled: false } }),
      save("email", { ...defaultSettings.email, order_copy_to: bookkeeper }),
      save("security", { staff_session_hours: 1, staff_email_domains: ["loom.example"] }),
    ]);
  });

  test("change the shop's name in GET /bootstrap and in mails", async () => {
    await soon(async () => expect((await bootstrap()).store.name).toBe("Loom & Lathe"));
    await waitFor("mail", async () => {
      const email = `${randomUUID()}@example.com`;
      await client.post("/auth/register", { name: "Asha", email, password: "a long password" });
      const mail = await inboxOf(stack.environment.SES_ENDPOINT).waitFor(email);
      expect(mail.from).toContain("Loom & Lathe");
    });
  });

  test("change what a function shows two seconds after it has read them, and not before", async () => {
    // Its own clock tells the age of what it keeps, and not that of the tests.
    const { handler, ...of } = await loadFamily(
      families.find(({ name }) => name === "content")!,
      stack.environment,
      () => tableOpeners,
    );
    const name = async () => {
      const answer = (await handler(
        anEvent("GET /api/v1/bootstrap"),
        lambdaContext(of, "own"),
      )) as HttpAnswer;
      return (JSON.parse(answer.body ?? "") as Data<PublicSettings>).data.store.name;
    };
    const begun = Date.now();
    const before = await name();
    const ended = Date.now();
    await save("store", aStore({ name: "Two seconds later" }));
    const meanwhile = await name();
    const isEarly = Date.now() - begun < 2_000;
    expect(isEarly ? meanwhile : before).toBe(before);
    await delay(ended + 2_001 - Date.now());
    expect(await name()).toBe("Two seconds later");
    await save("store", aStore({ name: before }));
    await soon(async () => expect((await bootstrap()).store.name).toBe(before));
  });

  test("change the tax and the delivery price in the cart", async () => {
    const { read } = await aBasket();
    await soon(async () => {
      const { totals } = await read("?postal_code=560001&shipping_method=standard");
      expect(totals.shipping).toBe(12_300);
      expect(totals.tax).toBeGreaterThan(100_000);
    });
  });

  test("change the available payment methods: checkout refuses a disabled one", async () => {
    await soon(async () => {
      const { payment_methods } = await bootstrap();
      expect(payment_methods.find(({ code }) => code === "cod")?.enabled).toBe(false);
      const { checkOut } = await aBasket();
      const refused = await checkOut({ payment_method: "cod" });
      expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([
        422,
        ["payment_method"],
      ]);
      expect((await checkOut({ payment_method: "bank_transfer" })).status).toBe(201);
    });
  });

  test("apply to checkout immediately, even to carts that were priced with earlier settings", async () => {
    const payments = somePaymentsByHand();
    const { checkOut, read } = await aBasket();
    for (const enabled of [false, true]) {
      await read();
      const bank_transfer = { ...payments.bank_transfer, enabled };
      await save("payments", {
        ...payments,
        cod: { ...payments.cod, enabled: false },
        bank_transfer,
      });
      expect((await checkOut()).status).toBe(enabled ? 201 : 422);
    }
  });

  test("let checkout demand a delivery time where slots are required and the items have days", async () => {
    await save("shipping", aSlotShop({ required: true }).shipping);
    const { client: buyer, headers, checkOut } = await aBasket();
    const refused = await checkOut();
    expect([refused.status, refused.body.code]).toEqual([409, "cart_changed"]);
    expect(refused.body.details?.["requirements"]).toEqual([
      { code: "slot_required", message: "Choose a delivery time.", item_id: null },
    ]);

    const destination = { postal_code: "560001", shipping_method: "standard" };
    await soon(async () => {
      const query = new URLSearchParams(destination).toString();
      const calendar = await client.get<Data<SlotCalendar>>(`/shipping/slots?${query}`, headers);
      const [day] = calendar.body.data.days;
      const choice = { date: day?.date, window: day?.windows[0]?.code, ...destination };
      expect((await buyer.put("/cart/slot", choice, headers)).status).toBe(200);
    });
    expect((await checkOut()).status).toBe(201);

    const { sofa } = await plantSofa(world.table);
    const madeToOrder = await aShopper(stack.baseUrl, [
      { sofa: sofa.slug, configuration: {}, quantity: 1 },
    ]);
    expect((await madeToOrder.checkOut()).status).toBe(201);
    await save("shipping", { zones: [aZone()] });
  });

  test("limit the open orders per buyer and per IP address, where 0 means unlimited", async () => {
    const { checkout } = defaultSettings;
    const person = aPerson();
    const { ip } = clientOf(stack.baseUrl);
    const order = async () =>
      (await (await aBasket()).checkOut(person, { "x-forwarded-for": ip })).status;
    const limited = { ...checkout, max_open_orders: 2, max_open_orders_per_ip: 0 };
    await save("checkout", limited);
    expect([await order(), await order(), await order()]).toEqual([201, 201, 429]);
    await save("checkout", { ...limited, max_open_orders: 0 });
    expect([await order(), await order()]).toEqual([201, 201]);
    await save("checkout", { ...limited, max_open_orders: 0, max_open_orders_per_ip: 1 });
    expect([await order(), await order()]).toEqual([201, 429]);
    await save("checkout", checkout);
  });

  test("determine who receives a copy of an order confirmation, which lets nobody act for the buyer", async () => {
    const { email, phone } = aPerson();
    const inbox = inboxOf(stack.environment.SES_ENDPOINT);
    await waitFor("mail", async () => {
      const { checkOut } = await aBasket();
      const { order } = (await checkOut({ email, phone, payment_method: "bank_transfer" })).body
        .data;
      await stack.settled();
      const isOfOrder = ({ subject }: StoredMail) => subject.includes(order.number);
      const [mails, copies] = await Promise.all([inbox.mailsTo(email), inbox.mailsTo(bookkeeper)]);
      expect([mails, copies].map((each) => each.filter(isOfOrder).length)).toEqual([1, 1]);
      const [own, copy] = [mails.find(isOfOrder), copies.find(isOfOrder)];
      expect([own, copy].map((mail) => mail?.destination)).toEqual([
        { to: [email], bcc: [] },
        { to: [bookkeeper], bcc: [] },
      ]);
      expect(own?.body.text).toContain(`/orders/${order.id}#token=`);
      for (const part of [copy?.body.text, copy?.body.html]) {
        expect(part).toContain(`Reference`);
        expect(part).toContain(`/orders/track/${order.number}`);
        expect(part).not.toMatch(/token|\/orders\/ord_/);
      }
    });
  });

  test("determine the URL and the brand in the JSON-LD of products", async () => {
    const { product } = await plantProduct(world.table);
    await save("seo", {
      ...defaultSettings.seo,
      paths: { ...defaultSettings.seo.paths, product: "/shop/{slug}.html" },
    });
    await save("store", aStore({ name: "Loom", storefront_url: "https://loom.example/" }));
    await soon(async () => {
      const { body } = await client.get<Data<ProductDetail>>(`/products/${product.slug}`);
      const url = `https://loom.example/shop/${product.slug}.html`;
      expect(body.data.json_ld).toMatchObject({
        "@graph": [{ url, brand: { name: "Loom" } }, { itemListElement: [{}, { item: url }] }],
      });
      expect(body.data.seo.canonical_path).toBe(`/shop/${product.slug}.html`);
    });
  });

  test("determine which email domains staff can be invited from and how long staff sessions last", async () => {
    const invite = (email: string) =>
      owner.post<Problem>("/admin/users", { email, name: "Ravi", role: "sales" });
    await soon(async () => {
      const refused = await invite(`${randomUUID()}@elsewhere.example`);
      expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ["email"]]);
    });
    expect((await invite(`${randomUUID()}@loom.example`)).status).toBe(201);

    const user = aStaffUser({ role: "sales" });
    await world.table.transact(addStaff(user));
    await soon(async () => {
      const login = { email: user.email, password: aPassword };
      const before = new Date();
      const { body } = await client.post<Data<{ expires_at: string }>>("/admin/auth/login", login);
      expectAfter(body.data.expires_at, before, 3_600_000);
    });
  });
});
