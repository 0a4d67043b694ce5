import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Reply, clientOf } from "../http/client.ts";
import { everyRoute } from "../http/every-route.ts";
import { aCheckout, plantCoupon, plantProduct, plantSofa } from "./plant.ts";
import { type Data, aShopper } from "./shopping.ts";
import type { Visit } from "../calls/walk.ts";

/** The stock of a product. It is too large for the public to learn the exact number. */
export const secretUnits = 73;

/** A buyer's calls from the cart to order tracking, with the responses, including refusals. */
export async function visitShopping(baseUrl: string, table: Table): Promise<Visit[]> {
  const [chair, rare, { sofa }, coupon] = await Promise.all([
    plantProduct(table),
    plantProduct(table, { units: secretUnits }),
    plantSofa(table),
    plantCoupon(table, { max_uses: 5 }),
  ]);
  const visits: Visit[] = [];
  const client = clientOf(baseUrl);
  const { headers } = await aShopper(baseUrl, [{ sku: chair.sku, quantity: 1 }]);
  const recorded = (key: string, path: string, reply: Reply) => {
    const route = everyRoute.find((each) => each.key === key)?.route;
    if (!route) throw new Error(`${key} is not declared`);
    visits.push({ route, path, reply });
    return reply;
  };
  const post = async (path: string, body: unknown, more = headers) =>
    recorded(`POST /api/v1${path}`, path, await client.post(path, body, more));
  const patch = async (items: readonly object[]) =>
    recorded(
      "PATCH /api/v1/cart/items",
      "/cart/items",
      await client.patch("/cart/items", { items }, headers),
    );
  const get = async (path: string) => {
    const [bare = ""] = path.split("?");
    return recorded(`GET /api/v1${bare}`, path, await client.get(path, headers));
  };

  await patch([{ sku: rare.sku, quantity: 99 }]);
  await patch([{ sku: "NO-SUCH-THING", quantity: 1 }]);
  await patch([{ sofa: sofa.slug, quantity: 1 }]);
  await post("/checkout/coupon", { code: coupon.code });
  await post("/checkout/coupon", { code: "NOSUCHCOUPON" });
  await get("/shipping/quote?postal_code=560001");
  await get("/cart?postal_code=560001&shipping_method=standard");
  await post("/checkout", {});
  await post("/checkout", aCheckout({ expected_total: 1 }));

  const short = await aShopper(baseUrl, [{ sku: rare.sku, quantity: secretUnits }]);
  const taker = await aShopper(baseUrl, [{ sku: rare.sku, quantity: 1 }]);
  await taker.checkOut();
  await post("/checkout", aCheckout(), short.headers);

  const { body } = await post("/checkout", aCheckout());
  const { order } = (body as Data<CheckoutAnswer>).data;
  const confirm = `/checkout/${order.id}/confirm`;
  recorded(
    "POST /api/v1/checkout/{order}/confirm",
    confirm,
    await client.send("POST", `/api/v1${confirm}`, { headers }),
  );
  const tracked = `/orders/track/${order.number}`;
  recorded("GET /api/v1/orders/track/{number}", tracked, await client.get(tracked));
  return visits;
}
