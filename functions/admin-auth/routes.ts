import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/admin/auth"], load: () => import("./sessions.ts") },
  {
    prefixes: ["/admin/auth/forgot-password", "/admin/auth/reset-password"],
    load: () => import("./password-reset.ts"),
  },
  {
    prefixes: ["/admin/auth/verify-email", "/admin/auth/profile"],
    load: () => import("./profile.ts"),
  },
  { prefixes: ["/admin/auth/totp"], load: () => import("./totp.ts") },
  { prefixes: ["/admin/sessions"], load: () => import("./own-sessions.ts") },
] satisfies readonly Resource[];
