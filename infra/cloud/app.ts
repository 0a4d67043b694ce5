import { join } from "node:path";
import { App, Validations, type AppProps } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import {
  authorizer,
  consumers,
  families,
  type Consumer,
  type DeployedFunction,
  type Family,
} from "#functions/families.ts";
import { ApiStack } from "./api-stack.ts";
import { bundle } from "./bundle.ts";
import { DataStack } from "./data-stack.ts";

interface Manifest {
  authorizer: DeployedFunction;
  families: readonly Family[];
  consumers: readonly Consumer[];
}

/**
 * The cloud side of the service, of one stage (`-c stage=…`), for the pages of some origins (`-c origins=…,…`),
 * with mail from a domain (`-c mailDomain=…`; without one, mail waits).
 * Every function is bundled on the way; nothing is looked up in an account.
 */
export async function storefront({ authorizer, families, consumers }: Manifest, props?: AppProps) {
  const app = new App(props);
  const stage = contextText(app, "stage", "dev");
  const origins = contextText(app, "origins", "*").split(",");
  const mailDomain = contextText(app, "mailDomain", undefined);

  const bundles = join(app.outdir, "bundles");
  await bundle([authorizer, ...families, ...consumers], bundles);

  const data = new DataStack(app, `furniture-${stage}-data`, {
    consumers,
    mailDomain,
    terminationProtection: true,
  });
  const api = new ApiStack(app, `furniture-${stage}-api`, {
    data,
    authorizer,
    families,
    consumers,
    origins,
    bundles,
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { app, data, api, bundles };
}

function contextText<Otherwise extends string | undefined>(
  app: App,
  key: string,
  otherwise: Otherwise,
): string | Otherwise {
  const value: unknown = app.node.tryGetContext(key);
  if (value === undefined) return otherwise;
  if (typeof value !== "string" || value === "") {
    throw new Error(`The context value ${key} must be text.`);
  }
  return value;
}

if (import.meta.main) {
  const { app } = await storefront({ authorizer, families, consumers });
  app.synth();
}
