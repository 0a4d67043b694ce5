import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/admin/inbox/conversations"], load: () => import("./conversations.ts") },
  { prefixes: ["/admin/inbox/conversations/{id}/messages"], load: () => import("./messages.ts") },
  { prefixes: ["/admin/inbox/quick-replies"], load: () => import("./quick-replies.ts") },
] satisfies readonly Resource[];
