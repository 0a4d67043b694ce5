import type { Grant } from "./permission.ts";

/**
 * Whether grants cover a permission or another grant. A whole group is covered only by a grant of that group or of
 * everything. All its single permissions together do not cover it, because the group also includes future ones.
 */
export function covers(grants: readonly string[], required: Grant): boolean {
  const [group] = required.split(".");
  return grants.some(
    (grant) => grant === "*" || grant === required || grant === group || grant === `${group}.*`,
  );
}

/** The first required grant that the grants do not cover; undefined if they cover all. */
export function lacking(grants: readonly string[], required: readonly Grant[]): Grant | undefined {
  return required.find((grant) => !covers(grants, grant));
}
