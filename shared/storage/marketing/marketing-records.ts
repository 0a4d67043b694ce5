import type { Customer } from "../../domain/customer/customer.ts";
import type { StoredCart, StoredCartLine } from "../../domain/cart/cart.ts";
import type { LineGoods } from "../../domain/cart/bare-line.ts";
import type { Product } from "../../domain/catalog/product.ts";
import type { ProductAlert } from "../../domain/marketing/product-alert.ts";
import type { Subscription } from "../../domain/marketing/subscription.ts";
import { Carts } from "../cart/carts.ts";
import { Products } from "../catalog/catalog.ts";
import { byName, factReads } from "../catalog/published-facts.ts";
import { Customers } from "../customer/customers.ts";
import type { Table } from "../table.ts";
import { type AlertId, ProductAlerts } from "./product-alerts.ts";
import { Subscriptions } from "./subscriptions.ts";

/** The records from which marketing mails are written. */
export interface MarketingRecords {
  subscription(email: string): Promise<Subscription | undefined>;
  alert(id: AlertId): Promise<ProductAlert | undefined>;
  /** A product as staff edit it. If its `status` is `published`, the published copy has the same content. */
  product(id: string): Promise<Product | undefined>;
  customer(id: string): Promise<Customer | undefined>;
  cartOf(customer: string): Promise<StoredCart | undefined>;
  /** The published products and sofas of a cart's lines, by id. */
  soldItems(lines: readonly StoredCartLine[]): Promise<LineGoods>;
}

export const openMarketingRecords = (table: Table): MarketingRecords => ({
  subscription: (email) => table.get(Subscriptions, { email }),
  alert: (id) => table.get(ProductAlerts, id),
  product: (id) => table.get(Products, { id }),
  customer: (id) => table.get(Customers, { id }),
  cartOf: (customer) => table.get(Carts, { owner: { kind: "customer", id: customer } }),
  async soldItems(lines) {
    const { products, sofas } = factReads(lines);
    const found = await table.getMany({ products, sofas });
    return {
      products: byName(found.products, ({ id }) => id),
      sofas: byName(found.sofas, ({ id }) => id),
    };
  },
});
