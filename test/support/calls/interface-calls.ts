import { randomUUID } from "node:crypto";
import type { StackEnvironment } from "#infra/local/stack.ts";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import type { Role } from "#shared/domain/staff/role.ts";
import { aProductBody, aSofaBody, mark } from "../back-office/catalog.ts";
import { type Client, clientOf } from "../http/client.ts";
import { aPassword, aMember, anAddress, bearer } from "../people/members.ts";
import { inboxOf } from "../emulators/inbox.ts";
import { worldOf, staffClient } from "../people/people.ts";
import { aCheckout, plantProduct, plantSofa, tableOf } from "../shop/plant.ts";
import { aBench, aLeadForm, aQuoteForm } from "../back-office/sales.ts";
import { type Data, aPerson, aShopper } from "../shop/shopping.ts";
import { aStaffUser, addStaff } from "../people/staff.ts";

/** The input of a call, except its method and path. */
export interface CallInput {
  /** Values of the path parameters. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Headers = Readonly<Record<string, string>>;
type Made = Data<{ id: string }>;

const aPicture = { filename: "linen.jpg", content_type: "image/jpeg", size: 1_204 };
const aNewPassword = "a longer password yet";

/**
 * Creates what the calls of all endpoints need to succeed. Shared records, such as the homepage, are restored.
 *
 * @returns calls by method and path, without the prefix
 */
export async function interfaceCalls(baseUrl: string, environment: StackEnvironment) {
  const table = tableOf(environment);
  const inbox = inboxOf(environment.SES_ENDPOINT);
  const member = await aMember(baseUrl);
  const owner = await staffClient(baseUrl, worldOf(environment), "owner");
  const chair = await plantProduct(table);
  const line = { sku: chair.sku, quantity: 1 };
  const guest = () => aShopper(baseUrl, [line]);
  const client: Client = clientOf(baseUrl);

  async function made(path: string, body: unknown, headers: Headers): Promise<{ id: string }> {
    const reply = await client.post<Made>(path, body, headers);
    if (reply.status !== 201) throw new Error(`${path}: ${reply.text}`);
    return { id: reply.body.data.id };
  }
  const byStaff = bearer(owner.token);
  const addressed = async () => ({ params: await made("/addresses", anAddress, member.headers) });
  const ordered = async (headers: Headers): Promise<CheckoutAnswer> => {
    const reply = await clientOf(baseUrl).post<Data<CheckoutAnswer>>(
      "/checkout",
      aCheckout(),
      headers,
    );
    if (reply.status !== 201) throw new Error(reply.text);
    return reply.body.data;
  };
  const current = async <Value>(path: string): Promise<Value> =>
    (await owner.get<Data<Value>>(path)).body.data;
  const productOf = async () => ({
    params: await made("/admin/products", aProductBody(), byStaff),
  });
  const sofaOf = async () => ({ params: await made("/admin/sofas", aSofaBody(), byStaff) });

  /** A customer who has requested a password reset, and the mailed token. */
  async function forgetful(prefix: "" | "/admin", email: string): Promise<CallInput> {
    await client.post(`${prefix}/auth/forgot-password`, { email });
    const link = /\/reset-password\?token=([\w-]{43})/;
    const { body } = await inbox.waitFor(email, (mail) => link.test(mail.body.text));
    return { body: { token: link.exec(body.text)?.[1], email, password: aNewPassword } };
  }
  async function colleague(): Promise<{ id: string; email: string }> {
    const user = aStaffUser({ role: "sales" });
    await table.transact(addStaff(user));
    return user;
  }

  async function ownOrder(): Promise<CallInput> {
    await client.post<Data<Cart>>("/cart", { items: [line] }, member.headers);
    return { headers: member.headers, params: { id: (await ordered(member.headers)).order.id } };
  }

  const calls: Record<string, () => CallInput | Promise<CallInput>> = {
    async "GET /pages/{slug}"() {
      const slug = `page-${mark()}`;
      const page = await made("/admin/pages", { slug, title: "About us", blocks: [] }, byStaff);
      await owner.post(`/admin/pages/${page.id}/publish`, undefined);
      return { params: { slug } };
    },
    "POST /leads": () => ({ body: aLeadForm() }),
    "POST /quotes": () => ({ body: aQuoteForm([aBench()]) }),
    "POST /media/fabric": () => ({ body: aPicture }),
    "POST /analytics/events": () => ({
      body: {
        event_id: randomUUID(),
        name: "page_view",
        occurred_at: new Date().toISOString(),
        session_id: randomUUID(),
      },
    }),
    "GET /sofas/{slug}": async () => ({ params: { slug: (await plantSofa(table)).sofa.slug } }),
    "GET /products/{slug}": () => ({ params: { slug: chair.product.slug } }),
    // From the demo shop, because a record published a moment ago may not be in the index yet.
    "GET /products/{slug}/related": () => ({ params: { slug: "kaveri-lounge-chair" } }),

    "GET /cart": async () => ({ headers: (await guest()).headers }),
    "POST /cart": () => ({ body: { items: [line] } }),
    "PATCH /cart/items": async () => ({
      headers: (await guest()).headers,
      body: { items: [line] },
    }),
    async "DELETE /cart/items/{id}"() {
      const { cart, headers } = await guest();
      return { headers, params: { id: cart.items[0]?.id ?? "" } };
    },
    "POST /checkout": async () => ({ headers: (await guest()).headers, body: aCheckout() }),
    "POST /checkout/coupon": async () => ({
      headers: (await guest()).headers,
      body: { code: "WELCOME10" },
    }),
    async "POST /checkout/{order}/confirm"() {
      const { headers } = await guest();
      return { headers, params: { order: (await ordered(headers)).order.id } };
    },
    "GET /shipping/quote": async () => ({
      query: "postal_code=560001&country=IN",
      headers: (await guest()).headers,
    }),
    async "GET /orders/track/{number}"() {
      const { order } = await ordered((await guest()).headers);
      return { params: { number: order.number } };
    },

    "POST /auth/register": () => ({
      body: { name: "Ravi Iyer", password: aPassword, ...aPerson() },
    }),
    "POST /auth/login": () => ({ body: { email: member.email, password: aPassword } }),
    "POST /auth/forgot-password": () => ({ body: { email: aPerson().email } }),
    "POST /auth/reset-password": async () => forgetful("", (await aMember(baseUrl)).email),
    "POST /auth/logout": async () => ({ headers: (await aMember(baseUrl)).headers }),

    "PUT /account/profile": () => ({ body: { name: "Ravi Menon", phone: null } }),
    "PUT /account/preferences": () => ({
      body: { locale: "en-IN", newsletter: false, whatsapp_updates: true },
    }),
    "POST /addresses": () => ({ body: anAddress }),
    "GET /addresses/{id}": addressed,
    "PUT /addresses/{id}": async () => ({ ...(await addressed()), body: anAddress }),
    "PATCH /addresses/{id}": async () => ({ ...(await addressed()), body: { city: "Mysuru" } }),
    "DELETE /addresses/{id}": addressed,
    "POST /addresses/{id}/default": addressed,
    "GET /orders/{id}": ownOrder,
    "GET /orders/{id}/documents": ownOrder,
    "POST /wishlist": () => ({ body: { product: "kaveri-lounge-chair" } }),
    "DELETE /wishlist/{product}": () => ({ params: { product: chair.product.id } }),

    "POST /admin/auth/login": async () => ({
      body: { email: (await colleague()).email, password: aPassword },
    }),
    "POST /admin/auth/forgot-password": async () => ({
      body: { email: (await colleague()).email },
    }),
    "POST /admin/auth/reset-password": async () => forgetful("/admin", (await colleague()).email),
    "POST /admin/auth/logout": async () => ({
      headers: bearer((await staffClient(baseUrl, worldOf(environment), "owner")).token),
    }),
    "PATCH /admin/auth/profile": () => ({ body: { name: "Meera Nair" } }),

    async "PUT /admin/homepage"() {
      const { sections } = await current<{ sections: object[] }>("/admin/homepage");
      return { body: { sections } };
    },
    async "PUT /admin/announcement"() {
      const { version: _version, ...body } = await current<{ version: number }>(
        "/admin/announcement",
      );
      return { body };
    },
    async "PUT /admin/menus"() {
      const { version: _version, ...body } = await current<{ version: number }>("/admin/menus");
      return { body };
    },
    "POST /admin/pages": () => ({
      body: { slug: `page-${mark()}`, title: "About us", blocks: [] },
    }),
    "POST /admin/sofas": () => ({ body: aSofaBody() }),
    "GET /admin/sofas/{id}": sofaOf,
    "PUT /admin/sofas/{id}": async () => ({ ...(await sofaOf()), body: aSofaBody() }),
    "PATCH /admin/sofas/{id}": async () => ({ ...(await sofaOf()), body: { name: "Zephyr" } }),
    "DELETE /admin/sofas/{id}": sofaOf,
    "POST /admin/products": () => ({ body: aProductBody() }),
    "GET /admin/products/{id}": productOf,
    "PUT /admin/products/{id}": async () => ({ ...(await productOf()), body: aProductBody() }),
    "PATCH /admin/products/{id}": async () => ({
      ...(await productOf()),
      body: { name: "Zephyr" },
    }),
    "DELETE /admin/products/{id}": productOf,
    "POST /admin/users": () => ({
      body: { email: aPerson().email, name: "Meera Nair", role: "analyst" },
    }),
    "GET /admin/users/{id}": async () => ({ params: { id: (await colleague()).id } }),
    "PATCH /admin/users/{id}": async () => ({
      params: { id: (await colleague()).id },
      body: { role: "analyst" },
    }),
    async "PUT /admin/roles/{role}"() {
      const roles = await current<Role[]>("/admin/roles");
      const { name, description, permissions } = roles.find(({ code }) => code === "analyst") ?? {};
      return { params: { role: "analyst" }, body: { name, description, permissions } };
    },
    "POST /admin/media": () => ({ body: aPicture }),
    "PATCH /admin/media/{id}": async () => ({
      params: await made("/admin/media", aPicture, byStaff),
      body: { alt: "Grey linen" },
    }),
    "DELETE /admin/media/{id}": async () => ({
      params: await made("/admin/media", aPicture, byStaff),
    }),
  };
  for (const type of ["content", "catalog", "orders", "media", "settings", "full"]) {
    calls[`GET /admin/exports/${type}`] = () => ({ params: { type } });
  }

  return {
    /** The caller's credentials. */
    proofs: { anyone: {}, customer: member.headers, staff: byStaff } as Record<string, Headers>,
    has: (row: string): boolean => row in calls,
    inputOf: async (row: string): Promise<CallInput> => (await calls[row]?.()) ?? {},
  };
}
