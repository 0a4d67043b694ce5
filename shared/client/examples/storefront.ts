import { createShopClient } from "furniture-storefront-client";

/** A guest finds a chair, orders two, and reads and tracks the order: `node storefront.ts http://127.0.0.1:3000`. */
const [baseUrl = ""] = process.argv.slice(2);
const shop = createShopClient({ baseUrl });

const { data: list } = await shop.GET("/api/v1/products", {
  params: { query: { category: ["accent-chairs", "lounge-chairs"], in_stock: "true" } },
});
const slug = list?.data[0]?.slug;
if (slug === undefined) throw new Error("No chair is in stock.");

const { data: chair } = await shop.GET("/api/v1/products/{slug}", { params: { path: { slug } } });
const sku = chair?.data.variants.find(({ availability }) => availability.state === "in_stock")?.sku;
if (sku === undefined) throw new Error("No variant of the chair is in stock.");

const { response } = await shop.POST("/api/v1/cart", { body: { items: [{ sku, quantity: 2 }] } });
const header = { "x-cart-token": response.headers.get("x-cart-token") ?? "" };

const destination = { postal_code: "560001", shipping_method: "room_of_choice" } as const;
const { data: cart } = await shop.GET("/api/v1/cart", { params: { header, query: destination } });
if (!cart) throw new Error("There is no cart.");

const email = "asha@example.com";
const { data: placed, error } = await shop.POST("/api/v1/checkout", {
  params: { header: { ...header, "idempotency-key": crypto.randomUUID() } },
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
if (error) throw new Error(error.message);

const { order, order_access_token } = placed.data;
const { data: own } = await shop.GET("/api/v1/orders/{id}", {
  params: { path: { id: order.id }, header: { "x-order-token": order_access_token ?? "" } },
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
