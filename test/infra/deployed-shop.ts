import { CfnElement } from "aws-cdk-lib";
import * as z from "zod";
import { type Consumer, consumers } from "#functions/consumers.ts";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import { type Family, authorizer, families } from "#functions/families.ts";
import { storefront } from "#infra/cloud/app.ts";
import { functionOf } from "#infra/cloud/service-function.ts";
import { localBundles } from "#infra/local/functions/local-bundles.ts";
import cdk from "../../cdk.json" with { type: "json" };
import { resourcesOf, statementsOf } from "./template.ts";

export const mailDomain = "shop.example.com";
// When the CDK CLI runs the app, it sets this context from cdk.json.
const assets = { "aws:cdk:enable-asset-metadata": cdk.assetMetadata };
const withMail = { ...cdk, context: { ...cdk.context, ...assets, mailDomain } };
export const bundles = await localBundles();
/** The whole shop, deployed with only the mail domain set. */
export const shop = await storefront({ authorizer, families, consumers }, { ...withMail, bundles });
// Throws if a cdk-nag rule is violated without a stated reason.
shop.app.synth();
/** The resources of each stack. */
export const resources = {
  data: resourcesOf(shop.data),
  media: resourcesOf(shop.media),
  /** Of the functions behind the API, and of the consumers. */
  functions: resourcesOf(shop.functions, shop.consumers),
  api: resourcesOf(shop.api),
  operations: resourcesOf(shop.operations),
};
export const functions: readonly (DeployedFunction | Family | Consumer)[] = [
  authorizer,
  ...families,
  ...consumers,
];
export const named = functions.map((each) => [each.name, each] as const);

export const Ref = z.object({ Ref: z.string() });
export const Arn = z.object({ "Fn::GetAtt": z.tuple([z.string(), z.literal("Arn")]) });
export const idOf = (arn: unknown) => Arn.parse(arn)["Fn::GetAtt"][0];

const LambdaProperties = z.object({
  Runtime: z.string(),
  Architectures: z.array(z.string()),
  Role: Arn,
  LoggingConfig: z.object({ LogGroup: Ref }),
  TracingConfig: z.object({ Mode: z.string() }),
  Environment: z
    .object({ Variables: z.record(z.string(), z.unknown()) })
    .default({ Variables: {} }),
});

/** A function of the manifest as the template has it. */
export function deployed(name: string) {
  const stack = shop.functions.functions.has(name) ? shop.functions : shop.consumers;
  const { lambda, alias } = functionOf(stack, name);
  const resource = lambda.node.defaultChild;
  if (!CfnElement.isCfnElement(resource)) throw new Error(`${name} deploys no function`);
  const id = stack.getLogicalId(resource);
  const properties = LambdaProperties.parse(resources.functions.all[id]?.Properties);
  const statements = statementsOf(idOf(properties.Role), resources.functions);
  return { id, alias, properties, statements };
}
