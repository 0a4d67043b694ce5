/**
 * The currencies of ISO 4217 that are in circulation, by the number of digits after the decimal point. The ariary (MGA)
 * has no decimals here, as at payment gateways. ISO gives it two, but its subunit, a fifth of an ariary, is out of use.
 */
const circulating = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF",
  2:
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF " +
    "CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD " +
    "HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL " +
    "MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN " +
    "QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP " +
    "TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
  3: "BHD IQD JOD KWD LYD OMR TND",
};

const digitsOf: ReadonlyMap<string, number> = new Map(
  Object.entries(circulating).flatMap(([digits, codes]) =>
    codes.split(" ").map((code) => [code, Number(digits)] as const),
  ),
);

export const currencies: ReadonlySet<string> = new Set(digitsOf.keys());

/** The number of decimals of a currency; 2 for an unknown code. */
export const fractionDigits = (currency: string): number => digitsOf.get(currency) ?? 2;

/** Minor units as a decimal string: 459900 INR is `4599.00`. */
export function decimalAmount(amount: number, currency: string): string {
  const digits = fractionDigits(currency);
  if (digits === 0) return String(amount);
  const text = String(amount).padStart(digits + 1, "0");
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
