// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log, now } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { uploads } from "#functions/connect/files.ts";
import { mediaBaseUrl } from "#functions/connect/variables.ts";

export const resources = [
  {
    paths: ["/admin/media", "/admin/media/{id}"],
    load: () => import("#functions/admin-media/media.ts"),
  },
];

export const openers = {
  log: log("admin-media"),
  elapsed,
  table,
  staffIdentity,
  now,
  uploads,
  mediaBaseUrl,
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
