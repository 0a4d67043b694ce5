import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import {
  CustomerEntry,
  CustomerFile,
  CustomerPatch,
  customerEntry,
  customerFile,
} from "#shared/domain/customer/admin-customer.ts";
import { OrderSummary } from "#shared/domain/order/view/buyer-order.ts";
import { orderSummary } from "#shared/domain/order/view/order-view.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { listRoute } from "#functions/list-route.ts";
import { CursorPage } from "#shared/http/paging.ts";
import { flag } from "#shared/http/query.ts";
import { route, staff } from "#shared/http/route.ts";
import { listOrdersOf, ordersOfBuyer } from "#shared/storage/order/customer-orders.ts";
import { customerRange, listCustomers } from "#shared/storage/customer/customer-search.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
import { patchCustomer, readCustomer } from "#shared/application/customer/patch-customer.ts";
import { confirmPhone } from "#shared/application/customer/prove-phone.ts";
import { SearchWords } from "#shared/domain/base/machine-text.ts";
import { LimitedString } from "#shared/domain/base/text.ts";

const Filters = CursorPage.extend({
  q: SearchWords(254).optional().meta({
    description:
      "A complete email, a complete phone number in any notation, or words of the name or their beginnings",
  }),
  tag: LimitedString(40).trim().toLowerCase().min(1).optional(),
  disabled: flag.optional(),
});

export const listAllCustomers = listRoute({
  path: "/admin/customers",
  summary: "List customers, newest first or by name",
  description:
    "Lists accounts only; `GET /admin/orders` finds guests' orders by email or phone. Deleted " +
    "accounts are not listed; their orders remain. With `tag` or `disabled`, pages may be shorter " +
    "than `per_page`.",
  access: staff("orders.view"),
  query: Filters,
  row: CustomerEntry,
  async list({ query: { q } }, { table, settings }: Shop<"table" | "settings", CommerceGroup>) {
    const { country } = (await settings.current()).store;
    const range = customerRange(q, country);
    return { range, page: (at) => listCustomers(table, range, country, at) };
  },
  shown: (customers, { query: { tag, disabled } }) =>
    customers
      .map(customerEntry)
      .filter((entry) => tag === undefined || entry.tags.includes(tag))
      .filter((entry) => (disabled ?? entry.disabled) === entry.disabled),
});

export const getCustomer = route({
  method: "GET",
  path: "/admin/customers/{id}",
  summary: "Get a customer with addresses and order count",
  description: "`GET /admin/customers/{id}/orders` lists the customer's orders.",
  access: staff("orders.view"),
  request: { params: byId },
  response: { status: 200, data: CustomerFile },
  first: ({ params }, { table }: Shop<"table">) => readCustomer(table, params.id),
  async handle({ first }) {
    const record = orNotFound(first);
    return { data: customerFile(record), version: record.customer.version };
  },
});

export const changeCustomer = route({
  method: "PATCH",
  path: "/admin/customers/{id}",
  summary: "Update or disable a customer",
  description:
    "Disabling a customer ends their sessions; further logins get the response for a wrong " +
    "password. Only the customer can change the email.",
  access: staff("orders.customers"),
  request: {
    params: byId,
    headers: ifMatch,
    body: CustomerPatch.meta({ example: { notes: "Prefers mornings.", tags: ["vip"] } }),
  },
  response: { status: 200, data: CustomerFile },
  errors: ["version_mismatch"],
  first: ({ params }, { table }: Shop<"table" | "settings", CommerceGroup>) =>
    readCustomer(table, params.id),
  async handle(call, shop) {
    const record = await patchCustomer(call, call.first, shop);
    return { data: customerFile(record), version: record.customer.version };
  },
});

export const confirmPhoneOfCustomer = route({
  method: "POST",
  path: "/admin/customers/{id}/phone/confirm",
  summary: "Confirm a customer's phone after a call",
  description:
    "Sets `phone_verified_at`: from then on, the customer's export and erasure include the WhatsApp " +
    "conversation with the phone. The activity log records it.",
  access: staff("orders.customers"),
  request: { params: byId, headers: ifMatch },
  response: { status: 200, data: CustomerFile },
  errors: ["validation_failed", "version_mismatch"],
  first: ({ params }, { table }: Shop<"table">) => readCustomer(table, params.id),
  async handle(call, { table }) {
    const record = await confirmPhone(call, call.first, table);
    return { data: customerFile(record), version: record.customer.version };
  },
});

export const listOrdersOfCustomer = listRoute({
  path: "/admin/customers/{id}/orders",
  summary: "List a customer's orders, newest first",
  description: "Returns a summary of each order, as the customer sees it.",
  access: staff("orders.view"),
  params: byId,
  row: OrderSummary,
  list({ params: { id } }, { table }: Shop<"table">) {
    const buyer = `customer#${id}` as const;
    const range = ordersOfBuyer(buyer);
    return {
      range,
      async page(at) {
        const [customer, page] = await Promise.all([
          table.get(Customers, { id }),
          listOrdersOf(table, buyer, at),
        ]);
        orNotFound(customer);
        return page;
      },
    };
  },
  shown: (orders) => orders.map(orderSummary),
});

export const routes = [
  listAllCustomers,
  getCustomer,
  changeCustomer,
  confirmPhoneOfCustomer,
  listOrdersOfCustomer,
];
