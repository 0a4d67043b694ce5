import * as z from "zod";
import { Id } from "../base/ids.ts";
import { Grant } from "./permission.ts";
import { Text, Timestamp } from "../base/text.ts";
import { wholeBps } from "../base/money.ts";

/** The roles of staff users. The set is fixed; staff may change what a role grants, except the owner's. */
export const RoleCode = z.enum([
  "owner",
  "manager",
  "content_editor",
  "catalog_editor",
  "order_desk",
  "sales",
  "analyst",
]);
export type RoleCode = z.output<typeof RoleCode>;

const MaxDiscount = z.int().min(0).max(wholeBps).default(0).meta({
  description: "Highest discount that users with `orders.discount` may give, in basis points",
});

export const Role = z
  .object({
    id: Id("role"),
    code: RoleCode,
    name: Text(60),
    description: Text(300).nullable(),
    permissions: z.array(Grant),
    requires_second_factor: z.boolean().default(false).meta({
      description:
        "Whether users with the role must set up a second factor before they can do anything else",
    }),
    max_discount_bps: MaxDiscount,
    version: z.int().min(1),
    updated_at: Timestamp,
  })
  .meta({ id: "Role" });
export type Role = z.output<typeof Role>;

/** PUT: the members of a role that staff edit. */
export const RoleInput = z.strictObject({
  name: Text(60),
  description: Text(300).nullable().default(null),
  permissions: z
    .array(Grant)
    .max(60)
    .overwrite((grants) => [...new Set(grants)].toSorted()),
  requires_second_factor: z.boolean().default(false),
  max_discount_bps: MaxDiscount,
});
export type RoleInput = z.output<typeof RoleInput>;

type Seed = Pick<Role, "id" | "name" | "description" | "permissions">;

const seeds: Record<RoleCode, Seed> = {
  owner: {
    id: "role_01KE66PJA0M594E921BVM9D6BK",
    name: "Owner",
    description: "May do everything, and cannot be changed.",
    permissions: ["*"],
  },
  manager: {
    id: "role_01KE66PJA0ES1DT3A83NW8J283",
    name: "Manager",
    description: "Runs the shop and its staff. Can read settings but not change them.",
    permissions: [
      "activity.view",
      "analytics.view",
      "catalog",
      "content",
      "exports.run",
      "inbox",
      "inventory",
      "leads",
      "media",
      "orders",
      "returns",
      "settings.view",
      "staff",
    ],
  },
  content_editor: {
    id: "role_01KE66PJA01V43SK1SPXVNK8M6",
    name: "Content editor",
    description: "Writes and publishes pages, stories, menus and the homepage.",
    permissions: ["catalog.view", "content", "media"],
  },
  catalog_editor: {
    id: "role_01KE66PJA0E4RW12FTV7GTQG2B",
    name: "Catalog editor",
    description: "Manages products, sofas, materials and stock.",
    permissions: ["catalog", "content.view", "inventory", "media"],
  },
  order_desk: {
    id: "role_01KE66PJA09J0AS8R60E9DQ17S",
    name: "Order desk",
    description: "Processes orders and answers customers. Refunds are for managers.",
    permissions: [
      "catalog.view",
      "inbox",
      "inventory.view",
      "leads.view",
      "orders.create",
      "orders.customers",
      "orders.update",
      "orders.view",
      "returns",
    ],
  },
  sales: {
    id: "role_01KE66PJA0V6NFR3PVCKYN9JEE",
    name: "Sales",
    description: "Works on leads, quotes and coupons, and answers customers.",
    permissions: [
      "catalog.view",
      "inbox",
      "inventory.view",
      "leads",
      "media.view",
      "orders.coupons",
      "orders.create",
      "orders.customers",
      "orders.discount",
      "orders.view",
      "returns.view",
    ],
  },
  analyst: {
    id: "role_01KE66PJA0GYCRKBHJVVEM5V3W",
    name: "Analyst",
    description: "Reads metrics and exports catalog and content; changes nothing.",
    permissions: [
      "analytics.view",
      "catalog.view",
      "content.view",
      "exports.run",
      "inventory.view",
      "leads.view",
      "orders.view",
      "returns.view",
    ],
  },
};

const maxDiscounts: Partial<Record<RoleCode, number>> = { manager: wholeBps, sales: 1_000 };

/** The highest discount that users of the role may give, in basis points. Who may do everything has no limit. */
export const maxDiscountOf = ({
  permissions,
  max_discount_bps,
}: Pick<Role, "permissions" | "max_discount_bps">): number =>
  permissions.includes("*") ? wholeBps : max_discount_bps;

/** The default roles of a new shop. */
export function seededRoles(now: Date): Role[] {
  return RoleCode.options.map((code) => ({
    ...seeds[code],
    code,
    requires_second_factor: false,
    max_discount_bps: maxDiscounts[code] ?? 0,
    version: 1,
    updated_at: now.toISOString(),
  }));
}

/** A role's code or id. */
export const RoleName = z
  .string()
  .max(60)
  .meta({ description: "Code or id of a role", example: "content_editor" });

/** The code of the role with this code or id; undefined if there is none. */
export function roleNamed(name: string): RoleCode | undefined {
  return RoleCode.options.find((code) => code === name || seeds[code].id === name);
}

/** The role with the edited members. */
export function replacedRole(before: Role, input: RoleInput, now: Date): Role {
  return { ...before, ...input, version: before.version + 1, updated_at: now.toISOString() };
}
