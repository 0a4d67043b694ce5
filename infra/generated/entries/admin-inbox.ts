// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { linkToInboxFile } from "#functions/connect/file-links.ts";
import { publicFilesUrl } from "#functions/connect/variables.ts";
import { settings } from "#functions/connect/settings.ts";

export const resources = [
  {
    paths: ["/admin/inbox/conversations", "/admin/inbox/conversations/{id}"],
    load: () => import("#functions/admin-inbox/conversations.ts"),
  },
  {
    paths: ["/admin/inbox/conversations/{id}/messages"],
    load: () => import("#functions/admin-inbox/messages.ts"),
  },
  {
    paths: ["/admin/inbox/quick-replies", "/admin/inbox/quick-replies/{id}"],
    load: () => import("#functions/admin-inbox/quick-replies.ts"),
  },
];

export const openers = {
  log: log("admin-inbox"),
  elapsed,
  table,
  staffIdentity,
  linkToInboxFile,
  publicFilesUrl,
  settings: settings(["store"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
