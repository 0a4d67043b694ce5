import type { InternationalPhone } from "./international-phone.ts";

/**
 * Numbers that people and WhatsApp go on writing as they were before their country wrote them anew. Only what is
 * certain: an old form that no number has today.
 *
 * - Mexico: since August 2019 no 1 stands before a mobile's ten digits (IFT, Plan Técnico Fundamental de Numeración),
 *   of which none begins with a 1.
 * - Argentina: within the country a mobile has a 15 behind its area code, abroad a 9 before it (Google's
 *   libphonenumber). With area code and 15 a number has twelve digits, and no other has so many; some write both.
 * - Brazil: since 2012–2016 each mobile's eight digits have a 9 before them (ANATEL, Resolução 553/2010). Fixed lines
 *   begin with 2 to 5; those that begin with a 7 are left alone, as trunked radio kept its eight digits.
 */
const renumbered: readonly (readonly [old: RegExp, current: string])[] = [
  [/^\+521(?<number>\d{10})$/, "+52$<number>"],
  [/^\+549?(?<area>11)15(?<number>\d{8})$/, "+549$<area>$<number>"],
  [/^\+549?(?<area>[23]\d\d)15(?<number>\d{7})$/, "+549$<area>$<number>"],
  [/^\+549?(?<area>[23]\d{3})15(?<number>\d{6})$/, "+549$<area>$<number>"],
  [/^\+55(?<area>[1-9]{2})(?<number>[689]\d{7})$/, "+55$<area>9$<number>"],
];

/** The number as its country writes it today. */
export function currentNumber(number: InternationalPhone): InternationalPhone {
  const rule = renumbered.find(([old]) => old.test(number));
  return rule ? (number.replace(...rule) as InternationalPhone) : number;
}
