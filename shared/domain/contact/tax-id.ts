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
