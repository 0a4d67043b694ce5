import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/checkout"], load: () => import("./checkout.ts") },
  { prefixes: ["/checkout/{order}/confirm"], load: () => import("./confirm.ts") },
  { prefixes: ["/checkout/{order}/payment"], load: () => import("./change-payment.ts") },
] satisfies readonly Resource[];
