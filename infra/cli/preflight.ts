import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { authorizer, families } from "#functions/families.ts";
import { consumers } from "#functions/consumers.ts";
import { type StageOptions, stageOptions, stackParts } from "../cloud/stage.ts";
import {
  account,
  checkBootstrap,
  cloudFront,
  lambdaQuota,
  routeQuota,
} from "./preflight/account.ts";
import { type Clients, openClients } from "./preflight/clients.ts";
import { type Finding, ok, problem } from "./preflight/finding.ts";
import { mail } from "./preflight/mail.ts";
import { protection, stacks } from "./preflight/stacks.ts";

/** CloudFront uses only firewalls of this region. */
const firewallRegion = "us-east-1";

/** The CDK context: values of `-c name=value` override those of cdk.json. */
function contextOf(args: readonly string[]): Record<string, unknown> {
  const { values } = parseArgs({
    args: [...args],
    options: { context: { type: "string", short: "c", multiple: true } },
  });
  const file = readFileSync(new URL("../../cdk.json", import.meta.url), "utf8");
  // The cast is safe: the file belongs to this repository.
  const { context = {} } = JSON.parse(file) as { context?: Record<string, unknown> };
  const passed = (values.context ?? []).map((text) => {
    const at = text.indexOf("=");
    return at < 0 ? [text, "true"] : [text.slice(0, at), text.slice(at + 1)];
  });
  return { ...context, ...(Object.fromEntries(passed) as Record<string, string>) };
}

/**
 * Checks whether a deployment with these switches can succeed. Changes nothing.
 *
 * @param args the arguments of `cdk deploy`
 * @throws Error if a switch is invalid
 */
export async function preflight(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  connect: (region: string) => Clients = (region) => openClients(region, undefined),
): Promise<Finding[]> {
  const context = contextOf(args);
  const options = stageOptions({
    tryGetContext: (name: string): unknown => context[name],
    getAllContext: () => context,
  });
  const fromCredentials = environment["AWS_REGION"] ?? environment["AWS_DEFAULT_REGION"];
  const region = options.region ?? fromCredentials;
  if (region === undefined) {
    return [problem("No region is set: set AWS_REGION, or pass -c region=….")];
  }
  const clients = connect(region);
  const accountId = await account(clients);
  if (typeof accountId !== "string") return [accountId];

  const production = options.stage === "prod";
  const { findings, data: deployed } = await stacks(clients, namesOf(options, region));
  const regions = options.cdn ? new Set([region, firewallRegion]) : [region];
  return [
    ok(`Stage ${options.stage}, account ${accountId}, region ${region}.`),
    ...(await Promise.all([...regions].map((each) => checkBootstrap(clients, accountId, each)))),
    await lambdaQuota(clients, options.reserve ? reservedConcurrency() : 0),
    await routeQuota(clients, routeCount()),
    await cloudFront(clients),
    ...(await mail(clients, { domain: options.mailDomain, production, deployed })),
    ...findings,
    protection({ production, protect: options.protect, deployed }),
  ];
}

const reservedConcurrency = (): number =>
  [authorizer, ...families, ...consumers].reduce(
    (sum, { reservedConcurrency: reserved = 0 }) => sum + reserved,
    0,
  );

/** The number of routes in API Gateway, including `$default`. */
const routeCount = () => families.flatMap(({ routes }) => routes).length + 1;

function namesOf({ stage, cdn }: StageOptions, region: string) {
  const names = stackParts.everywhere.map(
    (part) => [`furniture-${stage}-${part}`, region] as const,
  );
  const ofCdn = stackParts.withCdn.map(
    (part) => [`furniture-${stage}-${part}`, firewallRegion] as const,
  );
  return cdn ? [...names, ...ofCdn] : names;
}

if (import.meta.main) {
  try {
    const findings = await preflight(process.argv.slice(2), process.env);
    for (const { level, message } of findings) console.log(`${level}: ${message}`);
    process.exitCode = findings.some(({ level }) => level === "problem") ? 1 : 0;
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause);
    process.exitCode = 1;
  }
}
