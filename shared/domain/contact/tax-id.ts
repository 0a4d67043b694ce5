import { MachineText, readsAs } from "../base/machine-text.ts";
import { indianState } from "./place-of-supply.ts";

/** A tax number as somebody typed it. */
export const TaxId = MachineText(20)
  .toUpperCase()
  .check(readsAs(/^[A-Z0-9]+$/))
  .meta({ description: "The buyer's tax number; a GSTIN in India", example: "29AAGCB7383J1Z4" });

const gstin = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/;
const signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * The check character for the first fourteen characters of a GSTIN. Each character is a digit of base 36. The digits
 * are multiplied by 1 and 2 in turn. The base-36 digits of all products are added.
 */
function gstinCheckSign(body: string): string {
  const sum = Array.from(body, (sign, index) => {
    const product = signs.indexOf(sign) * (index % 2 === 0 ? 1 : 2);
    return Math.floor(product / 36) + (product % 36);
  }).reduce((total, digits) => total + digits, 0);
  return signs.charAt((36 - (sum % 36)) % 36);
}

/** Whether a tax number has its country's format. For a country whose format is unknown, every number is accepted. */
export function taxIdMatches(country: string, taxId: string): boolean {
  if (country !== "IN") return true;
  return gstin.test(taxId) && taxId.endsWith(gstinCheckSign(taxId.slice(0, 14)));
}

/**
 * Why a tax number cannot be that of a buyer with this billing address; undefined if it can. A GSTIN starts with the
 * code of its state.
 */
export function taxIdProblem(
  taxId: string,
  { country, state }: { readonly country: string; readonly state: string | null },
): string | undefined {
  if (!taxIdMatches(country, taxId)) return "The tax id field must be a valid tax number.";
  const of = country === "IN" && state !== null ? indianState(state) : undefined;
  if (!of || taxId.startsWith(of.gst_code)) return undefined;
  return `The tax id field must be of the billing address's state: a GSTIN of ${of.name} starts with ${of.gst_code}.`;
}
