import { isDeepStrictEqual } from "node:util";
import type { Customer } from "#shared/domain/customer/customer.ts";
import { Carts } from "#shared/storage/cart/carts.ts";
import { Products, Stocks } from "#shared/storage/catalog/catalog.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
import { projection } from "#shared/storage/entity.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { type Image, type ItemChange, imageOf } from "#shared/storage/stream.ts";
import { distinct } from "../distinct.ts";
import type { MarketingChange, MarketingChanges } from "../marketing-change.ts";

const OptIns = projection(Orders, ["id", "marketing_opt_in"]);
const Subscribers = projection(Customers, [
  "id",
  "email",
  "email_verified_at",
  "preferences",
  "marketing_opt_in",
  "updated_at",
]);
const ActiveCarts = projection(Carts, ["status", "customer_id", "lines", "updated_at"]);

/** Returns the message about a table change that may start or end marketing mail; undefined for all other changes. */
export function marketingChange({ before, after }: ItemChange): MarketingChange | undefined {
  switch ((after ?? before)?.["entity"]) {
    case Orders.name: {
      const order = before === undefined ? imageOf(OptIns, after) : undefined;
      return order?.marketing_opt_in ? { kind: "order", id: order.id } : undefined;
    }
    case Customers.name:
      return customerChange(imageOf(Subscribers, before), imageOf(Subscribers, after));
    case Stocks.name: {
      const [was, is] = [imageOf(Stocks, before), imageOf(Stocks, after)];
      const isMore = is && is.available > 0 && is.available > (was?.available ?? 0);
      return isMore && is.owner.kind === "product" ? { kind: "stock", id: is.owner.id } : undefined;
    }
    case Products.name:
      return productChange(before, after);
    case Carts.name:
      return cartChange(after);
    default:
      return undefined;
  }
}

type Subscriber = Pick<
  Customer,
  "id" | "email" | "email_verified_at" | "preferences" | "marketing_opt_in" | "updated_at"
>;

const wants = (customer: Subscriber | undefined): boolean =>
  customer !== undefined && (customer.preferences.newsletter || customer.marketing_opt_in);

function customerChange(
  before: Subscriber | undefined,
  after: Subscriber | undefined,
): MarketingChange | undefined {
  if (!after) return undefined;
  const joins =
    (wants(after) && !wants(before)) ||
    (after.preferences.newsletter && before?.preferences.newsletter !== true);
  const left = wants(before) && !wants(after);
  const verified = after.email_verified_at !== null && before?.email_verified_at === null;
  const hasMoved = before !== undefined && before.email !== after.email;
  const left_email = hasMoved && before.email_verified_at !== null ? before.email : null;
  if (!joins && !left && !verified && left_email === null) return undefined;
  return { kind: "customer", id: after.id, at: after.updated_at, left, verified, left_email };
}

function productChange(before: Image, after: Image): MarketingChange | undefined {
  const id = String((after ?? before)?.["id"]);
  const [was, is] = [before?.["status"], after?.["status"]];
  const isArchived = is === "archived" && was !== "archived";
  if (after === undefined || isArchived) return { kind: "discontinued", id };
  const isSame = was === "published" && isDeepStrictEqual(before?.["variants"], after["variants"]);
  return is === "published" && !isSame ? { kind: "price", id } : undefined;
}

function cartChange(after: Image): MarketingChange | undefined {
  const cart = imageOf(ActiveCarts, after);
  if (cart?.status !== "active" || cart.customer_id === null || cart.lines.length === 0) {
    return undefined;
  }
  return { kind: "cart", id: cart.customer_id, at: cart.updated_at };
}

/** Maximum number of changes per message, so that the consumer can process a batch of messages before its timeout. */
const mostChanges = 20;

/** The distinct changes, in messages of at most `mostChanges`. */
export function marketingMessages(changes: readonly MarketingChange[]): MarketingChanges[] {
  const once = distinct(changes);
  return Array.from({ length: Math.ceil(once.length / mostChanges) }, (_, position) => ({
    changes: once.slice(position * mostChanges, (position + 1) * mostChanges),
  }));
}
