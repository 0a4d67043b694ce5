/** Beginnings of regions' names that have a domain of their own. */
const domains = [
  ["cn-", "amazonaws.com.cn"],
  ["eusc-", "amazonaws.eu"],
  ["us-iso-", "c2s.ic.gov"],
  ["us-isob-", "sc2s.sgov.gov"],
  ["us-isof-", "csp.hci.ic.gov"],
  ["eu-isoe-", "cloud.adc-e.uk"],
] as const;

/**
 * Stands in for DynamoDB's rules of where it is, which with what they need weigh 10 KB: it is where one is told, or in
 * the region.
 *
 * @throws Error when the environment asks for FIPS or dual-stack endpoints: bundles are made without them
 */
export function defaultEndpointResolver(asked: {
  readonly Region?: string;
  readonly Endpoint?: string;
  readonly UseFIPS?: boolean;
  readonly UseDualStack?: boolean;
}) {
  const { Region = "", Endpoint, UseFIPS, UseDualStack } = asked;
  if (UseFIPS || UseDualStack) {
    throw new Error("This bundle was made without FIPS and dual-stack endpoints.");
  }
  const [, domain] = domains.find(([beginning]) => Region.startsWith(beginning)) ?? [];
  const url = Endpoint ?? `https://dynamodb.${Region}.${domain ?? "amazonaws.com"}`;
  return { url: new URL(url), headers: {}, properties: {} };
}
