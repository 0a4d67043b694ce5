import { inviteUser } from "./invite.ts";
import { listRoles, replaceRole } from "./roles.ts";
import { resetSecondFactor } from "./reset-second-factor.ts";
import { changeUser, getUser, listUsers } from "./users.ts";

export const routes = [
  listUsers,
  inviteUser,
  getUser,
  changeUser,
  resetSecondFactor,
  listRoles,
  replaceRole,
];
