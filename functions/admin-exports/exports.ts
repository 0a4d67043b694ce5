import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { runExport } from "#shared/application/export/run-export.ts";
import { Timestamp } from "#shared/domain/base/text.ts";
import type { ExportJob } from "#shared/domain/export/export-job.ts";
import { ExportFormat, ExportType } from "#shared/domain/export/export.ts";
import { route, staff } from "#shared/http/route.ts";

const records = z.int().min(0);

const Export = z
  .discriminatedUnion("status", [
    z.object({
      status: z.literal("ready"),
      url: z
        .url()
        .meta({ description: "Anyone with the link can download the file until it expires" }),
      expires_at: Timestamp,
      records,
      bytes: z.int(),
      sha256: z.string().meta({ description: "SHA-256 of the file, in hex" }),
    }),
    z.object({
      status: z.literal("running"),
      records: records.meta({ description: "Records written so far" }),
    }),
  ])
  .meta({ id: "Export" });
type Export = z.output<typeof Export>;

const linkSeconds = 15 * 60;
const retryAfterSeconds = 5;

export const getExport = route({
  method: "GET",
  path: "/admin/exports/{type}",
  summary: "Export the shop's data",
  description:
    "Starts an export, or joins the caller's running one. Returns 200 with a link valid for " +
    "15 minutes if the export finishes within 20 seconds, otherwise 202; repeat the call to " +
    "get the link. A finished export is returned for a minute; after that the call starts a " +
    "new one. A failed export returns 503 for a minute; then the call starts it again. `full` is a " +
    "zip of all other exports with a manifest. Requires `exports.run` and the permission to " +
    "view everything in the export. `orders` and `full` hold buyers' names and addresses and " +
    "also require `orders.customers`. No export contains secrets.",
  access: staff("exports.run"),
  request: {
    params: z.object({ type: ExportType }),
    query: z.strictObject({ format: ExportFormat.default("json") }),
  },
  response: { status: 200, alsoAnswers: [202], data: Export, headers: ["Retry-After"] },
  async handle(call, shop: Shop<"table" | "exportsQueue" | "linkToExport" | "now" | "pause">) {
    const job = await runExport(call, { ...call.params, ...call.query }, shop);
    const data = await answerOf(job, shop, new Date());
    return data.status === "ready"
      ? { data }
      : { data, status: 202, headers: { "Retry-After": String(retryAfterSeconds) } };
  },
});

async function answerOf(
  { id, type, format, records, result }: ExportJob,
  shop: Shop<"linkToExport">,
  now: Date,
): Promise<Export> {
  if (!result) return { status: "running", records };
  const { name, bytes, sha256 } = result;
  const day = now.toISOString().slice(0, 10);
  const ending = type === "full" ? `-${format}.zip` : `.${format}`;
  const link = { filename: `${type}-${day}${ending}`, lifetimeSeconds: linkSeconds, now };
  return {
    status: "ready",
    url: await shop.linkToExport(`${id}/${name}`, link),
    expires_at: new Date(now.getTime() + linkSeconds * 1000).toISOString(),
    records,
    bytes,
    sha256,
  };
}

export const routes = [getExport];
