import * as z from "zod";
import {
  NewPassword,
  ResetInput,
  TypedPassword,
  confirmed,
  password_confirmation,
} from "../customer/credentials.ts";
import { Id } from "../base/ids.ts";
import { Grant } from "./permission.ts";
import { RoleCode, RoleName } from "./role.ts";
import { Email, Phone, Text, Timestamp } from "../base/text.ts";

const StaffPassword = NewPassword(12);

/** A staff user as stored. */
export const StaffUser = z.object({
  id: Id("stf"),
  email: Email,
  /** An address that is to take the place of `email` once its link is followed. */
  pending_email: Email.nullable(),
  name: Text(120),
  /** Nobody else writes to it: the user's own, for messages to themselves. */
  phone: Phone.nullable().default(null),
  role: RoleCode,
  status: z.enum(["active", "disabled"]),
  /** null: invited, and no password chosen yet. */
  password_hash: z.string().nullable(),
  /** Since when signing in takes a code of an authenticator app; null: it does not. */
  second_factor_at: Timestamp.nullable().default(null).meta({
    description: "Since when signing in takes a second factor; null: it does not",
  }),
  /** Sessions of an earlier epoch are dead; a new password or a disabling raises it. */
  session_epoch: z.int().min(1),
  version: z.int().min(1),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type StaffUser = z.output<typeof StaffUser>;

export const StaffStatus = z.enum(["invited", "active", "disabled"]);

/** What staff see of a user. */
export const AdminStaffUser = StaffUser.omit({ password_hash: true, session_epoch: true })
  .extend({ status: StaffStatus })
  .meta({ id: "StaffUser" });
export type AdminStaffUser = z.output<typeof AdminStaffUser>;

/** What a user sees of themselves. */
export const StaffProfile = AdminStaffUser.extend({
  permissions: z.array(Grant).meta({ description: "What the user's role grants at this moment" }),
}).meta({ id: "StaffProfile" });
export type StaffProfile = z.output<typeof StaffProfile>;

export function staffView(user: StaffUser): AdminStaffUser {
  return user.status === "active" && user.password_hash === null
    ? { ...user, status: "invited" }
    : user;
}

export const StaffInvitation = z.strictObject({ email: Email, name: Text(120), role: RoleName });
export type StaffInvitation = z.output<typeof StaffInvitation>;

/** PATCH of another user. The email is not among it: only its owner changes that, by a mailed link. */
export const StaffPatch = z.strictObject({
  name: Text(120).optional(),
  role: RoleName.optional(),
  status: StaffUser.shape.status.optional(),
});

/** PATCH of one's own: email and password change only with the present password. */
export const StaffProfileInput = confirmed(
  z.strictObject({
    name: Text(120).optional(),
    phone: Phone.nullable().optional(),
    email: Email.optional(),
    current_password: TypedPassword.optional(),
    password: StaffPassword.optional(),
    password_confirmation,
  }),
);
export type StaffProfileInput = z.output<typeof StaffProfileInput>;

export const StaffResetInput = ResetInput(StaffPassword);

/** A staff user as one starts: invited, unless a password is given. */
export function newStaffUser(
  { email, name, role }: Pick<StaffUser, "email" | "name" | "role">,
  given: { id: string; now: Date; password_hash?: string },
): StaffUser {
  const at = given.now.toISOString();
  return {
    id: given.id,
    email,
    pending_email: null,
    name,
    phone: null,
    role,
    status: "active",
    password_hash: given.password_hash ?? null,
    second_factor_at: null,
    session_epoch: 1,
    version: 1,
    created_at: at,
    updated_at: at,
  };
}

/** What may change of a user; what is left out stays. */
export interface StaffChanges {
  name?: string | undefined;
  phone?: string | null | undefined;
  email?: string;
  pending_email?: string | null | undefined;
  role?: RoleCode | undefined;
  status?: StaffUser["status"] | undefined;
  password_hash?: string | undefined;
  second_factor_at?: string | null;
}

/** The user after some changes, one version on. A new password and being disabled end every session. */
export function changedStaffUser(before: StaffUser, changes: StaffChanges, now: Date): StaffUser {
  const {
    name = before.name,
    phone = before.phone,
    email = before.email,
    role = before.role,
    status = before.status,
    password_hash = before.password_hash,
    second_factor_at = before.second_factor_at,
  } = changes;
  const endsSessions =
    password_hash !== before.password_hash ||
    (status === "disabled" && before.status !== "disabled");
  // Links of an earlier epoch are dead, too.
  const { pending_email = endsSessions ? null : before.pending_email } = changes;
  return {
    ...before,
    name,
    phone,
    email,
    pending_email,
    role,
    status,
    password_hash,
    second_factor_at,
    session_epoch: before.session_epoch + Number(endsSessions),
    version: before.version + 1,
    updated_at: now.toISOString(),
  };
}

/** Whether the shop has an owner in this user: one who has a password and may sign in. */
export function isActiveOwner({ role, status, password_hash }: StaffUser): boolean {
  return role === "owner" && status === "active" && password_hash !== null;
}
