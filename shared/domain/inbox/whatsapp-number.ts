import type * as z from "zod";
import { currentNumber } from "../contact/international-phone.ts";
import type { InternationalPhone } from "../contact/international-phone.ts";
import { LimitedString } from "../base/text.ts";

/** Whom a message goes to or comes from: the country's code and the number, as E.164 writes them. */
export const WhatsAppNumber = LimitedString(32)
  .overwrite(withoutSeparators)
  .regex(
    /^\+[1-9][0-9]{6,14}$/,
    "Give the number with + and its country code, such as +919812345678.",
  )
  .meta({ description: "Phone number with its country code", example: "+919812345678" });
export type WhatsAppNumber = z.output<typeof WhatsAppNumber>;

/** The number in what WhatsApp or a person writes: digits, perhaps with a plus, spaces or brackets; undefined: none. */
export function whatsAppNumber(written: string): WhatsAppNumber | undefined {
  return WhatsAppNumber.safeParse(`+${withoutSeparators(written).replace(/^\+/, "")}`).data;
}

/**
 * The one form of all numbers that reach one account of WhatsApp: what it delivers as `wa_id` need not be the number
 * that a person writes, nor the one that a message was sent to.
 *
 * In Mexico and Brazil its numbers may be those from before they were written anew ("the extra added prefix of the
 * phone number may be modified by the Cloud API", Cloud API reference, "Phone numbers"). In Argentina each has a 9
 * before its area code, also where people leave it out ("How to add an international phone number", WhatsApp's help).
 */
export function whatsAppAccount(phone: WhatsAppNumber): InternationalPhone {
  const current = currentNumber(phone as InternationalPhone);
  return current.replace(/^\+54(?=[123]\d{9}$)/, "+549") as InternationalPhone;
}

function withoutSeparators(written: string): string {
  return written.replaceAll(/[\s().-]/g, "");
}
