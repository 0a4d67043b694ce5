import { DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { GetServiceQuotaCommand } from "@aws-sdk/client-service-quotas";
import { GetCallerIdentityCommand } from "@aws-sdk/client-sts";
import { ListDistributionsCommand } from "@aws-sdk/client-cloudfront";
import type { Clients } from "./clients.ts";
import { type Finding, note, ok, problem, wordsOf } from "./finding.ts";

/** @returns the account's id, or a problem */
export async function account({ sts }: Clients): Promise<string | Finding> {
  try {
    const { Account } = await sts.send(new GetCallerIdentityCommand());
    return Account ?? problem("AWS names no account for these credentials.");
  } catch (cause) {
    return problem(
      `AWS refuses the credentials: ${wordsOf(cause)}. Sign in again, and check that the account ` +
        "has enabled the region.",
    );
  }
}

/** Oldest usable version of CDK's bootstrap stack. The deployed templates check for the same version. */
const oldestBootstrap = 6;

export async function checkBootstrap(
  clients: Clients,
  accountId: string,
  region: string,
): Promise<Finding> {
  const command = `npx cdk bootstrap aws://${accountId}/${region}`;
  try {
    const { Stacks = [] } = await clients
      .stacksIn(region)
      .send(new DescribeStacksCommand({ StackName: "CDKToolkit" }));
    const output = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === "BootstrapVersion");
    const version = Number(output?.OutputValue ?? 0);
    return version >= oldestBootstrap
      ? ok(`${region} is bootstrapped, version ${version}.`)
      : problem(`The bootstrap stack in ${region} is too old: run ${command}.`);
  } catch (cause) {
    if (wordsOf(cause).includes("does not exist")) {
      return problem(`${region} is not bootstrapped: run ${command}.`);
    }
    return problem(`The bootstrap stack in ${region} cannot be read: ${wordsOf(cause)}.`);
  }
}

interface Quota {
  readonly service: string;
  readonly code: string;
  readonly name: string;
}

const concurrency: Quota = {
  service: "lambda",
  code: "L-B99A9384",
  name: "Concurrent executions",
};
const routesPerApi: Quota = { service: "apigateway", code: "L-65B5C802", name: "Routes per API" };

/** Lambda keeps this much of the quota for functions without reserved concurrency. */
const unreserved = 100;

/** @param reserved the sum of all reserved concurrency in the manifest; 0 if the deployment reserves nothing */
export function lambdaQuota(clients: Clients, reserved: number): Promise<Finding> {
  const otherwise = reserved > 0 ? " Until then, pass -c reserve=false." : "";
  return quota(clients, concurrency, { needed: reserved + unreserved, otherwise, reserved });
}

/** @param routes number of routes of the HTTP API */
export const routeQuota = (clients: Clients, routes: number): Promise<Finding> =>
  quota(clients, routesPerApi, { needed: routes, otherwise: "", reserved: routes });

async function quota(
  { quotas }: Clients,
  { service, code, name }: Quota,
  { needed, otherwise, reserved }: { needed: number; otherwise: string; reserved: number },
): Promise<Finding> {
  try {
    const request = new GetServiceQuotaCommand({ ServiceCode: service, QuotaCode: code });
    const { Quota: found } = await quotas.send(request);
    const value = found?.Value ?? 0;
    if (value >= needed) return ok(`The quota "${name}" is ${value}.`);
    const message =
      `The quota "${name}" (${service}, ${code}) is ${value}; ${needed} are needed. Request an ` +
      `increase in Service Quotas.${otherwise}`;
    // Without reserved concurrency, a small quota slows the shop down, but the deployment succeeds.
    return reserved > 0 ? problem(message) : note(message);
  } catch (cause) {
    return note(`The quota "${name}" cannot be read: ${wordsOf(cause)}. It must be ${needed}.`);
  }
}

/**
 * Checks whether the account uses CloudFront already. No AWS call tells whether a new account may create distributions.
 */
export async function cloudFront({ cloudFront: client }: Clients): Promise<Finding> {
  try {
    const { DistributionList } = await client.send(new ListDistributionsCommand({ MaxItems: 1 }));
    if ((DistributionList?.Quantity ?? 0) > 0)
      return ok("The account has CloudFront distributions.");
    return note(
      "The account has no CloudFront distribution yet. AWS may have to verify a new account " +
        "first: if the media stack fails for this reason, ask AWS support, then deploy again.",
    );
  } catch (cause) {
    return problem(`CloudFront refuses the account: ${wordsOf(cause)}. Ask AWS support.`);
  }
}
