import * as z from "zod";
import { currentNumber, type InternationalPhone } from "../contact/international-phone.ts";
import { MachineText, readsAs } from "../base/machine-text.ts";

/** The sender or recipient of a message, in E.164 format. */
export const WhatsAppNumber = MachineText(32)
  .overwrite(withoutSeparators)
  .check(
    readsAs(
      /^\+[1-9][0-9]{6,14}$/,
      "Give the number with + and its country code, such as +919812345678.",
    ),
  )
  .meta({ description: "Phone number with its country code", example: "+919812345678" });
export type WhatsAppNumber = z.output<typeof WhatsAppNumber>;

/**
 * WhatsApp's id of a person for this business, such as `US.13491208655302741918`. It is all that WhatsApp tells about
 * people who hide their number (WhatsApp Business Platform, "Business-scoped user IDs").
 */
export const WhatsAppUserId = z.string().regex(/^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/);

/** How WhatsApp names a person: by phone number, by user id, or by both. */
export interface WhatsAppPerson {
  readonly phone: WhatsAppNumber | null;
  readonly user_id: string | null;
}

/**
 * Parses a number as WhatsApp or a person writes it: digits, perhaps with a plus, spaces or brackets; undefined if the
 * text is not a number.
 */
export function whatsAppNumber(written: string): WhatsAppNumber | undefined {
  return WhatsAppNumber.safeParse(`+${withoutSeparators(written).replace(/^\+/, "")}`).data;
}

/**
 * The key of a WhatsApp account. All numbers that reach the account have the same key. It is needed because the
 * account's `wa_id` may differ from the number that a person writes, and from the number that a message was sent to.
 *
 * In Mexico and Brazil, WhatsApp's numbers may have the country's old form ("the extra added prefix of the phone number
 * may be modified by the Cloud API", Cloud API reference, "Phone numbers"). In Argentina, WhatsApp's numbers have a 9
 * before the area code, even if people leave it out ("How to add an international phone number", WhatsApp's help).
 */
export function accountPhone(phone: WhatsAppNumber): InternationalPhone {
  // WhatsApp's numbers are international.
  const current = currentNumber(phone as InternationalPhone);
  // A 9 before the area code leaves the number in international form.
  return current.replace(/^\+54(?=[123]\d{9}$)/, "+549") as InternationalPhone;
}

function withoutSeparators(written: string): string {
  return written.replaceAll(/[\s().-]/g, "");
}
