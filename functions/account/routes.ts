import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/auth"], load: () => import("./sessions.ts") },
  {
    prefixes: ["/auth/forgot-password", "/auth/reset-password", "/auth/verify-email"],
    load: () => import("./mailed-links.ts"),
  },
  {
    prefixes: ["/account"],
    load: () => import("./profile.ts"),
  },
  { prefixes: ["/addresses"], load: () => import("./addresses.ts") },
  { prefixes: ["/orders"], load: () => import("./orders.ts") },
  { prefixes: ["/orders/track/{number}"], load: () => import("./tracking.ts") },
  { prefixes: ["/orders/{id}/slots", "/orders/{id}/slot"], load: () => import("./order-slot.ts") },
  { prefixes: ["/orders/{id}/returns"], load: () => import("./order-returns.ts") },
  {
    prefixes: ["/orders/{id}/documents", "/documents"],
    load: () => import("./order-documents.ts"),
  },
  { prefixes: ["/wishlist"], load: () => import("./wishlist.ts") },
] satisfies readonly Resource[];
