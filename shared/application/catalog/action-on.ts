import type { PublicationStatus } from "#shared/domain/base/names.ts";

interface Publishable {
  readonly status: PublicationStatus;
}

/** The action that the activity log records for a change. */
export function actionOn(
  kind: string,
  before: Publishable | undefined,
  after: Publishable | undefined,
): string {
  if (!before) return `${kind}.create`;
  if (!after) return `${kind}.delete`;
  if (before.status === after.status) return `${kind}.update`;
  const verbs = { published: "publish", archived: "archive", draft: "unpublish" } as const;
  return `${kind}.${verbs[after.status]}`;
}
