import { randomInt, randomUUID } from "node:crypto";
import { format } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { localWhatsApp } from "#infra/local/whatsapp/whatsapp-keys.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { type SettingsGroup, settingsGroupNames } from "#shared/domain/settings/settings.ts";
import { Activities } from "#shared/storage/staff/activity.ts";
import { SettingsSecrets } from "#shared/storage/settings/secrets.ts";
import { SettingsRows } from "#shared/storage/settings/settings.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { everyItem } from "#test/support/stack/every-item.ts";
import { allMails } from "#test/support/emulators/inbox.ts";
import { aStore, aTax, aZone, somePayments } from "#test/support/shop/commerce.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import { type Data, aShopper } from "#test/support/shop/shopping.ts";
import type { StaffClient } from "#test/support/people/people.ts";

let office: BackOffice;
let owner: StaffClient;
beforeAll(async () => {
  office = await openBackOffice();
  owner = await office.colleague("owner");
});
afterAll(() => office.stop());

type Group = Record<string, unknown> & { version: number };
type Answered = Data<Group> & Problem;
const pathOf = (group: string) => `/admin/settings/${group}`;
const get = (group: string) => owner.ask<Answered>("GET", pathOf(group));
const put = (group: string, body: unknown, headers: Record<string, string> = {}) =>
  owner.ask<Answered>("PUT", pathOf(group), body, headers);

/** A valid value of each group. */
const samples: Record<SettingsGroup, object> = {
  ...defaultSettings,
  store: aStore({ legal_name: "Teak and Thread LLP" }),
  tax: aTax({ invoice: { prefix: "TT", year_starts_month: 1 } }),
  shipping: { zones: [aZone({ name: "The South" })] },
  payments: { ...defaultSettings.payments, bank_transfer: somePayments().bank_transfer },
  email: { ...defaultSettings.email, sender_name: "Teak & Thread" },
  seo: { ...defaultSettings.seo, default_title: "Teak & Thread" },
  search: { synonyms: [["sofa", "kivik"]], boosts: [], hidden: [] },
};

const byCode = (one: { code: string }, other: { code: string }) => (one.code < other.code ? -1 : 1);
const zonesTaxedTwice = () =>
  aTax().zones.map((zone) => {
    const [component] = zone.classes["standard"] ?? [];
    return { ...zone, classes: { ...zone.classes, standard: [component, component] } };
  });
function aSlowZone() {
  const zone = aZone();
  const methods = zone.methods.map((method) => ({ ...method, transit_days: { min: 5, max: 4 } }));
  return { ...zone, methods };
}

const anActivity = async (group: string) => {
  const { records } = await office.table.page(Activities, {
    index: "gsi1",
    partition: `ACTIVITY#settings#${group}`,
    newestFirst: true,
  });
  return records;
};

describe.each(settingsGroupNames)("the settings group %s", (group) => {
  test("is replaced as a whole, and saving it as it was read changes nothing", async () => {
    const before = (await get(group)).body.data;
    const saved = await put(group, samples[group]);
    expect([saved.status, saved.body.data]).toEqual([
      200,
      expect.objectContaining({ group, version: before.version + 1 }),
    ]);
    expect(saved.headers.get("etag")).toBe(`"v${before.version + 1}"`);
    const read = await get(group);
    expect(read.body).toEqual(saved.body);
    expect(read.body.data).toMatchObject(samples[group]);
    const again = await put(group, read.body.data);
    expect([again.status, again.body]).toEqual([200, read.body]);
    const log = await anActivity(group);
    expect(log).toHaveLength(1);
    expect(log[0]).toMatchObject({ action: "settings.update", actor_id: owner.id });
  });

  test("refuses an unknown member at its path, and an outdated version with 412", async () => {
    const { data } = (await get(group)).body;
    const strange = await put(group, { ...data, surprise: 1 });
    expect([strange.status, Object.keys(strange.body.errors ?? {})]).toEqual([422, ["surprise"]]);
    const [now, late] = [data.version, data.version - 1];
    const replies = [
      await put(group, data, { "if-match": `"v${late}"` }),
      await put(group, { ...data, version: late }),
      await put(group, { ...data, version: late }, { "if-match": `"v${now}"` }),
    ];
    for (const reply of replies) {
      expect([reply.status, reply.body.details]).toEqual([412, { current_version: data.version }]);
    }
  });
});

test("one request returns all settings groups, and an unknown group returns 404", async () => {
  const all = await owner.ask<Data<Record<string, Group>>>("GET", "/admin/settings");
  expect(Object.keys(all.body.data)).toEqual(settingsGroupNames);
  expect(all.body.data["store"]).toEqual((await get("store")).body.data);
  for (const method of ["GET", "PUT"] as const) {
    const body = method === "PUT" ? {} : undefined;
    expect((await owner.ask(method, "/admin/settings/weather", body)).status).toBe(404);
  }
});

test.each<[SettingsGroup, string, (sample: object) => object]>([
  ["store", "contact.email", (store) => ({ ...store, contact: { email: "x", phone: null } })],
  ["store", "timezone", (store) => ({ ...store, timezone: "Mars/Olympus" })],
  ["tax", "home_zone", (tax) => ({ ...tax, home_zone: "goa" })],
  [
    "tax",
    "invoice.prefix",
    (tax) => ({ ...tax, invoice: { prefix: "LONG", year_starts_month: 4 } }),
  ],
  [
    "tax",
    "zones.1.code",
    (tax) => ({ ...tax, zones: [...aTax().zones, ...aTax().zones].toSorted(byCode) }),
  ],
  ["tax", "zones.0.classes.standard.1.code", (tax) => ({ ...tax, zones: zonesTaxedTwice() })],
  ["shipping", "zones.1.code", () => ({ zones: [aZone(), aZone()] })],
  ["shipping", "zones.0.country", () => ({ zones: [aZone({ country: "XX" })] })],
  ["shipping", "zones.0.methods.0.transit_days.max", () => ({ zones: [aSlowZone()] })],
  ["store", "storefront_url", (store) => ({ ...store, storefront_url: "https://a.test/?b=c" })],
  ["store", "storefront_url", (store) => ({ ...store, storefront_url: "https://a.test/#top" })],
  ["store", "country", (store) => ({ ...store, country: "EU" })],
  ["shipping", "zones.0.methods", () => ({ zones: [aZone({ methods: [] })] })],
  ["messaging", "whatsapp.phone_number_id", () => enabled(defaultSettings.messaging, "whatsapp")],
  ["payments", "bank_transfer.account", () => enabled(defaultSettings.payments, "bank_transfer")],
  ["payments", "gateway.publishable_key", () => enabled(defaultSettings.payments, "gateway")],
  ["seo", "paths.product", (seo) => ({ ...seo, paths: { product: "/products/" } })],
  ["seo", "paths.sofa", (seo) => ({ ...seo, paths: { sofa: "/{slug}/{slug}" } })],
  ["seo", "paths.page", (seo) => ({ ...seo, paths: { page: "//elsewhere.test/{slug}" } })],
  ["seo", "paths.story", (seo) => ({ ...seo, paths: { story: "https://a.test/{slug}" } })],
  ["seo", "paths.category", (seo) => ({ ...seo, paths: { category: "/{slug}?a=b" } })],
  ["search", "boosts.1.query", () => boosting("festive", "the best")],
  ["search", "boosts.2.query", () => boosting("couch", "festive", "Couches!")],
  ["returns", "refund_shipping", () => ({ refund_shipping: "no" })],
  ["security", "staff_session_hours", (security) => ({ ...security, staff_session_hours: 0 })],
])(
  "the settings group %s is refused at the path %s if that member is invalid",
  async (group, path, change) => {
    const refused = await put(group, change(samples[group]));
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors ?? {})).toContain(path);
  },
);

test("search settings with a slug instead of an id are refused with the ids that are expected", async () => {
  const { status, body } = await put("search", {
    ...defaultSettings.search,
    boosts: [{ query: "festive", targets: ["saanjh-sofa"] }],
    hidden: ["saanjh-sofa"],
  });
  expect(status).toBe(422);
  const expected = ["Send the id of a product or sofa, which begins with prd_ or sofa_."];
  expect(body.errors).toEqual({ "boosts.0.targets.0": expected, "hidden.0": expected });
});

/** Search settings that boost a product for each query. */
const boosting = (...queries: string[]) => ({
  ...defaultSettings.search,
  boosts: queries.map((query) => ({ query, targets: ["prd_01JD00000000000000000000Q1"] })),
});

function enabled<Of extends object>(settings: Of, name: keyof Of): object {
  return { ...settings, [name]: { ...settings[name], enabled: true } };
}

describe("a secret of the settings", () => {
  const canary = `sk_test_${randomUUID()}`;
  const payments = () => structuredClone(defaultSettings.payments);
  const printed: string[] = [];
  beforeAll(() => {
    for (const method of ["debug", "info", "log", "warn", "error"] as const) {
      vi.spyOn(console, method).mockImplementation((...values) => {
        printed.push(format(...values));
      });
    }
  });
  afterAll(() => vi.restoreAllMocks());
  const withKey = (secret_key: unknown) => ({
    ...payments(),
    gateway: { ...payments().gateway, secret_key },
  });
  const gateway = async () => (await get("payments")).body.data["gateway"];

  test("is never returned, and can be kept, replaced and cleared", async () => {
    const masked = { configured: true, last4: canary.slice(-4) };
    const none = { configured: false, last4: null };
    const saved = await put("payments", withKey(canary));
    expect(saved.body.data["gateway"]).toMatchObject({ secret_key: masked, webhook_secret: none });
    for (const keeping of [withKey(undefined), withKey(masked), withKey(canary)]) {
      const kept = await put("payments", keeping);
      expect([kept.status, kept.body.data.version]).toEqual([200, saved.body.data.version]);
      expect(await gateway()).toMatchObject({ secret_key: masked });
    }
    expect((await put("payments", withKey("short"))).body.errors).toHaveProperty([
      "gateway.secret_key",
    ]);
    const cleared = await put("payments", withKey(null));
    expect(cleared.body.data["gateway"]).toMatchObject({ secret_key: none });
    await put("payments", withKey(canary));
  });

  test("must be configured for its feature to be enabled", async () => {
    const on = { enabled: true, publishable_key: "pk_test_1234567890" };
    const missing = await put("payments", {
      ...payments(),
      gateway: { ...payments().gateway, ...on, secret_key: null },
    });
    expect(missing.body.errors).toHaveProperty(["gateway.secret_key"]);
    const kept = await put("payments", {
      ...payments(),
      gateway: { ...payments().gateway, ...on },
    });
    expect(kept.status).toBe(200);
  });

  test("never appears in plain text in a stored item, response or log line; the activity log records only that it changed", async () => {
    const [row, plain] = await Promise.all([
      office.table.get(SettingsSecrets, { group: "payments" }),
      office.table.get(SettingsRows, { group: "payments" }),
    ]);
    expect(Object.keys(row?.sealed ?? {})).toEqual(["gateway.secret_key"]);
    expect(plain?.value["gateway"]).not.toHaveProperty("secret_key");
    const log = await anActivity("payments");
    const changes = log.flatMap((record) => record.changes);
    expect(changes).toContainEqual({ path: "gateway.secret_key", from: null, to: "••••" });
    expect(changes).toContainEqual({ path: "gateway.secret_key", from: "••••", to: null });
    const answers = await Promise.all([
      owner.ask("GET", "/admin/settings"),
      owner.ask("GET", "/admin/settings/payments"),
      owner.ask("GET", "/admin/settings/checklist"),
      owner.ask("GET", "/admin/activity"),
      owner.ask("GET", "/bootstrap"),
    ]);
    const items = await everyItem(office.stack.environment);
    expect(items.length).toBeGreaterThan(10);
    // Stripe refuses the made-up key. The service logs the refusal, but must not log the key.
    const { sku } = await plantProduct(office.table);
    const buyer = await aShopper(office.stack.baseUrl, [{ sku, quantity: 1 }]);
    expect((await buyer.checkOut({ payment_method: "gateway" })).status).toBe(201);
    expect(printed.join()).toContain("Stripe refused the request");
    const texts = [JSON.stringify(items), ...answers.map(({ text }) => text), ...printed];
    expect(texts.filter((text) => text.includes(canary))).toEqual([]);
  });
});

test("a test mail is sent to the caller's own address with the configured sender name", async () => {
  await put("email", { ...defaultSettings.email, sender_name: "Teak & Thread Post" });
  const refused = await owner.ask<Problem>("POST", "/admin/settings/email/test", {
    to: "victim@example.com",
  });
  expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ["to"]]);
  const { email } = await owner.stored();
  const { body } = await owner.ask<Data<{ sent: boolean; to: string }>>(
    "POST",
    "/admin/settings/email/test",
  );
  expect(body.data).toMatchObject({ sent: true, to: email });
  const mails = await allMails(office.stack.environment.SES_ENDPOINT);
  const mail = mails.find(({ destination }) => destination.to.includes(email));
  expect(mail?.subject).toMatch(/^Test mail/);
  expect(mail?.from).toContain("Teak & Thread Post");
});

test("a test WhatsApp message is sent to the phone in the caller's profile, and a failure returns its reason", async () => {
  const send = async () => {
    const caller = await owner.ask<Data<{ sent: boolean; to: string | null; message: string }>>(
      "POST",
      "/admin/settings/messaging/test",
    );
    return caller.body.data;
  };
  expect(await send()).toMatchObject({ sent: false, to: null });
  const phone = `+9198${randomInt(1e7, 1e8)}`;
  await owner.patch("/admin/auth/profile", { phone });
  expect(await send()).toMatchObject({ sent: false, to: phone });
  const connected = (access_token: string) =>
    put("messaging", {
      whatsapp: {
        ...defaultSettings.messaging.whatsapp,
        phone_number_id: localWhatsApp.phone_number_id,
        access_token,
      },
    });
  await connected("not-the-token-of-the-account");
  expect((await send()).message).toMatch(/^WhatsApp refused the message \(190\)/);
  await connected(localWhatsApp.access_token);
  expect(await send()).toMatchObject({ sent: true, to: phone });
  const endpoint = office.stack.environment.WHATSAPP_API_URL;
  await owner.patch("/admin/auth/profile", { phone: phone.slice("+91".length) });
  expect(await send()).toMatchObject({ sent: true, to: phone });
  const sent: unknown = await (await fetch(`${endpoint}/sent?to=${phone.slice(1)}`)).json();
  const template = expect.objectContaining({ type: "template" });
  expect(sent).toEqual([template, template]);
});
