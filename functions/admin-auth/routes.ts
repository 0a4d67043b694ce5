import { verifyNewEmail } from "./email-change.ts";
import { forgotPassword, resetPassword } from "./password-reset.ts";
import { changeProfile } from "./profile.ts";
import { endOwnSession, listSessions } from "./own-sessions.ts";
import { logIn, logOut, me } from "./sessions.ts";
import { confirmTotp, removeTotp, setUpTotp } from "./totp.ts";

export const routes = [
  logIn,
  forgotPassword,
  resetPassword,
  verifyNewEmail,
  logOut,
  me,
  changeProfile,
  setUpTotp,
  confirmTotp,
  removeTotp,
  listSessions,
  endOwnSession,
];
