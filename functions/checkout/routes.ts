import type { Resource } from "#shared/http/resource.ts";
import type { Deps } from "./deps.ts";

export const resources: readonly Resource<Deps>[] = [
  { prefixes: ["/checkout"], load: () => import("./checkout.ts") },
  { prefixes: ["/checkout/{order}/confirm"], load: () => import("./confirm.ts") },
  { prefixes: ["/checkout/{order}/payment"], load: () => import("./change-payment.ts") },
];
