import { memoized } from "../base/memoize.ts";

/** A state or union territory of India. */
interface IndianState {
  /** ISO 3166-2 without its country. */
  readonly code: string;
  /** The first two digits of its GSTINs. */
  readonly gst_code: string;
  readonly name: string;
}

/** A line each: ISO code, GST code, name, and after `=` the codes and names that people also write. */
const indianStateNames = `
AN 35 Andaman and Nicobar Islands = Andaman and Nicobar
AP 37 Andhra Pradesh
AR 12 Arunachal Pradesh
AS 18 Assam
BR 10 Bihar
CG 22 Chhattisgarh = CT, Chattisgarh
CH 04 Chandigarh
DH 26 Dadra and Nagar Haveli and Daman and Diu = DN, DD, Dadra and Nagar Haveli, Daman and Diu
DL 07 Delhi = New Delhi, NCT of Delhi
GA 30 Goa
GJ 24 Gujarat
HP 02 Himachal Pradesh
HR 06 Haryana
JH 20 Jharkhand
JK 01 Jammu and Kashmir
KA 29 Karnataka
KL 32 Kerala
LA 38 Ladakh
LD 31 Lakshadweep
MH 27 Maharashtra
ML 17 Meghalaya
MN 14 Manipur
MP 23 Madhya Pradesh
MZ 15 Mizoram
NL 13 Nagaland
OD 21 Odisha = OR, Orissa
PB 03 Punjab
PY 34 Puducherry = Pondicherry
RJ 08 Rajasthan
SK 11 Sikkim
TN 33 Tamil Nadu = Tamilnadu
TR 16 Tripura
TS 36 Telangana = TG
UK 05 Uttarakhand = UT, Uttaranchal
UP 09 Uttar Pradesh
WB 19 West Bengal
`;

/**
 * The states of each first three digits of a PIN: the state with the most PINs first, then the ranges of digits.
 *
 * Source: India Post's All India Pincode Directory (data.gov.in), its edition of 3 October 2025 as the package
 * indian-pincode 2.1.0 for Python has it. Left out are entries in districts that do not adjoin those of the same
 * digits, such as Nagaur in Gujarat's 384. Added is Andhra Pradesh at 507, for the part of Khammam that joined it in
 * 2014.
 */
const pinStates = `
DL: 110
HR: 121-127 131-136
PB: 140-148 151-152
CH PB: 160
HP: 171-177
JK: 180-182 184-185 190-193
LA: 194
UP: 201-212 221-233 241-243 245 250-251 261 271-277 281-285
UP UK: 244 247
UK UP: 246 262
UK: 248-249 263
RJ: 301-307 311-314 321-328 331-335 341-345
GJ: 360-361 363-365 370 380 382-385 387-395
GJ DH: 362 396
MH: 400-402 410-416 421-425 431 440-445
GA: 403
MP: 450-458 460-466 470-477 480-488
CG: 490-497
TS: 500-506 508-509
TS AP: 507
AP: 515-518 520-524 530-532 534-535
AP PY: 533
KA: 560-563 570-577 580-587 590-591
TN: 600-604 606 608 610-614 620-632 635-639 641-643
TN PY: 605 607 609
KL: 670-671 676 678-680 683 685-686 688-691 695
KL PY: 673
KL LD: 682
WB: 700 711-713 721-723 731-736 741-743
SK: 737
AN: 744
OD: 751-770
AS ML: 781-782
AS: 783-788
AR: 790-792
ML: 793-794
MN: 795
MZ: 796
NL: 797-798
TR: 799
BR: 800-801 803-805 811-812 821 823-824 841-848 851-855
BR UP: 802
BR JH: 813
JH BR: 814
JH: 815-816 818 822 825-829 831-835
`;

/** The parts of an address that determine its place of supply. */
interface Place {
  readonly country: string;
  readonly postal_code: string | null;
  readonly state: string | null;
}

/** The state of a place as its country names it, or why it is none, with the states that its PIN allows. */
type StateReading =
  | { readonly state: string | null; readonly problem?: undefined }
  | { readonly problem: string; readonly allowed: readonly string[] };

const states = memoized((): readonly (IndianState & { readonly spellings: readonly string[] })[] =>
  Array.from(
    indianStateNames.matchAll(/^(\w\w) (\d\d) (.+?)(?: = (.+))?$/gm),
    ([, code = "", gst_code = "", name = "", others]) => ({
      code,
      gst_code,
      name,
      spellings: [code, `IN-${code}`, name, ...(others?.split(", ") ?? [])].map(compared),
    }),
  ),
);

const prefixes = memoized((): ReadonlyMap<string, readonly IndianState[]> => {
  const named = new Map(states().map((state) => [state.code, state]));
  const lines = pinStates.matchAll(/^([A-Z ]+): (.+)$/gm);
  return new Map(
    [...lines].flatMap(([, codes = "", ranges = ""]) => {
      const allowed = codes.split(" ").flatMap((code) => named.get(code) ?? []);
      return ranges.split(" ").flatMap((range) => {
        const [first = 0, last = first] = range.split("-").map(Number);
        return Array.from({ length: last - first + 1 }, (_, index): [string, IndianState[]] => [
          String(first + index),
          allowed,
        ]);
      });
    }),
  );
});

/** The states and union territories of India. */
export const indianStates = (): readonly IndianState[] => states();

/** The first three digits of all PINs that India Post has assigned. */
export const pinPrefixes = (): readonly string[] => [...prefixes().keys()];

/**
 * The states in which a PIN can be. All states for digits that India Post has not assigned, such as those of army post
 * offices, which move.
 *
 * @param pin a PIN or its first three digits
 */
export const statesOfPin = (pin: string): readonly IndianState[] =>
  prefixes().get(pin.slice(0, 3)) ?? states();

/** The state of India with this name or code, such as `KA`, or `29` as in its GSTINs. */
export function indianState(written: string): IndianState | undefined {
  const sought = compared(written);
  return states().find(
    ({ gst_code, spellings }) => spellings.includes(sought) || gst_code === written.trim(),
  );
}

/** The state of India whose GSTINs start like this one. */
export const stateOfGstin = (gstin: string): IndianState | undefined =>
  states().find(({ gst_code }) => gstin.startsWith(gst_code));

/** Names compare without case, punctuation and diacritics: `Jammu & Kashmir` is `Jammu and Kashmir`. */
const compared = (written: string): string =>
  written
    .normalize("NFKD")
    .replaceAll("&", "and")
    .replaceAll(/[^A-Za-z]/g, "")
    .toUpperCase();

/**
 * Reads the state of an address. In India it must be one that the PIN allows. It is filled where the PIN allows one, and
 * required where it allows several. Other countries' states are kept as written.
 */
export function readState({ country, postal_code, state }: Place): StateReading {
  if (country !== "IN") return { state };
  const allowed = statesOfPin(postal_code ?? "");
  const [only, ...others] = allowed;
  if (state === null && only && others.length === 0) return { state: only.name };
  const known = state === null ? undefined : indianState(state);
  if (known && allowed.includes(known)) return { state: known.name };
  const names = allowed.map(({ name }) => name);
  const field = state === null ? "is required" : "must match the postal code";
  return { problem: `The state field ${field}: ${choice(names)}.`, allowed: names };
}

function choice(names: readonly string[]): string {
  if (names.length > 4) return "a state of India";
  return new Intl.ListFormat("en", { type: "disjunction" }).format(names);
}

/** The state of India in which an address is; undefined in other countries, and if it is not known. */
export function supplyState(place: Place): IndianState | undefined {
  const read = readState(place);
  if (place.country !== "IN" || read.problem !== undefined || read.state === null) return undefined;
  return indianState(read.state);
}
