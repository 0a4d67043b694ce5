import { fractionDigits } from "../base/money.ts";

const ones =
  "Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen".split(
    " ",
  );
const tens = "- - Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety".split(" ");

type Scale = readonly (readonly [value: bigint, name: string])[];

/** The largest unit comes first. More than one of it is counted in the same way: one lakh crore. */
const indian: Scale = [
  [10_000_000n, "Crore"],
  [100_000n, "Lakh"],
  [1_000n, "Thousand"],
  [100n, "Hundred"],
];
const western: Scale = [
  [1_000_000_000n, "Billion"],
  [1_000_000n, "Million"],
  [1_000n, "Thousand"],
  [100n, "Hundred"],
];

/** An integer of at least 0 in English words. */
function inWords(number: bigint, scale: Scale): string {
  for (const [value, name] of scale) {
    if (number >= value) {
      const rest = number % value;
      const counted = `${inWords(number / value, scale)} ${name}`;
      return rest === 0n ? counted : `${counted} ${inWords(rest, scale)}`;
    }
  }
  const small = Number(number);
  if (small < 20) return ones[small] ?? "";
  const unit = small % 10;
  return (tens[Math.floor(small / 10)] ?? "") + (unit === 0 ? "" : `-${ones[unit]}`);
}

/**
 * An amount in English words: rupees in Indian numbering, such as "Rupees One Lakh Twenty and Fifty Paise Only"; other
 * currencies by their code, with the minor units as a fraction, such as "EUR Twenty and 50/100 Only".
 *
 * @param amount in minor units, at least 0
 */
export function amountInWords(amount: number, currency: string): string {
  const digits = fractionDigits(currency);
  const units = 10n ** BigInt(digits);
  const [major, minor] = [BigInt(amount) / units, BigInt(amount) % units];
  if (currency === "INR") {
    const paise = minor === 0n ? "" : ` and ${inWords(minor, indian)} Paise`;
    return `Rupees ${inWords(major, indian)}${paise} Only`;
  }
  const fraction = minor === 0n ? "" : ` and ${String(minor).padStart(digits, "0")}/${units}`;
  return `${currency} ${inWords(major, western)}${fraction} Only`;
}
