import * as z from "zod";
import { Email, LimitedString } from "../base/text.ts";

/** A new password, as typed: it is not trimmed. */
export function NewPassword(min: number) {
  return LimitedString(128).min(min).meta({ example: "a long enough password" });
}

/**
 * A password to compare with the stored one. Any length up to 1,000 is accepted, so that responses do not reveal the
 * length limits of passwords.
 */
export const TypedPassword = z.string().min(1).max(1_000);

export const password_confirmation = z.string().max(1_000).optional();

interface Confirmed {
  password?: string | undefined;
  password_confirmation?: string | undefined;
}

/** Requires that a confirmation, if sent, matches. */
export function withConfirmation<Schema extends z.ZodType<Confirmed>>(schema: Schema): Schema {
  return schema.refine(
    ({ password, password_confirmation }) =>
      password_confirmation === undefined || password_confirmation === password,
    { path: ["password"], message: "The password field confirmation does not match." },
  );
}

export const LoginInput = z.strictObject({ email: Email, password: TypedPassword });
export type LoginInput = z.output<typeof LoginInput>;

export const ForgotPasswordInput = z.strictObject({ email: Email });

/** The token of a mailed link: 256 random bits, base64url. */
export const MailedToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/)
  .meta({ description: "Token of the mailed link" });
export const MailedTokenInput = z
  .strictObject({ token: MailedToken })
  .meta({ example: { token: "q3uDwM3mS1Yk0G7vY1oJ0r2bq7yXv9cT5nLxE8hZf4A" } });

/** The input that sets a new password with a mailed link. */
export function ResetInput(password: z.ZodString) {
  return withConfirmation(
    z.strictObject({ token: MailedToken, email: Email, password, password_confirmation }),
  );
}
