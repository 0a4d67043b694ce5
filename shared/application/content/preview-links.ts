import type { Shop } from "#shared/application/shop.ts";
import { newOpaqueToken } from "#shared/auth/opaque-tokens.ts";
import type { PreviewLink } from "#shared/domain/content/preview-link.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import {
  type StorefrontSettings,
  pageAddress,
  storefrontAddress,
} from "#shared/domain/settings/storefront-address.ts";
import {
  type Preview,
  endPreviews,
  findPreview,
  keepPreview,
  previewLifetimeMs,
} from "#shared/storage/content/previews.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";

/** The record whose draft a preview link shows. */
export interface PreviewTarget extends Pick<Preview, "kind" | "id" | "slug"> {
  readonly label: string;
}

/** Creates a link that shows a record's draft for 24 hours to everybody who has the link. */
export async function createPreviewLink(
  { label, ...of }: PreviewTarget,
  { table, randomBytes }: Shop<"table" | "randomBytes">,
  audit: AuditContext,
): Promise<PreviewLink> {
  const token = newOpaqueToken(randomBytes);
  const expires_at = new Date(audit.now.getTime() + previewLifetimeMs).toISOString();
  const created = { created_at: audit.now.toISOString(), created_by: audit.actor.id };
  const target = { kind: of.kind, id: of.id, label };
  const [settings] = await Promise.all([
    readSettings(table, ["store", "seo"]),
    table.transact([
      keepPreview(token, { ...of, ...created, expires_at }),
      recordActivity(audit, `${of.kind}.preview`, target, { after: { expires_at } }),
    ]),
  ]);
  return { url: `${pageOf(of, settings)}?preview=${token}`, expires_at };
}

/** Ends all preview links of a record. */
export async function endPreviewLinks(
  { kind, id, label }: Pick<PreviewTarget, "kind" | "id" | "label">,
  { table }: Shop<"table">,
  audit: AuditContext,
): Promise<void> {
  await table.transact([
    endPreviews({ kind, id }, audit.now),
    recordActivity(audit, `${kind}.end_previews`, { kind, id, label }),
  ]);
}

/** The address of the storefront's page that shows the record. */
const pageOf = (
  { kind, slug }: Pick<Preview, "kind" | "slug">,
  settings: StorefrontSettings,
): string =>
  kind === "homepage" || slug === null
    ? storefrontAddress(settings, "/")
    : pageAddress(settings, kind, slug);

/**
 * The id of the draft that a preview link shows at this address.
 *
 * @throws AppError `not_found` when the link is unknown, has expired or was ended, or belongs to another address
 */
export async function previewTargetId(
  table: Pick<Table, "get" | "getMany">,
  token: string,
  address: Pick<Preview, "kind" | "slug">,
  now: Date,
): Promise<string> {
  return foundOrLinkInvalid(await findPreview(table, token, address, now));
}

/** Returns what a preview link leads to. Throws AppError `not_found` if there is none, as if the link were invalid. */
export function foundOrLinkInvalid<Found>(found: Found | undefined): Found {
  if (found !== undefined) return found;
  throw new AppError("not_found", {
    message: "This preview link is invalid or has expired. Please create a new one.",
  });
}
