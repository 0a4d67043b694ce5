import { orNotFound } from "#shared/domain/request/app-error.ts";
import {
  type LinkDeps,
  type PreviewTarget,
  createPreviewLink,
} from "#shared/application/content/preview-links.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { PreviewLink } from "#shared/domain/content/preview-link.ts";
import type { Permission } from "#shared/domain/staff/permission.ts";
import { byId } from "#shared/http/one-record.ts";
import { type Route, route, staff } from "#shared/http/route.ts";

/** A kind of record whose drafts can be previewed. */
interface PreviewKind<Deps, Draft> {
  /** The path of the list. */
  readonly path: string;
  /** The record's noun with its article, such as "a page". */
  readonly one: string;
  readonly permission: Permission;
  read(id: string, deps: Deps): Promise<Draft | undefined>;
  /** Throws AppError `validation_failed` if the draft cannot be shown yet. */
  target(draft: Draft, deps: Deps, now: Date): PreviewTarget | Promise<PreviewTarget>;
}

export const previewDescription =
  "For 24 hours, anyone who opens the link sees the draft as it is then. The storefront passes " +
  "the link's `preview` on to the public GET.";

/** The route that creates a preview link of one record. */
export function previewRoute<Deps extends LinkDeps, Draft>(
  kind: PreviewKind<Deps, Draft>,
): Route<Deps> {
  return route({
    method: "POST",
    path: `${kind.path}/{id}/preview`,
    summary: `Create a preview link of ${kind.one}`,
    description: previewDescription,
    access: staff(kind.permission),
    request: { params: byId },
    response: { status: 200, data: PreviewLink },
    first: ({ params }, deps: Deps) => kind.read(params.id, deps),
    async handle(call, deps) {
      const draft = orNotFound(call.first);
      const target = await kind.target(draft, deps, call.now);
      return { data: await createPreviewLink(target, deps, auditContextOf(call)) };
    },
  });
}
