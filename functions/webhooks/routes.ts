import type { Resource } from "#shared/http/resource.ts";
import type { Deps } from "./deps.ts";

export const resources: readonly Resource<Deps>[] = [
  { prefixes: ["/webhooks/payments/stripe"], load: () => import("./stripe.ts") },
  { prefixes: ["/webhooks/messaging/whatsapp"], load: () => import("./whatsapp.ts") },
];
