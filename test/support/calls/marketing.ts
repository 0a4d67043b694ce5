import { clientOf } from "../http/client.ts";
import { Subscriptions } from "#shared/storage/marketing/subscriptions.ts";
import { aPerson } from "../shop/shopping.ts";
import type { Budgets } from "./budget.ts";
import type { Calls, Shop } from "./shop.ts";

const slug = "kaveri-lounge-chair";

/** Calls of visitors for the newsletter and product alerts. */
export function marketingCalls({ baseUrl, table, mailedToken }: Shop): Calls {
  async function reader(): Promise<string> {
    const { email } = aPerson();
    await clientOf(baseUrl).post("/newsletter", { email, consent: true });
    return email;
  }
  const link = async () => {
    const token = (await table.get(Subscriptions, { email: await reader() }))?.token ?? "";
    return { params: { token } };
  };
  return {
    "POST /newsletter": () => ({ body: { email: aPerson().email, consent: true } }),
    async "POST /newsletter/confirm"() {
      return { body: { token: await mailedToken(await reader(), "newsletter/confirm") } };
    },
    "POST /products/{slug}/notify": () => ({
      params: { slug },
      body: { email: aPerson().email, kind: "price_drop" },
    }),
    async "POST /notify/confirm"() {
      const { email } = aPerson();
      await clientOf(baseUrl).post(`/products/${slug}/notify`, { email, kind: "price_drop" });
      return { body: { token: await mailedToken(email, "notify/confirm") } };
    },
    "GET /unsubscribe/{token}": link,
    "POST /unsubscribe/{token}": link,
  };
}

export const marketingBudgets: Budgets = {
  "POST /newsletter": [3, 3, 1, 12],
  "POST /newsletter/confirm": [5, 5, 3, 10],
  "POST /products/{slug}/notify": [4, 4, 2, 10],
  "POST /notify/confirm": [4, 4, 2, 10],
  "GET /unsubscribe/{token}": [1, 1, 1, 0],
  "POST /unsubscribe/{token}": [5, 5, 4, 7],
  "GET /admin/newsletter/subscribers": [2, 2, 4, 0],
  "GET /admin/newsletter/export": [3, 3, 4, 3],
};
