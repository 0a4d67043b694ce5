import { rmSync } from "node:fs";
import { join } from "node:path";
import { App, Tags, Validations, type AppProps } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { consumers } from "#functions/consumers.ts";
import { authorizer, families } from "#functions/families.ts";
import { bundle } from "#infra/bundle/bundle.ts";
import { addNativePackages } from "#infra/bundle/native-packages.ts";
import { everyEntity } from "#infra/entities.ts";
import { ApiStack } from "./api-stack.ts";
import { ConsumersStack } from "./consumers-stack.ts";
import { DataStack } from "./data-stack.ts";
import { EdgeStack } from "./edge-stack.ts";
import { FirewallStack } from "./firewall-stack.ts";
import { FunctionsStack, type Manifest } from "./functions-stack.ts";
import { MediaStack } from "./media-stack.ts";
import { OperationsStack } from "./operations-stack.ts";
import { stageOptions } from "./stage.ts";

/**
 * Builds the CDK app from the switches of the context (`stage.ts`). Bundles every function first. Reads nothing from an
 * AWS account.
 *
 * @param props.bundles directory of existing bundles; undefined: bundle now
 */
export async function storefront(
  manifest: Manifest,
  { bundles: madeBefore, ...props }: AppProps & { bundles?: string } = {},
) {
  const { authorizer, families, consumers } = manifest;
  const app = new App(props);
  const options = stageOptions(app.node);
  const { stage, region, cdn, cpu } = options;
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
    options,
    ...env,
  });
  const media = new MediaStack(app, `furniture-${stage}-media`, { data, ...env });
  const { logDays: logRetention, logRemoval, reserve } = options;
  const shared = {
    data,
    mediaBaseUrl: media.mediaBaseUrl,
    entities: await everyEntity(),
    bundles,
    cpu,
    logRetention,
    logRemoval,
    reserve,
    options,
    ...env,
  };
  const functions = new FunctionsStack(app, `furniture-${stage}-functions`, {
    manifest,
    ...shared,
  });
  const onEvents = new ConsumersStack(app, `furniture-${stage}-consumers`, {
    consumers,
    ...shared,
  });
  // CloudFront accepts a web ACL from us-east-1 only.
  const firewall = cdn
    ? new FirewallStack(app, `furniture-${stage}-firewall`, {
        mode: options.waf,
        env: { region: "us-east-1" },
      })
    : undefined;
  const api = new ApiStack(app, `furniture-${stage}-api`, {
    functions,
    manifest,
    options,
    webAclArn: firewall?.webAclArn,
    ...env,
  });
  const edge = api.distribution
    ? new EdgeStack(app, `furniture-${stage}-edge`, {
        distributions: { media: media.distribution, api: api.distribution },
        logs: data.logs,
        env: { region: "us-east-1" },
      })
    : undefined;
  const operations = new OperationsStack(app, `furniture-${stage}-operations`, {
    data,
    functions,
    onEvents,
    api: api.httpApi,
    consumers,
    options,
    ...env,
  });
  Tags.of(app).add("service", "furniture-storefront");
  Tags.of(app).add("stage", stage);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return {
    app,
    data,
    media,
    functions,
    consumers: onEvents,
    api,
    operations,
    firewall,
    edge,
    bundles,
  };
}

if (import.meta.main) {
  const { app } = await storefront({ authorizer, families, consumers });
  app.synth();
}
