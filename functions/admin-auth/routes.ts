import { verifyNewEmail } from "./email-change.ts";
import { forgotPassword, resetPassword } from "./password-reset.ts";
import { changeProfile } from "./profile.ts";
import { logIn, logOut, me } from "./sessions.ts";

export const routes = [
  logIn,
  forgotPassword,
  resetPassword,
  verifyNewEmail,
  logOut,
  me,
  changeProfile,
];
