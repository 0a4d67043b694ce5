import * as z from "zod";
import { LoginInput } from "../customer/credentials.ts";
import { MachineText, readsAs, withoutSpaces } from "../base/machine-text.ts";

/** The digits of a code that is shown in groups, such as `123 456` or `123-456`; other codes without spaces. */
function ungrouped(typed: string): string {
  const code = withoutSpaces(typed);
  return /^[\d-]+$/.test(code) ? code.replaceAll("-", "") : code;
}

/** Six digits of an authenticator app, or a recovery code. */
export const SecondFactorCode = MachineText(40)
  .overwrite(ungrouped)
  .min(6)
  .meta({ description: "Six digits of the authenticator app, or a recovery code" });

export const StaffLoginInput = LoginInput.safeExtend({ code: SecondFactorCode.optional() });

/** The setup data of an authenticator app. */
export const TotpSetup = z
  .object({
    secret: z.string().meta({ description: "Secret for manual entry, in base32" }),
    otpauth_url: z.string().meta({ description: "URL to show as a QR code" }),
  })
  .meta({ id: "TotpSetup" });

export const TotpConfirmation = z.strictObject({
  code: MachineText(40)
    .overwrite(ungrouped)
    .check(readsAs(/^\d{6}$/, "The code field must be six digits."))
    .meta({ description: "Code that the authenticator app shows", example: "492039" }),
});

export const RecoveryCodes = z
  .object({
    recovery_codes: z.array(z.string()).meta({
      description:
        "Each code works once instead of the app's code. The codes are never shown again",
    }),
  })
  .meta({ id: "RecoveryCodes" });
