import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/leads"], load: () => import("./leads.ts") },
  { prefixes: ["/quotes"], load: () => import("./quotes.ts") },
  { prefixes: ["/quotes/{id}"], load: () => import("./quote-links.ts") },
  { prefixes: ["/quotes/{id}/documents"], load: () => import("./quote-documents.ts") },
  { prefixes: ["/media/fabric"], load: () => import("./fabric-uploads.ts") },
  { prefixes: ["/newsletter"], load: () => import("./newsletter.ts") },
  {
    prefixes: ["/products/{slug}/notify", "/notify"],
    load: () => import("./product-alerts.ts"),
  },
  { prefixes: ["/unsubscribe/{token}"], load: () => import("./unsubscribe.ts") },
] satisfies readonly Resource[];
