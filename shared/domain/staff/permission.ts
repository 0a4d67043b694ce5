import * as z from "zod";

/** All permissions of admin routes. Each is named by a group and an action. */
export const Permission = z.enum([
  "content.view",
  "content.edit",
  "content.publish",
  "catalog.view",
  "catalog.edit",
  "catalog.delete",
  "inventory.view",
  "inventory.adjust",
  "orders.view",
  "orders.update",
  "orders.refund",
  "orders.customers",
  "orders.coupons",
  "orders.create",
  "orders.discount",
  "returns.view",
  "returns.edit",
  "leads.view",
  "leads.edit",
  "inbox.view",
  "inbox.reply",
  "analytics.view",
  "settings.view",
  "settings.edit",
  "media.view",
  "media.edit",
  "staff.view",
  "staff.edit",
  "activity.view",
  "exports.run",
]);
export type Permission = z.output<typeof Permission>;

type Group = Permission extends `${infer Name}.${string}` ? Name : never;
// Every permission is `group.name`.
const groupOf = (permission: Permission) => permission.slice(0, permission.indexOf(".")) as Group;
const groups = [...new Set(Permission.options.map(groupOf))];

/** What a role grants: a permission, a whole group in either form (`content`, `content.*`), or everything (`*`). */
export const Grant = z
  .enum(["*", ...groups, ...groups.map((group) => `${group}.*` as const), ...Permission.options])
  .meta({ description: "A permission, a whole group (`content` or `content.*`) or `*`" });
export type Grant = z.output<typeof Grant>;

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
