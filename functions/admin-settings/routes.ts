import type { Resource } from "#shared/http/resource.ts";
import type { Deps } from "./deps.ts";

export const resources: readonly Resource<Deps>[] = [
  { prefixes: ["/admin/settings"], load: () => import("./settings.ts") },
  { prefixes: ["/admin/settings/checklist"], load: () => import("./checklist.ts") },
  { prefixes: ["/admin/settings/email/test"], load: () => import("./email-test.ts") },
  { prefixes: ["/admin/settings/messaging/test"], load: () => import("./messaging-test.ts") },
];
