import { expect, test } from "vitest";
import * as z from "zod";
import { consumers } from "#functions/consumers.ts";
import { authorizer, families } from "#functions/families.ts";
import { storefront } from "#infra/cloud/app.ts";
import cdk from "../../cdk.json" with { type: "json" };
import { bundles, shop } from "./deployed-shop.ts";
import { type Resources, resourcesOf } from "./template.ts";

const functionsWith = async (context: Record<string, string>): Promise<Resources> => {
  const switched = { ...cdk, context: { ...cdk.context, ...context }, bundles };
  const made = await storefront({ authorizer, families, consumers }, switched);
  return resourcesOf(made.functions, made.consumers);
};

const versionsIn = ({ all }: Resources) =>
  Object.keys(all).filter((id) => all[id]?.Type === "AWS::Lambda::Version");

test("a new value of `release` creates a new version of every function, and the same value creates none", async () => {
  const first = await functionsWith({ release: "one" });
  const same = await functionsWith({ release: "one" });
  const second = await functionsWith({ release: "two" });
  const functions = first.of("AWS::Lambda::Function").length;
  expect(versionsIn(first)).toHaveLength(functions);
  expect(versionsIn(same)).toEqual(versionsIn(first));
  expect(versionsIn(second).filter((id) => versionsIn(first).includes(id))).toEqual([]);
});

const Group = z.object({
  DeploymentConfigName: z.string(),
  AlarmConfiguration: z.object({
    Enabled: z.boolean().default(true),
    Alarms: z.array(z.unknown()),
  }),
});

test("`rollout=all` deploys a fix for all requests at once, even while alarms are raised", async () => {
  const groupsIn = (resources: Resources) =>
    resources
      .of("AWS::CodeDeploy::DeploymentGroup")
      .map(({ Properties }) => Group.parse(Properties))
      .map(({ DeploymentConfigName: name, AlarmConfiguration: { Enabled } }) => [name, Enabled]);
  const canary = groupsIn(resourcesOf(shop.functions));
  const all = groupsIn(await functionsWith({ rollout: "all" }));
  expect(canary).toHaveLength(families.length + 1);
  expect(canary).toEqual(
    canary.map(() => ["CodeDeployDefault.LambdaCanary10Percent5Minutes", true]),
  );
  expect(all).toEqual(canary.map(() => ["CodeDeployDefault.LambdaAllAtOnce", false]));
});
