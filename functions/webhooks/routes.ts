import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/webhooks/payments/stripe"], load: () => import("./stripe.ts") },
  { prefixes: ["/webhooks/messaging/whatsapp"], load: () => import("./whatsapp.ts") },
] satisfies readonly Resource[];
