import { pinPrefixes, stateOfGstin, statesOfPin } from "../contact/place-of-supply.ts";
import type { StoreSettings } from "./store-settings.ts";
import type { TaxZone } from "./tax-settings.ts";

/** The taxes on supplies within a state. */
const withinState: ReadonlySet<string> = new Set(["cgst", "sgst", "utgst"]);
const betweenStates = "igst";

/**
 * Whether India's tax zones agree with the states of their PINs: CGST with SGST or UTGST in the state of the store's
 * GSTIN, IGST in all others. PINs that may be in this state or in another one may have either.
 */
export function taxZonesFit(
  { country, tax_id }: Pick<StoreSettings, "country" | "tax_id">,
  zones: readonly TaxZone[],
): boolean {
  const home = country === "IN" && tax_id !== null ? stateOfGstin(tax_id) : undefined;
  if (!home) return true;
  const indian = zones.filter((zone) => zone.country === country);
  return pinPrefixes().every((pin) => {
    const states = statesOfPin(pin);
    if (states.includes(home) && states.length > 1) return true;
    const isHome = states.includes(home);
    return zonesAt(indian, pin).every(({ classes }) =>
      Object.values(classes)
        .flat()
        .every(({ code }) => (isHome ? code !== betweenStates : !withinState.has(code))),
    );
  });
}

/** The zones that apply to PINs with these first digits. A zone of longer prefixes leaves PINs to those after it. */
function zonesAt(zones: readonly TaxZone[], pin: string): TaxZone[] {
  const covers = ({ postal_prefixes: prefixes }: TaxZone) =>
    prefixes.length === 0 || prefixes.some((prefix) => pin.startsWith(prefix));
  const whole = zones.findIndex(covers);
  return zones.filter(
    (zone, index) =>
      index === whole ||
      ((whole === -1 || index < whole) &&
        zone.postal_prefixes.some((prefix) => prefix.startsWith(pin))),
  );
}
