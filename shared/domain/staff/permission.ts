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
