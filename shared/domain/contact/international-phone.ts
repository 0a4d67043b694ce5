import type { Phone } from "../base/text.ts";

/** A phone number with its country code. All ways to type a number give the same string. */
export type InternationalPhone = `+${string}`;

/**
 * The numbering plan of each country: its calling code, after `-` the national trunk prefix, and after `/` the maximum
 * number of digits without calling code and trunk prefix. From Google's libphonenumber, as in libphonenumber-js
 * 1.13.16. The library is not used, because it has 110 KB.
 */
const numberingPlans = `
  AC247/5 AD376/9 AE971-0/9 AF93-0/9 AG1-1/10 AI1-1/10 AL355-0/9 AM374-0/8 AO244/9 AR54-0/11 AS1-1/10
  AT43-0/13 AU61-0/9 AW297/7 AX358-0/10 AZ994-0/9 BA387-0/9 BB1-1/10 BD880-0/10 BE32-0/9 BF226/8 BG359-0/9
  BH973/8 BI257/8 BJ229/10 BL590-0/9 BM1-1/10 BN673/7 BO591-0/8 BQ599/7 BR55-0/11 BS1-1/10 BT975/8 BW267/8
  BY375-8/9 BZ501/7 CA1-1/10 CC61-0/9 CD243-0/10 CF236/8 CG242/9 CH41-0/9 CI225/10 CK682/5 CL56/9 CM237/9
  CN86-0/11 CO57-0/10 CR506/8 CU53-0/10 CV238/7 CW599/8 CX61-0/9 CY357/8 CZ420/9 DE49-0/15 DJ253/8 DK45/8
  DM1-1/10 DO1-1/10 DZ213-0/9 EC593-0/9 EE372/8 EG20-0/10 EH212-0/9 ER291-0/7 ES34/9 ET251-0/9 FI358-0/10
  FJ679/7 FK500/5 FM691/7 FO298/6 FR33-0/9 GA241/8 GB44-0/10 GD1-1/10 GE995-0/9 GF594-0/9 GG44-0/10
  GH233-0/9 GI350/8 GL299/6 GM220/9 GN224/9 GP590-0/9 GQ240/9 GR30/10 GT502/8 GU1-1/10 GW245/9 GY592/7
  HK852/8 HN504/8 HR385-0/9 HT509/8 HU36-06/9 ID62-0/12 IE353-0/10 IL972-0/12 IM44-0/10 IN91-0/10 IO246/7
  IQ964-0/10 IR98-0/10 IS354/9 IT39/12 JE44-0/10 JM1-1/10 JO962-0/9 JP81-0/10 KE254-0/9 KG996-0/9
  KH855-0/9 KI686-0/8 KM269/7 KN1-1/10 KP850-0/10 KR82-0/10 KW965/8 KY1-1/10 KZ7-8/10 LA856-0/10 LB961-0/8
  LC1-1/10 LI423-0/9 LK94-0/9 LR231-0/9 LS266/8 LT370-0/8 LU352/11 LV371/8 LY218-0/9 MA212-0/9 MC377-0/9
  MD373-0/8 ME382-0/8 MF590-0/9 MG261-0/9 MH692-1/7 MK389-0/8 ML223/8 MM95-0/10 MN976-0/10 MO853/8
  MP1-1/10 MQ596-0/9 MR222/8 MS1-1/10 MT356/8 MU230/8 MV960/7 MW265-0/9 MX52/10 MY60-0/10 MZ258/9
  NA264-0/9 NC687/6 NE227/8 NF672/6 NG234-0/10 NI505/8 NL31-0/11 NO47/8 NP977-0/10 NR674/7 NU683/7
  NZ64-0/10 OM968/8 PA507/8 PE51-0/9 PF689/8 PG675/8 PH63-0/10 PK92-0/10 PL48/9 PM508-0/9 PR1-1/10
  PS970-0/9 PT351/9 PW680/7 PY595-0/9 QA974/8 RE262-0/9 RO40-0/9 RS381-0/12 RU7-8/10 RW250-0/9 SA966-0/9
  SB677/7 SC248/7 SD249-0/9 SE46-0/9 SG65/8 SH290/5 SI386-0/8 SJ47/8 SK421-0/9 SL232-0/8 SM378/10 SN221/9
  SO252-0/9 SR597/7 SS211-0/9 ST239/7 SV503/8 SX1-1/10 SY963-0/9 SZ268/8 TA290/4 TC1-1/10 TD235/8 TG228/8
  TH66-0/9 TJ992/9 TK690/7 TL670/8 TM993-8/8 TN216/8 TO676/7 TR90-0/10 TT1-1/10 TV688/7 TW886-0/9
  TZ255-0/9 UA380-0/9 UG256-0/9 US1-1/10 UY598-0/8 UZ998/9 VA39/11 VC1-1/10 VE58-0/10 VG1-1/10 VI1-1/10
  VN84-0/10 VU678/7 WF681/6 WS685/10 XK383-0/12 YE967-0/9 YT262-0/9 ZA27-0/9 ZM260-0/9 ZW263-0/9
`;

/** International call prefixes other than `00`, by the caller's country code. */
const exitCodes: Readonly<Record<string, string>> = { 1: "011", 7: "810", 61: "0011", 81: "010" };

interface NumberingPlan {
  readonly code: string;
  readonly trunk: string;
  readonly longest: number;
}

let read: { byCountry: Map<string, NumberingPlan>; byCode: Map<string, NumberingPlan> } | undefined;

function plans() {
  if (read) return read;
  const byCountry = new Map<string, NumberingPlan>();
  const byCode = new Map<string, NumberingPlan>();
  for (const plan of numberingPlans.matchAll(/([A-Z]{2})(\d+)(?:-(\d+))?\/(\d+)/g)) {
    const [, country = "", code = "", trunk = "", longest] = plan;
    byCountry.set(country, { code, trunk, longest: Number(longest) });
    byCode.set(code, { code, trunk, longest: Number(longest) });
  }
  read = { byCountry, byCode };
  return read;
}

/**
 * Normalizes a phone number for comparison and search, without checking that the number exists. Responses show the
 * number as it was typed.
 *
 * @param country ISO 3166 code of the store's country, which is implied in numbers without a country code
 */
export function internationalPhone(phone: Phone, country: string): InternationalPhone {
  const plan = plans().byCountry.get(country);
  if (phone.startsWith("+")) return abroad(phone.slice(1));
  const exit = [exitCodes[plan?.code ?? ""], "00"].find((code) => code && phone.startsWith(code));
  if (exit) return abroad(phone.slice(exit.length));
  if (!plan) return abroad(phone);
  const { code, trunk, longest } = plan;
  // A trunk prefix other than 0 may also be the start of a number. So it counts as a trunk prefix only if more digits
  // were typed than a number has.
  const isTrunk = trunk.startsWith("0") || phone.length > longest;
  const number = trunk !== "" && isTrunk ? withoutTrunk(phone, trunk) : phone;
  const own: InternationalPhone = `+${code}${number}`;
  const current = currentNumber(own);
  const isOwn = number.length <= longest || (number !== phone && current !== own);
  // A number that is too long for the country is treated as an international number without its plus.
  return isOwn ? current : abroad(number);
}

/**
 * Converts digits that begin with a country code into an international number. In countries where no number starts with
 * a zero, people also write the trunk prefix 0 after the country code, as in +44 (0)20.
 */
function abroad(digits: string): InternationalPhone {
  for (const length of [1, 2, 3]) {
    const plan = plans().byCode.get(digits.slice(0, length));
    if (plan?.trunk.startsWith("0")) {
      return currentNumber(`+${plan.code}${withoutTrunk(digits.slice(length), plan.trunk)}`);
    }
  }
  return currentNumber(`+${digits}`);
}

function withoutTrunk(digits: string, trunk: string): string {
  let number = digits;
  while (number.startsWith(trunk)) number = number.slice(trunk.length);
  return number;
}

/**
 * Rewrites old forms of numbers, which people and WhatsApp still use. Each rule is unambiguous: no number has the old
 * form today.
 *
 * - Mexico: until August 2019 a mobile's ten digits had a 1 before them (IFT, Plan Técnico Fundamental de Numeración).
 * No number's ten digits start with a 1.
 * - Argentina: callers in the country dial 15 after a mobile's area code, callers from abroad dial 9 before the area
 * code (Google's libphonenumber). Only a number with area code and 15 has twelve digits. Some people write both.
 * - Brazil: since 2012–2016 each mobile's eight digits have a 9 before them (ANATEL, Resolução 553/2010). Fixed lines
 * start with 2 to 5; numbers that start with a 7 are left unchanged, because trunked radio kept its eight digits.
 */
const renumbered: readonly (readonly [old: RegExp, current: string])[] = [
  [/^\+521(?<number>\d{10})$/, "+52$<number>"],
  [/^\+549?(?<area>11)15(?<number>\d{8})$/, "+549$<area>$<number>"],
  [/^\+549?(?<area>[23]\d\d)15(?<number>\d{7})$/, "+549$<area>$<number>"],
  [/^\+549?(?<area>[23]\d{3})15(?<number>\d{6})$/, "+549$<area>$<number>"],
  [/^\+55(?<area>[1-9]{2})(?<number>[689]\d{7})$/, "+55$<area>9$<number>"],
];

/** The number in its country's current form. */
export function currentNumber(number: InternationalPhone): InternationalPhone {
  const rule = renumbered.find(([old]) => old.test(number));
  // The result of each rule is again in international form.
  return rule ? (number.replace(...rule) as InternationalPhone) : number;
}
