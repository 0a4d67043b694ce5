import * as z from "zod";
import type { Shop } from "#shared/application/shop.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import {
  type PreviewTarget,
  createPreviewLink,
  endPreviewLinks,
} from "#shared/application/content/preview-links.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { PreviewLink } from "#shared/domain/content/preview-link.ts";
import type { Permission } from "#shared/domain/staff/permission.ts";
import { byId } from "#shared/http/one-record.ts";
import { type Route, route, staff } from "#shared/http/route.ts";

/** A kind of record whose drafts can be previewed. */
interface PreviewKind<Deps, Draft> {
  /** The path of the list; for a single record, its own. */
  readonly path: string;
  readonly single?: boolean;
  /** The record's noun with its article, such as "a page". */
  readonly one: string;
  readonly permission: Permission;
  read(id: string, deps: Deps): Promise<Draft | undefined>;
  /** The record, as the activity log names it. */
  named(draft: Draft): Pick<PreviewTarget, "kind" | "id" | "label">;
  /** The slug of its page, if it has one. Throws AppError `validation_failed` if the draft cannot be shown yet. */
  slug(draft: Draft, deps: Deps, now: Date): string | null | Promise<string>;
}

const previewDescription =
  "For 24 hours, anyone with the link sees the current draft. The storefront passes its `preview` on to the public GET.";

const endDescription =
  "Ends all links to the draft. Disabling a staff user ends the links that the user made.";

/** The routes that create a preview link of one record, and end all of its links. */
export function previewRoutes<Deps extends Shop<"table" | "randomBytes">, Draft>(
  kind: PreviewKind<Deps, Draft>,
): Route<Deps>[] {
  const path = `${kind.single ? kind.path : `${kind.path}/{id}`}/preview`;
  const params: z.ZodType<{ id?: string }> = kind.single ? z.object({}) : byId;
  const first = (call: { params: { id?: string } }, deps: Deps) =>
    kind.read(call.params.id ?? "", deps);
  const create = route({
    method: "POST",
    path,
    summary: `Create a preview link of ${kind.one}`,
    description: previewDescription,
    access: staff(kind.permission),
    request: { params },
    response: { status: 200, data: PreviewLink },
    first,
    async handle(call, shop) {
      const draft = orNotFound(call.first);
      const slug = await kind.slug(draft, shop, call.now);
      const target = { ...kind.named(draft), slug };
      return { data: await createPreviewLink(target, shop, auditContextOf(call)) };
    },
  });
  const end = route({
    method: "DELETE",
    path,
    summary: `End all preview links of ${kind.one}`,
    description: endDescription,
    access: staff(kind.permission),
    request: { params },
    response: { status: 204 },
    first,
    async handle(call, shop) {
      const target = kind.named(orNotFound(call.first));
      await endPreviewLinks(target, shop, auditContextOf(call));
    },
  });
  return [create, end];
}
