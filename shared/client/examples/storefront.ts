import { createShopClient } from "furniture-storefront-client";

/** A guest finds a chair, orders two, and reads and tracks the order: `node storefront.ts http://127.0.0.1:3000`. */
const [baseUrl = ""] = process.argv.slice(2);
let cartToken: string | undefined;
let orderToken: string | undefined;
const shop = createShopClient({
  baseUrl,
  cartToken: () => cartToken,
  orderToken: () => orderToken,
});

const { data: list } = await shop.GET("/api/v1/products", {
  params: { query: { category: ["accent-chairs", "lounge-chairs"], in_stock: true } },
});
const slug = list?.data[0]?.slug;
if (slug === undefined) throw new Error("No chair is in stock.");

const { data: chair } = await shop.GET("/api/v1/products/{slug}", { params: { path: { slug } } });
const sku = chair?.data.variants.find(({ availability }) => availability.state === "in_stock")?.sku;
if (sku === undefined) throw new Error("No variant of the chair is in stock.");

const { response } = await shop.POST("/api/v1/cart", { body: { items: [{ sku, quantity: 2 }] } });
cartToken = response.headers.get("x-cart-token") ?? undefined;

const destination = { postal_code: "560001", shipping_method: "room_of_choice" } as const;
const { data: cart } = await shop.GET("/api/v1/cart", { params: { query: destination } });
if (!cart) throw new Error("There is no cart.");

const email = "asha@example.com";
const { data: placed, error } = await shop.POST("/api/v1/checkout", {
  params: { header: { "idempotency-key": crypto.randomUUID() } },
  body: {
    name: "Asha Rao",
    email,
    phone: "+919812345678",
    shipping_address: {
      line1: "4 Church Street",
      city: "Bengaluru",
      state: "Karnataka",
      postal_code: destination.postal_code,
      country: "IN",
    },
    shipping_method: destination.shipping_method,
    payment_method: "bank_transfer",
    expected_total: cart.data.totals.grand_total,
  },
});
if (error?.code === "price_changed") {
  throw new Error(`The total is now ${error.details.totals.grand_total}.`);
}
if (error) throw new Error(error.message);

const { order, order_access_token } = placed.data;
orderToken = order_access_token ?? undefined;
const { data: own } = await shop.GET("/api/v1/orders/{id}", {
  params: { path: { id: order.id } },
});
const { data: tracked } = await shop.GET("/api/v1/orders/track/{number}", {
  params: { path: { number: order.number }, query: { email } },
});
console.log(
  JSON.stringify({
    units: tracked?.data.items[0]?.quantity,
    status: tracked?.data.status,
    actions: own?.data.allowed_actions,
  }),
);
