// @module-tag slow
import { type App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import recommended from "aws-cdk-lib/recommended-feature-flags.json" with { type: "json" };
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { consumers } from "#functions/consumers.ts";
import { authorizer, families } from "#functions/families.ts";
import { storefront } from "#infra/cloud/app.ts";
import { stackParts } from "#infra/cloud/stage.ts";
import cdk from "../../cdk.json" with { type: "json" };
import { bundles, resources, shop } from "./deployed-shop.ts";
import { resourcesOf } from "./template.ts";

const context = {
  ...cdk.context,
  cdn: "true",
  region: "eu-west-1",
  mailDomain: "shop.example.com",
};
const behindCdn = await storefront({ authorizer, families, consumers }, { context, bundles });

const stacksOf = (app: App) => app.node.findAll().filter((construct) => Stack.isStack(construct));
const stacks = [shop.app, behindCdn.app].flatMap(stacksOf);
const named = stacks.map((stack) => [stack.stackName, stack] as const);

/** The values of all members with this name, at any depth of a template. */
function membersNamed(name: string, value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === name ? [member as unknown] : []),
    ...membersNamed(name, member),
  ]);
}

test("cdk.json sets every feature flag to the value that the CDK library recommends, except that references are strong", () => {
  const strong = { "@aws-cdk/core:defaultCrossStackReferences": "strong" };
  expect(cdk.context).toMatchObject({ ...recommended, ...strong });
});

describe("the stacks", () => {
  test("are those that the preflight looks at", () => {
    const partsOf = (app: App) =>
      new Set<string | undefined>(
        stacksOf(app).map(({ stackName }) => stackName.split("-").at(-1)),
      );
    const { everywhere, withCdn } = stackParts;
    expect(partsOf(shop.app)).toEqual(new Set(everywhere));
    expect(partsOf(behindCdn.app)).toEqual(new Set([...everywhere, ...withCdn]));
  });

  test("have at most 450 resources each, even with 40 more routes", async () => {
    const [first, ...others] = families;
    if (!first) throw new Error("The manifest has no family");
    const [model] = first.routes;
    if (!model) throw new Error(`${first.name} has no route`);
    const added = Array.from({ length: 40 }, (_each, n) => ({ ...model, path: `/more/${n}` }));
    const grown = [{ ...first, routes: [...first.routes, ...added] }, ...others];
    const { app } = await storefront(
      { authorizer, families: grown, consumers },
      { context, bundles },
    );
    for (const stack of stacksOf(app)) {
      const count = Object.keys(resourcesOf(stack).all).length;
      console.log(`${stack.stackName}: ${count} resources.`);
      expect([stack.stackName, count, count <= 450]).toEqual([stack.stackName, count, true]);
    }
    const routes = resourcesOf(behindCdn.api).of("AWS::ApiGatewayV2::Route").length;
    const api = stacksOf(app).find(({ stackName }) => stackName === behindCdn.api.stackName);
    expect(api && resourcesOf(api).of("AWS::ApiGatewayV2::Route")).toHaveLength(routes + 40);
  });

  const Output = z.object({ StackName: z.string(), OutputName: z.string() });

  test("resolve few outputs singly, because CloudFormation counts each occurrence against a quota", () => {
    for (const app of [shop.app, behindCdn.app]) {
      const read = stacksOf(app).flatMap((stack) =>
        membersNamed("Fn::GetStackOutput", Template.fromStack(stack).toJSON()),
      );
      expect(read.length).toBeGreaterThan(10);
      expect(read.length).toBeLessThanOrEqual(36);
    }
  });

  const switches: Record<string, string>[] = [
    {},
    { cdn: "true" },
    { mailDomain: "shop.example.com" },
    { budget: "100" },
    { table: "restored/stream/2026-11-26T18:00:00.000" },
    { release: "2" },
    { docs: "closed" },
  ];
  test(
    "can change every switch in one deployment: what a stack imports is still exported by the next version of the other",
    { tags: "slow" },
    async () => {
      const forms = await Promise.all(
        switches.map(async (each) => {
          const made = await storefront(
            { authorizer, families, consumers },
            { context: { ...cdk.context, region: "eu-west-1", ...each }, bundles },
          );
          const templates = stacksOf(made.app).map((stack) => Template.fromStack(stack).toJSON());
          return {
            name: JSON.stringify(each),
            imports: new Set(membersNamed("Fn::ImportValue", templates).map(String)),
            exports: new Set(
              membersNamed(
                "Export",
                templates.map(({ Outputs }): unknown => Outputs),
              ).map((value) => (value as { Name: string }).Name),
            ),
          };
        }),
      );
      const missing = forms.flatMap((before) =>
        forms.flatMap((after) =>
          [...before.imports.difference(after.exports)].map(
            (name) => `${name} from ${before.name} to ${after.name}`,
          ),
        ),
      );
      expect(missing).toEqual([]);
      for (const { imports } of forms) expect(imports.size).toBeGreaterThan(40);
    },
  );

  test.each([
    ["without CloudFront", shop.app],
    ["behind CloudFront", behindCdn.app],
  ])("read only outputs that the other stack has, %s", (_what, app) => {
    const outputs = new Set(
      stacksOf(app).flatMap((stack) => {
        const { Outputs = {} } = Template.fromStack(stack).toJSON();
        return Object.keys(Outputs as object).map((output) => `${stack.stackName}.${output}`);
      }),
    );
    const read = stacksOf(app)
      .flatMap((stack) => membersNamed("Fn::GetStackOutput", Template.fromStack(stack).toJSON()))
      .map((value) => Output.parse(value))
      .map(({ StackName, OutputName }) => `${StackName}.${OutputName}`);
    expect(read.filter((output) => !outputs.has(output))).toEqual([]);
  });

  test("never apply Fn::Split to an output of another stack, because CloudFormation may not support that", () => {
    for (const stack of stacks) {
      const split = membersNamed("Fn::Split", Template.fromStack(stack).toJSON());
      expect(split.flatMap((value) => membersNamed("Fn::GetStackOutput", value))).toEqual([]);
    }
  });
});

describe("every bucket", () => {
  test.each(named)("of %s has ACLs disabled", (_name, stack) => {
    for (const { Properties } of resourcesOf(stack).of("AWS::S3::Bucket")) {
      expect(Properties).toMatchObject({
        OwnershipControls: { Rules: [{ ObjectOwnership: "BucketOwnerEnforced" }] },
      });
      expect(Properties).not.toHaveProperty("AccessControl");
    }
  });
});

describe("the bucket of public files", () => {
  test("can be read by CloudFront only through the shop's own distribution", () => {
    const [policy, ...others] = resources.media.of("AWS::S3::BucketPolicy");
    expect(others).toEqual([]);
    const { Statement } = z
      .object({ Statement: z.array(z.looseObject({ Effect: z.string() })) })
      .parse(policy?.Properties["PolicyDocument"]);
    const arn: unknown = shop.media.resolve(shop.media.distribution.distributionArn);
    expect(JSON.stringify(arn)).toMatch(/"Ref":"Distribution/);
    expect(Statement.filter(({ Effect }) => Effect === "Allow")).toEqual([
      expect.objectContaining({
        Action: "s3:GetObject",
        Principal: { Service: "cloudfront.amazonaws.com" },
        Condition: { StringEquals: { "aws:SourceArn": arn } },
      }),
    ]);
    expect(policy?.Properties["Bucket"]).toEqual(shop.media.resolve(shop.data.media.bucketName));
  });

  test("has no second policy, which would replace the first", () => {
    const { Ref } = shop.data.resolve(shop.data.media.bucketName) as { Ref: string };
    const policies = resources.data.of("AWS::S3::BucketPolicy");
    expect(policies.length).toBeGreaterThan(0);
    expect(
      policies.filter(({ Properties }) => JSON.stringify(Properties["Bucket"]).includes(Ref)),
    ).toEqual([]);
  });
});

describe("every distribution", () => {
  const distributions = stacks.flatMap((stack) =>
    resourcesOf(stack).of("AWS::CloudFront::Distribution"),
  );

  test("speaks HTTP/3", () => {
    expect(distributions).toHaveLength(3);
    for (const { Properties } of distributions) {
      expect(Properties["DistributionConfig"]).toMatchObject({ HttpVersion: "http2and3" });
    }
  });

  test("uses no legacy logging, which requires a bucket with ACLs", () => {
    for (const { Properties } of distributions) {
      expect(Properties["DistributionConfig"]).not.toHaveProperty("Logging");
    }
  });

  test("sends its access logs through standard logging v2, which is configured in us-east-1", () => {
    const { edge, media, api, data } = behindCdn;
    if (!edge) throw new Error("No stack for the logs");
    expect(edge.region).toBe("us-east-1");
    const made = resourcesOf(edge);
    expect(made.of("AWS::Logs::DeliverySource").map(({ Properties }) => Properties)).toEqual(
      [media, api].map(({ distribution }) =>
        expect.objectContaining({
          LogType: "ACCESS_LOGS",
          ResourceArn: edge.resolve(distribution?.distributionArn) as unknown,
        }),
      ),
    );
    expect(made.of("AWS::Logs::Delivery")).toHaveLength(2);
    const statements = membersNamed("Statement", resourcesOf(data).of("AWS::S3::BucketPolicy"));
    expect(statements.flat()).toContainEqual(
      expect.objectContaining({
        Action: "s3:PutObject",
        Principal: { Service: "delivery.logs.amazonaws.com" },
        Condition: expect.objectContaining({
          ArnLike: { "aws:SourceArn": expect.anything() },
          StringEquals: expect.objectContaining({ "aws:SourceAccount": { Ref: "AWS::AccountId" } }),
        }),
      }),
    );
  });

  test("logs neither queries nor cookies, which may hold tokens", () => {
    if (!behindCdn.edge) throw new Error("No stack for the logs");
    for (const { Properties } of resourcesOf(behindCdn.edge).of("AWS::Logs::Delivery")) {
      const fields = z.array(z.string()).min(1).parse(Properties["RecordFields"]);
      expect(fields.filter((field) => /query|cookie|referer/i.test(field))).toEqual([]);
    }
  });
});
