import { rmSync } from "node:fs";
import { join } from "node:path";
import { App, Tags, Validations, type AppProps } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { consumers, type Consumer } from "#functions/consumers.ts";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import { authorizer, families, type Family } from "#functions/families.ts";
import { bundle } from "#infra/bundle/bundle.ts";
import { addNativePackages } from "#infra/bundle/native-packages.ts";
import { everyEntity } from "#infra/entities.ts";
import { ApiStack } from "./api-stack.ts";
import { DataStack } from "./data-stack.ts";
import { FirewallStack } from "./firewall-stack.ts";
import { stageOptions } from "./stage.ts";

interface Manifest {
  authorizer: DeployedFunction;
  families: readonly Family[];
  consumers: readonly Consumer[];
}

/**
 * Builds the CDK app from the switches of the context (`stage.ts`). Bundles every function first. Makes no lookups in
 * an account.
 *
 * @param props.bundles directory of existing bundles; undefined: bundle now
 */
export async function storefront(
  { authorizer, families, consumers }: Manifest,
  { bundles: madeBefore, ...props }: AppProps & { bundles?: string } = {},
) {
  const app = new App(props);
  const options = stageOptions(app.node);
  const { stage, region, mailDomain, cdn, cpu } = options;
  const env = region === undefined ? {} : { env: { region } };

  const bundles = madeBefore ?? join(app.outdir, "bundles");
  if (madeBefore === undefined) {
    const functions = [authorizer, ...families, ...consumers];
    rmSync(bundles, { recursive: true, force: true });
    await bundle(functions, bundles);
    await addNativePackages(functions, bundles, cpu);
  }

  const data = new DataStack(app, `furniture-${stage}-data`, {
    consumers,
    mailDomain,
    terminationProtection: true,
    ...env,
  });
  // CloudFront accepts a web ACL from us-east-1 only.
  const firewall = cdn
    ? new FirewallStack(app, `furniture-${stage}-firewall`, { env: { region: "us-east-1" } })
    : undefined;
  const api = new ApiStack(app, `furniture-${stage}-api`, {
    data,
    authorizer,
    families,
    consumers,
    options,
    webAclArn: firewall?.webAclArn,
    entities: await everyEntity(),
    bundles,
    ...env,
  });
  Tags.of(app).add("service", "furniture-storefront");
  Tags.of(app).add("stage", stage);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { app, data, api, firewall, bundles };
}

if (import.meta.main) {
  const { app } = await storefront({ authorizer, families, consumers });
  app.synth();
}
