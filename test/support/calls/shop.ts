import { aLocationBody } from "../back-office/sales.ts";
import type { StackEnvironment } from "#infra/local/stack.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Data, aMaterialBody, aProductBody, aSofaBody, mark } from "../back-office/catalog.ts";
import { aKey } from "../back-office/orders.ts";
import { type Inbox, inboxOf } from "../emulators/inbox.ts";
import type { CallInput } from "./interface-calls.ts";
import { worldOf, type StaffClient, staffClient } from "../people/people.ts";
import { tableOf } from "../shop/plant.ts";
import { clientOf } from "../http/client.ts";
import { Subscriptions } from "#shared/storage/marketing/subscriptions.ts";
import { aPerson } from "../shop/shopping.ts";
import type { Budgets } from "./budget.ts";
import type { Product } from "#shared/domain/catalog/product.ts";

/**
 * Functions by method and path, without the API prefix. Each creates the records that the call needs, and returns the
 * call's input.
 */
export type Calls = Readonly<Record<string, () => CallInput | Promise<CallInput>>>;

/** The shop where example calls are prepared. */
export interface Shop {
  readonly baseUrl: string;
  readonly environment: StackEnvironment;
  readonly table: Table;
  readonly owner: StaffClient;
  readonly inbox: Inbox;
  /** Sends a POST as the owner and returns `data` of the response. */
  made<Value = { id: string }>(path: string, body?: object): Promise<Value>;
  /** The token of a mailed link of this kind to an address. */
  mailedToken(
    email: string,
    page: "reset-password" | "verify-email" | "newsletter/confirm" | "notify/confirm",
  ): Promise<string>;
}

export async function openShop(baseUrl: string, environment: StackEnvironment): Promise<Shop> {
  const owner = await staffClient(baseUrl, worldOf(environment), "owner");
  const inbox = inboxOf(environment.SES_ENDPOINT);
  return {
    baseUrl,
    environment,
    table: tableOf(environment),
    owner,
    inbox,
    async made<Value>(path: string, body?: object) {
      const reply = await owner.post<Data<Value>>(path, body);
      if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
      return reply.body.data;
    },
    async mailedToken(email, page) {
      const link = new RegExp(`/${page}\\?token=([\\w-]{43})`);
      const { body } = await inbox.waitFor(email, (mail) => link.test(mail.body.text));
      return link.exec(body.text)?.[1] ?? "";
    },
  };
}

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
  "POST /products/{slug}/notify": [5, 5, 2, 11],
  "POST /notify/confirm": [4, 4, 2, 10],
  "GET /unsubscribe/{token}": [1, 1, 1, 0],
  "POST /unsubscribe/{token}": [5, 5, 4, 7],
  "GET /admin/newsletter/subscribers": [2, 1, 4, 0],
  "GET /admin/newsletter/export": [3, 2, 4, 3],
};

const aCategoryBody = () => ({ kind: "category", slug: `corner-${mark()}`, name: "Corner" });
const inPublic = (body: object) => ({ ...body, status: "published" });

/** The calls with which staff edit the catalog. All records that they create are published. */
export function catalogCalls({ made }: Shop): Calls {
  /** Calls for one kind of record. The PUT changes only the record's name. */
  function callsOf(path: string, aBody: () => object): Calls {
    async function one() {
      const body = aBody();
      return { params: await made(path, body), body };
    }
    return {
      [`POST ${path}`]: () => ({ body: aBody() }),
      [`PUT ${path}/{id}`]: async () => {
        const { params, body } = await one();
        return { params, body: { ...body, name: mark() } };
      },
      [`PATCH ${path}/{id}`]: async () => ({ ...(await one()), body: { name: mark() } }),
      [`POST ${path}/{id}/preview`]: async () => ({ params: (await one()).params }),
      [`DELETE ${path}/{id}/preview`]: async () => ({ params: (await one()).params }),
      [`DELETE ${path}/{id}`]: async () => ({ params: (await one()).params }),
    };
  }
  return {
    ...callsOf("/admin/products", () => inPublic(aProductBody())),
    ...callsOf("/admin/sofas", () => inPublic(aSofaBody())),
    ...callsOf("/admin/materials", () => inPublic(aMaterialBody())),
    ...callsOf("/admin/categories", aCategoryBody),
    ...callsOf("/admin/locations", aLocationBody),
    "GET /sofas/{slug}/related": () => ({ params: { slug: "saanjh-sofa" } }),
    "GET /categories/{slug}": () => ({ params: { slug: "sofas" } }),
    "GET /search": () => ({ query: "q=grey%20sofa" }),
    "GET /search/suggest": () => ({ query: "q=grey%20so" }),
    async "PATCH /admin/inventory/{sku}"() {
      const { variants } = await made<Product>("/admin/products", inPublic(aProductBody()));
      const sku = variants[0]?.sku ?? "";
      return { params: { sku }, body: { adjust: 5, reason: "Delivery" }, headers: aKey() };
    },
  };
}

export const catalogBudgets: Budgets = {
  "GET /sofas": [0, 0, 0, 0],
  "GET /sofas/materials": [0, 0, 0, 0],
  "GET /sofas/{slug}": [0, 0, 0, 0],
  "POST /sofas/{slug}/price": [0, 0, 0, 0],
  "POST /sofas/{slug}/fit": [2, 2, 1, 1],
  "POST /products/{slug}/fit": [2, 2, 1, 1],
  "GET /products": [0, 0, 0, 0],
  "GET /products, facets": [0, 0, 0, 0],
  "GET /products, search": [0, 0, 0, 0],
  "GET /products, revalidating": [1, 1, 2, 0],
  "GET /products/{slug}": [0, 0, 0, 0],
  "GET /products/{slug}, not in the view yet": [2, 2, 2, 0],
  "GET /products/{slug}/related": [0, 0, 0, 0],
  "GET /sofas/{slug}/related": [0, 0, 0, 0],
  "GET /search": [0, 0, 0, 0],
  "GET /search/suggest": [0, 0, 0, 0],
  "GET /categories": [0, 0, 0, 0],
  "GET /categories/{slug}": [0, 0, 0, 0],
  "GET /admin/products": [2, 1, 4, 0],
  "POST /admin/products": [5, 3, 12, 34],
  "GET /admin/products/{id}": [3, 2, 7, 0],
  "PUT /admin/products/{id}": [4, 3, 10, 22],
  "PATCH /admin/products/{id}": [4, 3, 10, 22],
  "POST /admin/products/{id}/preview": [5, 3, 10, 6],
  "DELETE /admin/products/{id}/preview": [3, 2, 6, 6],
  "DELETE /admin/products/{id}": [9, 5, 22, 24],
  "GET /admin/sofas": [2, 1, 4, 0],
  "POST /admin/sofas": [5, 3, 11, 30],
  "GET /admin/sofas/{id}": [2, 1, 7, 0],
  "PUT /admin/sofas/{id}": [4, 3, 11, 22],
  "PATCH /admin/sofas/{id}": [4, 3, 11, 22],
  "POST /admin/sofas/{id}/preview": [5, 3, 10, 6],
  "DELETE /admin/sofas/{id}/preview": [3, 2, 6, 6],
  "DELETE /admin/sofas/{id}": [9, 5, 21, 24],
  "GET /admin/materials": [2, 1, 4, 0],
  "POST /admin/materials": [3, 3, 4, 22],
  "GET /admin/materials/{id}": [2, 1, 4, 0],
  "PUT /admin/materials/{id}": [3, 2, 4, 14],
  "PATCH /admin/materials/{id}": [3, 2, 4, 14],
  "DELETE /admin/materials/{id}": [6, 4, 31, 16],
  "GET /admin/categories": [2, 1, 9, 0],
  "POST /admin/categories": [3, 2, 9, 38],
  "GET /admin/categories/{id}": [2, 1, 9, 0],
  "PUT /admin/categories/{id}": [3, 2, 9, 38],
  "PATCH /admin/categories/{id}": [3, 2, 9, 38],
  "DELETE /admin/categories/{id}": [11, 5, 23, 44],
  "GET /admin/locations": [2, 1, 4, 0],
  "POST /admin/locations": [3, 3, 4, 12],
  "GET /admin/locations/{id}": [2, 1, 4, 0],
  "PUT /admin/locations/{id}": [3, 2, 4, 6],
  "PATCH /admin/locations/{id}": [3, 2, 4, 6],
  "DELETE /admin/locations/{id}": [3, 2, 4, 12],
  "GET /admin/inventory": [3, 2, 31, 0],
  "PATCH /admin/inventory/{sku}": [6, 5, 7, 8],
  "GET /admin/media": [3, 2, 8, 0],
  "POST /admin/media": [2, 2, 3, 9],
  "GET /admin/media/{id}": [2, 1, 4, 0],
  "PATCH /admin/media/{id}": [3, 2, 4, 9],
  "DELETE /admin/media/{id}": [3, 2, 4, 9],
};
