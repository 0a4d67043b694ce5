import type { Product } from "#shared/domain/catalog/product.ts";
import { aMaterialBody, aProductBody, aSofaBody, mark } from "../back-office/catalog.ts";
import type { Calls, Shop } from "./shop.ts";

const aCategoryBody = () => ({ kind: "category", slug: `corner-${mark()}`, name: "Corner" });
const inPublic = (body: object) => ({ ...body, status: "published" });

/** Calls of staff for the catalog. All records are published. */
export function catalogCalls({ made }: Shop): Calls {
  /** Calls of one kind of record. A replacement keeps its name. */
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
      [`DELETE ${path}/{id}`]: async () => ({ params: (await one()).params }),
    };
  }
  return {
    ...callsOf("/admin/products", () => inPublic(aProductBody())),
    ...callsOf("/admin/sofas", () => inPublic(aSofaBody())),
    ...callsOf("/admin/materials", () => inPublic(aMaterialBody())),
    ...callsOf("/admin/categories", aCategoryBody),
    async "PATCH /admin/inventory/{sku}"() {
      const { variants } = await made<Product>("/admin/products", inPublic(aProductBody()));
      const sku = variants[0]?.sku ?? "";
      return { params: { sku }, body: { adjust: 5, reason: "Delivery" } };
    },
  };
}
