import * as z from "zod";

/** Whom a message goes to or comes from: the country's code and the number, as E.164 writes them. */
export const WhatsAppNumber = z
  .string()
  .max(32)
  .overwrite(withoutSeparators)
  .regex(/^\+[1-9][0-9]{6,14}$/, "Give the number with + and its country's code, as +919812345678.")
  .meta({ description: "Phone number with the country's code", example: "+919812345678" });
export type WhatsAppNumber = z.output<typeof WhatsAppNumber>;

/** The number in what WhatsApp or a person writes: digits, perhaps with a plus, spaces or brackets; undefined: none. */
export function whatsAppNumber(written: string): WhatsAppNumber | undefined {
  return WhatsAppNumber.safeParse(`+${withoutSeparators(written).replace(/^\+/, "")}`).data;
}

function withoutSeparators(written: string): string {
  return written.replaceAll(/[\s().-]/g, "");
}
