import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/admin/settings"], load: () => import("./settings.ts") },
  { prefixes: ["/admin/settings/checklist"], load: () => import("./checklist.ts") },
  { prefixes: ["/admin/settings/email/test"], load: () => import("./email-test.ts") },
  { prefixes: ["/admin/settings/messaging/test"], load: () => import("./messaging-test.ts") },
] satisfies readonly Resource[];
