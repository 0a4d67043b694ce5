/** A heading of the OpenAPI document, for the operations of one family. */
interface Group {
  readonly name: string;
  /** In Markdown. */
  readonly description: string;
}

/** The headings by family, in the order of the document. */
export const groups: Readonly<Record<string, Group>> = {
  content: {
    name: "Storefront: content",
    description:
      "Content around the catalog: menus, homepage, pages, FAQs, stories and redirects. Responses " +
      "are public and cacheable. Start with `GET /bootstrap`.",
  },
  catalog: {
    name: "Storefront: catalog",
    description:
      "Published products and sofas with filters, facets and search, and the sofa configurator. " +
      "Responses are public and cacheable. Changes by staff appear within seconds.",
  },
  cart: {
    name: "Storefront: cart and delivery",
    description:
      "A cart belongs to the signed-in customer, or to anyone who sends its token in `X-Cart-Token`. Delivery methods, " +
      "their prices and delivery slots are answered for the cart or for single items.",
  },
  checkout: {
    name: "Storefront: checkout and payment",
    description:
      "Checkout places the whole cart as one order: stock, coupon, delivery slot and order change together or not at " +
      "all. `payment.action` says what to do next. Call `confirm` when the buyer has completed the payment form. The " +
      "gateway's webhooks update the order, too.",
  },
  account: {
    name: "Storefront: account",
    description:
      "Registration, login, and a customer's profile, addresses, orders and wishlist. Records of other " +
      "customers return 404. Guests read and cancel an order with its token in `X-Order-Token`.",
  },
  enquiries: {
    name: "Storefront: enquiries",
    description:
      "Contact requests, quotes for sofas and custom pieces, and pictures of a customer's own fabric.",
  },
  analytics: {
    name: "Storefront: analytics",
    description:
      "Visitor events, from which the shop's metrics are computed. They contain no personal data.",
  },
  "admin-auth": {
    name: "Back office: login",
    description:
      "Staff login, with a second factor if the role requires one, and the user's own profile and sessions.",
  },
  "admin-insights": {
    name: "Back office: analytics",
    description:
      "Metrics of orders, sales, visits, leads and messages, and the staff activity log.",
  },
  "admin-orders": {
    name: "Back office: orders",
    description:
      "Orders, customers and coupons. An order's `status` changes through payments, shipments and refunds; `allowed_transitions` lists what staff " +
      "can set by hand. Payments and refunds require an `Idempotency-Key`.",
  },
  "admin-sales": {
    name: "Back office: changes of orders",
    description: "Changes of what an order owes, and refunds.",
  },
  "admin-returns": {
    name: "Back office: returns",
    description:
      "Returns, exchanges and warranty claims. A return's `status` says where it is; `allowed_transitions` lists what " +
      "staff can set next.",
  },
  "admin-deliveries": {
    name: "Back office: deliveries",
    description:
      "The orders that are delivered on a day, and the capacity of each day's delivery windows. The settings group " +
      "`shipping` has the zones, windows and usual capacities.",
  },
  "admin-leads": {
    name: "Back office: leads",
    description: "Handling of enquiries and quotes, from the first message to the answer.",
  },
  "admin-inbox": {
    name: "Back office: inbox",
    description:
      "Conversations with customers. Free text can be sent for 24 hours after the customer's last message, templates " +
      "at any time.",
  },
  "admin-catalog": {
    name: "Back office: catalog",
    description:
      "Products, sofas, materials and categories, drafts included, and the stock of each SKU. A record with " +
      "`status: published` is public within seconds.",
  },
  "admin-content": {
    name: "Back office: content",
    description:
      "Homepage, pages and stories are edited as drafts and then published. Menus, FAQs, redirects and the " +
      "announcement bar have no draft: changes are public within five seconds.",
  },
  "admin-media": {
    name: "Back office: media",
    description:
      "Pictures, videos, 3D models and PDFs. A file can be used once it has been checked and its `status` is `ready`.",
  },
  "admin-settings": {
    name: "Back office: settings",
    description: "Settings of the shop in groups. Secrets can be set, but are never returned.",
  },
  "admin-staff": {
    name: "Back office: staff",
    description: "Staff users, and the permissions of each role.",
  },
  "admin-exports": {
    name: "Back office: exports",
    description:
      "The shop's data as JSON or CSV files, each under a link that works for 15 minutes.",
  },
};
