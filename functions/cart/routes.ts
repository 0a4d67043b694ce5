import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/cart"], load: () => import("./cart.ts") },
  { prefixes: ["/cart/slot", "/shipping/slots"], load: () => import("./slot.ts") },
  { prefixes: ["/checkout/coupon"], load: () => import("./coupon.ts") },
  { prefixes: ["/shipping/quote"], load: () => import("./shipping.ts") },
] satisfies readonly Resource[];
