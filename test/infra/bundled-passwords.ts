import { hashPassword } from "#shared/auth/passwords.ts";

/** Bundled as functions are, it hashes a password. */
export const handler = ({ password }: { password: string }): Promise<string> =>
  hashPassword(password);
