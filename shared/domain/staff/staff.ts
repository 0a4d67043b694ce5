import * as z from "zod";
import {
  NewPassword,
  ResetInput,
  TypedPassword,
  withConfirmation,
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
  /** The address that replaces `email` once the user follows the link mailed to it. */
  pending_email: Email.nullable(),
  name: Text(120),
  /** The user's own phone number. Only the user changes it. */
  phone: Phone.nullable().default(null),
  role: RoleCode,
  status: z.enum(["active", "disabled"]),
  /** Null while the user is invited and has no password. */
  password_hash: z.string().nullable(),
  /** Since when sign-in requires an authenticator code; null if it does not. */
  second_factor_at: Timestamp.nullable().default(null).meta({
    description: "When the second factor was set up; null if there is none",
  }),
  /** Sessions of an earlier epoch are invalid. A new password raises the epoch, and so does disabling the user. */
  session_epoch: z.int().min(1),
  version: z.int().min(1),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type StaffUser = z.output<typeof StaffUser>;

export const StaffStatus = z.enum(["invited", "active", "disabled"]);

/** A staff user, without the password's hash and the session epoch. */
export const AdminStaffUser = StaffUser.omit({ password_hash: true, session_epoch: true })
  .extend({ status: StaffStatus })
  .meta({ id: "StaffUser" });
export type AdminStaffUser = z.output<typeof AdminStaffUser>;

/** A staff user's own profile. */
export const StaffProfile = AdminStaffUser.extend({
  permissions: z.array(Grant).meta({ description: "Current permissions of the user's role" }),
}).meta({ id: "StaffProfile" });
export type StaffProfile = z.output<typeof StaffProfile>;

export function adminStaffUser(user: StaffUser): AdminStaffUser {
  return user.status === "active" && user.password_hash === null
    ? { ...user, status: "invited" }
    : user;
}

/** A user's own profile. @param permissions of the user's role */
export const staffProfile = (user: StaffUser, permissions: readonly string[]): StaffProfile => ({
  ...adminStaffUser(user),
  permissions: Grant.array().parse(permissions),
});

export const StaffInvitation = z.strictObject({ email: Email, name: Text(120), role: RoleName });
export type StaffInvitation = z.output<typeof StaffInvitation>;

/** PATCH of another user. The email is not included: only the user changes it, by a mailed link. */
export const StaffPatch = z.strictObject({
  name: Text(120).optional(),
  role: RoleName.optional(),
  status: StaffUser.shape.status.optional(),
});

/** PATCH of the own profile: changing email or password requires the current password. */
export const StaffProfileInput = withConfirmation(
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

/** A new staff user. A user without a password is invited to set one. */
export function newStaffUser(
  { email, name, role }: Pick<StaffUser, "email" | "name" | "role">,
  values: { id: string; now: Date; password_hash?: string },
): StaffUser {
  const at = values.now.toISOString();
  return {
    id: values.id,
    email,
    pending_email: null,
    name,
    phone: null,
    role,
    status: "active",
    password_hash: values.password_hash ?? null,
    second_factor_at: null,
    session_epoch: 1,
    version: 1,
    created_at: at,
    updated_at: at,
  };
}

/** Changes of a user; members that are left out stay unchanged. */
export interface StaffUserChanges {
  name?: string | undefined;
  phone?: string | null | undefined;
  email?: string;
  pending_email?: string | null | undefined;
  role?: RoleCode | undefined;
  status?: StaffUser["status"] | undefined;
  password_hash?: string | undefined;
  second_factor_at?: string | null;
}

/**
 * The user after changes, with the next version. A new password, adding or removing the second factor, and disabling the
 * user end every session.
 */
export function changedStaffUser(
  before: StaffUser,
  changes: StaffUserChanges,
  now: Date,
): StaffUser {
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
    second_factor_at !== before.second_factor_at ||
    (status === "disabled" && before.status !== "disabled");
  // The end of the sessions also invalidates the link that was mailed to the pending address.
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

/** Whether the user is an active owner: one with a password who may sign in. */
export function isActiveOwner({ role, status, password_hash }: StaffUser): boolean {
  return role === "owner" && status === "active" && password_hash !== null;
}
