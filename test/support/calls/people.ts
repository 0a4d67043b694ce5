import type { Budgets } from "./budget.ts";
import { type Data, mark } from "../back-office/catalog.ts";
import { clientOf } from "../http/client.ts";
import { aPassword, aMember, anAddress, bearer, aVerifiedMember } from "../people/members.ts";
import { signedIn, worldOf, staffClient } from "../people/people.ts";
import { plantProduct, plantSofa } from "../shop/plant.ts";
import { aBench, aLeadForm, askForQuote } from "../back-office/sales.ts";
import { type TotpSetup, codeAt, enrolSecondFactor } from "../people/staff.ts";
import { aPerson } from "../shop/shopping.ts";
import type { Calls, Shop } from "./shop.ts";

/** A product of the demo shop, because one that was just published may not have its card yet. */
const wished = "kaveri-lounge-chair";

/** Calls of customers and staff for their own accounts, and of the owner for other accounts. */
export function peopleCalls(shop: Shop): Calls {
  const { baseUrl, environment, table, mailedToken } = shop;
  const colleague = () => staffClient(baseUrl, worldOf(environment), "owner");
  const somebody = async () => bearer((await signedIn(worldOf(environment), "customer")).token);
  async function anotherAddress(headers: Readonly<Record<string, string>>) {
    const made = await clientOf(baseUrl).post<Data<{ id: string }>>(
      "/addresses",
      anAddress,
      headers,
    );
    return { id: made.body.data.id };
  }
  /** A customer with two addresses; `params` identifies the first one, which is the default. */
  async function settled() {
    const headers = await somebody();
    const params = await anotherAddress(headers);
    await anotherAddress(headers);
    return { headers, params };
  }

  return {
    "POST /auth/forgot-password": async () => ({
      body: { email: (await aMember(baseUrl)).email },
    }),
    async "POST /auth/verify-email"() {
      const { headers, email } = await aMember(baseUrl);
      return { headers, body: { token: await mailedToken(email, "verify-email") } };
    },
    "POST /auth/verify-email/resend": async () => ({ headers: (await aMember(baseUrl)).headers }),
    "PUT /account/profile": async () => ({
      headers: await somebody(),
      body: { name: mark(), phone: aPerson().phone },
    }),
    "POST /account/phone/proof": async () => ({ headers: (await aMember(baseUrl)).headers }),
    async "POST /admin/customers/{id}/phone/confirm"() {
      return { params: { id: (await aMember(baseUrl)).id } };
    },
    "PUT /account/preferences": async () => ({
      headers: await somebody(),
      body: { locale: "en-IN", newsletter: true, whatsapp_updates: true },
    }),
    "POST /addresses": async () => ({ headers: (await settled()).headers, body: anAddress }),
    "PUT /addresses/{id}": async () => ({
      ...(await settled()),
      body: { ...anAddress, city: "Mysuru" },
    }),
    "PATCH /addresses/{id}": async () => ({ ...(await settled()), body: { city: "Mysuru" } }),
    "DELETE /addresses/{id}": settled,
    async "POST /addresses/{id}/default"() {
      const { headers } = await settled();
      return { headers, params: await anotherAddress(headers) };
    },
    /** The account of a customer with a lead and a quote to erase. */
    async "DELETE /account"() {
      const { headers, email } = await aVerifiedMember(shop);
      await clientOf(baseUrl).post("/leads", aLeadForm({ email }));
      await askForQuote(baseUrl, [aBench()], { email });
      return { headers, body: { password: aPassword } };
    },
    "POST /wishlist": async () => ({ headers: await somebody(), body: { product: wished } }),
    async "DELETE /wishlist/{product}"() {
      const headers = await somebody();
      const kept = await clientOf(baseUrl).post<Data<{ product_id: string }>>(
        "/wishlist",
        { product: wished },
        headers,
      );
      return { headers, params: { product: kept.body.data.product_id } };
    },
    "POST /sofas/{slug}/price": async () => ({
      params: { slug: (await plantSofa(table)).sofa.slug },
      body: { configuration: {} },
    }),
    "POST /sofas/{slug}/fit": async () => ({
      params: { slug: (await plantSofa(table)).sofa.slug },
      body: { openings: [{ kind: "door", width_mm: 800, height_mm: 2_000 }] },
    }),
    "POST /products/{slug}/fit": async () => ({
      params: { slug: (await plantProduct(table)).product.slug },
      body: { openings: [{ kind: "door", width_mm: 800, height_mm: 2_000 }] },
    }),

    async "POST /admin/auth/verify-email"() {
      const [me, { email }] = [await colleague(), aPerson()];
      await me.patch("/admin/auth/profile", { email, current_password: aPassword });
      return { body: { token: await mailedToken(email, "verify-email") } };
    },
    "POST /admin/auth/totp": async () => ({
      headers: bearer((await colleague()).token),
      body: { password: aPassword },
    }),
    async "POST /admin/auth/totp/confirm"() {
      const me = await colleague();
      const { body } = await me.post<Data<TotpSetup>>("/admin/auth/totp", { password: aPassword });
      // Codes expire within a minute, and the call may be sent later than it is prepared.
      const confirmation = {
        get code() {
          return codeAt(body.data.secret);
        },
      };
      return { headers: bearer(me.token), body: confirmation };
    },
    async "DELETE /admin/auth/totp"() {
      const me = await colleague();
      const { recoveryCodes } = await enrolSecondFactor(table, me);
      const [code] = recoveryCodes;
      return { headers: bearer(me.token), body: { password: aPassword, code } };
    },
    async "DELETE /admin/users/{id}/totp"() {
      const me = await colleague();
      await enrolSecondFactor(table, me);
      return { params: { id: me.id } };
    },
    async "DELETE /admin/sessions/{id}"() {
      const { token, claims } = await signedIn(worldOf(environment), "staff");
      return { headers: bearer(token), params: { id: claims.session } };
    },
    "PATCH /admin/auth/profile": () => ({ body: { name: mark() } }),
    "PUT /admin/roles/{role}": () => ({
      params: { role: "analyst" },
      body: { name: "Analyst", description: mark(), permissions: ["analytics.view"] },
    }),
    async "POST /admin/settings/messaging/test"() {
      const me = await colleague();
      await me.patch("/admin/auth/profile", { phone: aPerson().phone });
      return { headers: bearer(me.token) };
    },
    "PUT /admin/settings/{group}": () => ({
      params: { group: "seo" },
      body: {
        default_title: mark(),
        default_description: "Furniture made to last.",
        og_image_url: null,
        indexable: true,
      },
    }),
  };
}

export const peopleBudgets: Budgets = {
  "POST /auth/register": [4, 4, 2, 22],
  "POST /auth/login": [6, 3, 2, 13],
  "POST /auth/forgot-password": [5, 5, 2, 7],
  "POST /auth/reset-password": [7, 6, 4, 16],
  "POST /auth/verify-email": [6, 5, 6, 9],
  "POST /auth/verify-email/resend": [4, 3, 3, 6],
  "POST /auth/logout": [2, 2, 2, 1],
  "GET /auth/me": [2, 1, 3, 0],
  "PUT /account/profile": [3, 2, 3, 13],
  "PUT /account/preferences": [3, 2, 3, 3],
  "POST /account/phone/proof": [5, 4, 3, 6],
  "DELETE /account": [19, 13, 13, 40],
  "GET /addresses": [2, 1, 3, 0],
  "POST /addresses": [3, 2, 3, 2],
  "GET /addresses/{id}": [2, 1, 3, 0],
  "PUT /addresses/{id}": [3, 2, 3, 1],
  "PATCH /addresses/{id}": [3, 2, 3, 1],
  "DELETE /addresses/{id}": [3, 2, 3, 1],
  "POST /addresses/{id}/default": [3, 2, 3, 1],
  "GET /wishlist": [3, 2, 4, 0],
  "POST /wishlist": [5, 3, 7, 4],
  "DELETE /wishlist/{product}": [2, 2, 2, 4],
  "POST /admin/auth/login": [6, 3, 3, 17],
  "POST /admin/auth/forgot-password": [5, 5, 2, 7],
  "POST /admin/auth/reset-password": [6, 5, 3, 19],
  "POST /admin/auth/verify-email": [4, 4, 2, 19],
  "POST /admin/auth/logout": [2, 2, 3, 1],
  "GET /admin/auth/me": [2, 1, 4, 0],
  "PATCH /admin/auth/profile": [3, 2, 4, 9],
  "POST /admin/auth/totp": [6, 4, 5, 3],
  "POST /admin/auth/totp/confirm": [4, 2, 5, 14],
  "DELETE /admin/auth/totp": [8, 6, 6, 18],
  "GET /admin/sessions": [4, 2, 8, 0],
  "DELETE /admin/sessions/{id}": [3, 2, 4, 10],
  "DELETE /admin/users/{id}/totp": [4, 3, 6, 14],
  "GET /admin/colleagues": [2, 1, 4, 0],
  "GET /admin/users": [2, 1, 4, 0],
  "POST /admin/users": [3, 2, 4, 17],
  "GET /admin/users/{id}": [2, 1, 4, 0],
  "PATCH /admin/users/{id}": [5, 3, 7, 15],
  "GET /admin/roles": [2, 1, 4, 0],
  "PUT /admin/roles/{role}": [3, 2, 4, 7],
  "GET /admin/customers": [2, 1, 4, 0],
  "GET /admin/customers/{id}": [3, 1, 9, 0],
  "PATCH /admin/customers/{id}": [4, 2, 9, 10],
  "POST /admin/customers/{id}/phone/confirm": [4, 2, 9, 10],
  "GET /admin/customers/{id}/orders": [4, 2, 7, 0],
  "GET /admin/customers/{id}/export": [11, 6, 12, 3],
};
