/** Beginnings of regions' names that have a domain of their own. */
const domains = [
  ["cn-", "amazonaws.com.cn"],
  ["eusc-", "amazonaws.eu"],
  ["us-iso-", "c2s.ic.gov"],
  ["us-isob-", "sc2s.sgov.gov"],
  ["us-isof-", "csp.hci.ic.gov"],
  ["eu-isoe-", "cloud.adc-e.uk"],
] as const;

/** What the addresses of AWS's services in a region end with. */
export const awsDomain = (region: string): string =>
  domains.find(([beginning]) => region.startsWith(beginning))?.[1] ?? "amazonaws.com";
