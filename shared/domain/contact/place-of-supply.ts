import { memoized } from "../base/memoize.ts";
import { type IndianState, indianStateNames, pinStates } from "./indian-states.ts";

/** The parts of an address that determine its place of supply. */
interface Place {
  readonly country: string;
  readonly postal_code: string | null;
  readonly state: string | null;
}

/** The state of a place as its country names it, or why it is none, with the states that its PIN allows. */
export type StateReading =
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
