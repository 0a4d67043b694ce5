import type { Budgets } from "./budget.ts";
import type { Product } from "#shared/domain/catalog/product.ts";
import { aMaterialBody, aProductBody, aSofaBody, mark } from "../back-office/catalog.ts";
import type { Calls, Shop } from "./shop.ts";

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
      [`DELETE ${path}/{id}`]: async () => ({ params: (await one()).params }),
    };
  }
  return {
    ...callsOf("/admin/products", () => inPublic(aProductBody())),
    ...callsOf("/admin/sofas", () => inPublic(aSofaBody())),
    ...callsOf("/admin/materials", () => inPublic(aMaterialBody())),
    ...callsOf("/admin/categories", aCategoryBody),
    "GET /search": () => ({ query: "q=grey%20sofa" }),
    "GET /search/suggest": () => ({ query: "q=grey%20so" }),
    async "PATCH /admin/inventory/{sku}"() {
      const { variants } = await made<Product>("/admin/products", inPublic(aProductBody()));
      const sku = variants[0]?.sku ?? "";
      return { params: { sku }, body: { adjust: 5, reason: "Delivery" } };
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
  "GET /search": [0, 0, 0, 0],
  "GET /search/suggest": [0, 0, 0, 0],
  "GET /categories": [0, 0, 0, 0],
  "GET /admin/products": [2, 1, 4, 0],
  "POST /admin/products": [5, 3, 12, 32],
  "GET /admin/products/{id}": [3, 2, 7, 0],
  "PUT /admin/products/{id}": [4, 3, 10, 22],
  "PATCH /admin/products/{id}": [4, 3, 10, 22],
  "POST /admin/products/{id}/preview": [5, 3, 10, 6],
  "DELETE /admin/products/{id}": [7, 4, 19, 24],
  "GET /admin/sofas": [2, 1, 4, 0],
  "POST /admin/sofas": [5, 3, 11, 30],
  "GET /admin/sofas/{id}": [2, 1, 7, 0],
  "PUT /admin/sofas/{id}": [4, 3, 11, 22],
  "PATCH /admin/sofas/{id}": [4, 3, 11, 22],
  "POST /admin/sofas/{id}/preview": [5, 3, 10, 6],
  "DELETE /admin/sofas/{id}": [7, 4, 18, 24],
  "GET /admin/materials": [2, 1, 4, 0],
  "POST /admin/materials": [3, 3, 4, 20],
  "GET /admin/materials/{id}": [2, 1, 4, 0],
  "PUT /admin/materials/{id}": [3, 2, 4, 14],
  "PATCH /admin/materials/{id}": [3, 2, 4, 14],
  "DELETE /admin/materials/{id}": [6, 4, 31, 16],
  "GET /admin/categories": [2, 1, 9, 0],
  "POST /admin/categories": [3, 2, 9, 38],
  "GET /admin/categories/{id}": [2, 1, 9, 0],
  "PUT /admin/categories/{id}": [3, 2, 9, 38],
  "PATCH /admin/categories/{id}": [3, 2, 9, 38],
  "DELETE /admin/categories/{id}": [9, 4, 20, 42],
  "GET /admin/inventory": [3, 2, 31, 0],
  "PATCH /admin/inventory/{sku}": [4, 3, 6, 7],
  "GET /admin/media": [3, 3, 7, 0],
  "POST /admin/media": [2, 2, 3, 9],
  "GET /admin/media/{id}": [2, 1, 4, 0],
  "PATCH /admin/media/{id}": [3, 2, 4, 9],
  "DELETE /admin/media/{id}": [3, 2, 4, 9],
};
