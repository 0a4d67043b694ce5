import type { Resource } from "#shared/http/resource.ts";
import type { Deps } from "./deps.ts";

export const resources: readonly Resource<Deps>[] = [
  { prefixes: ["/admin/inbox/conversations"], load: () => import("./conversations.ts") },
  { prefixes: ["/admin/inbox/conversations/{id}/messages"], load: () => import("./messages.ts") },
  { prefixes: ["/admin/inbox/quick-replies"], load: () => import("./quick-replies.ts") },
];
