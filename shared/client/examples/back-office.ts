import { type Schemas, createShopClient } from "furniture-storefront-client";

/** Staff sign in, read an order and note something on it: `node back-office.ts <address> <email> <password>`. */
const [baseUrl = "", email = "", password = ""] = process.argv.slice(2);
let token: string | undefined;
const shop = createShopClient({ baseUrl, token: () => token });

const { data: login, error } = await shop.POST("/api/v1/admin/auth/login", {
  body: { email, password },
});
if (error) throw new Error(error.message);
token = login.data.token;

const open: Schemas["AdminOrderSummary"][] = [];
let cursor: string | null | undefined;
do {
  const { data: page } = await shop.GET("/api/v1/admin/orders", {
    params: { query: { status: ["confirmed"], per_page: 2, ...(cursor && { cursor }) } },
  });
  open.push(...(page?.data ?? []));
  cursor = page?.meta.next_cursor;
} while (cursor && open.length < 6);

const [first] = open;
if (!first) throw new Error("No order is confirmed.");
const path = { id: first.id };
const read = await shop.GET("/api/v1/admin/orders/{id}", { params: { path } });
const { data: noted, error: conflict } = await shop.PATCH("/api/v1/admin/orders/{id}", {
  params: { path, header: { "if-match": read.response.headers.get("etag") ?? "*" } },
  body: { notes: "Called: deliver after six." },
});
if (conflict) throw new Error(conflict.message);
const { data: sofas } = await shop.GET("/api/v1/admin/sofas", {
  params: { query: { status: ["draft", "published"] } },
});
console.log(JSON.stringify({ notes: noted.data.notes, sofas: (sofas?.data.length ?? 0) > 0 }));
