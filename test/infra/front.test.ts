// @module-tag slow
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { consumers } from "#functions/consumers.ts";
import { authorizer, families } from "#functions/families.ts";
import { storefront } from "#infra/cloud/app.ts";
import { functionOf } from "#infra/cloud/service-function.ts";
import { localBundles } from "#infra/local/functions/local-bundles.ts";
import { type Counted, countedNames } from "#shared/runtime/count.ts";
import { corsFor } from "#shared/http/cors.ts";
import cdk from "../../cdk.json" with { type: "json" };
import { type Resources, resourcesOf, statementsOf } from "./template.ts";

const manifest = { authorizer, families, consumers };
const bundles = await localBundles();
const domain = "api.example.com";
const certificateOf = (region: string) =>
  `arn:aws:acm:${region}:123456789012:certificate/1a2b-3c4d`;
const production = { stage: "prod", origins: "https://shop.example.com", region: "eu-west-1" };

async function synthesized(context: Record<string, string>) {
  const made = await storefront(manifest, {
    context: { ...cdk.context, ...production, ...context },
    bundles,
  });
  // Throws if a cdk-nag rule is violated without a stated reason.
  made.app.synth();
  return {
    ...made,
    resources: resourcesOf(made.api),
    ofFunctions: resourcesOf(made.functions, made.consumers),
    every: { functions: new Map([...made.functions.functions, ...made.consumers.functions]) },
  };
}

const only = (resources: Resources, type: string) => {
  const found = resources.of(type);
  expect([type, found.length]).toEqual([type, 1]);
  return found[0]?.Properties ?? {};
};

const withCdn = { cdn: "true", domain, certificateArn: certificateOf("us-east-1") };
const behindCdn = await synthesized(withCdn);

describe("CloudFront in front of the API", () => {
  const Config = z.object({
    DistributionConfig: z.object({
      Aliases: z.array(z.string()),
      WebACLId: z.unknown(),
      CustomErrorResponses: z.array(
        z.object({ ErrorCode: z.int(), ErrorCachingMinTTL: z.number() }),
      ),
      DefaultCacheBehavior: z.object({
        AllowedMethods: z.array(z.string()),
        ViewerProtocolPolicy: z.string(),
      }),
      Origins: z.tuple([
        z.object({
          CustomOriginConfig: z.object({ OriginProtocolPolicy: z.string() }),
          OriginCustomHeaders: z.array(
            z.object({ HeaderName: z.string(), HeaderValue: z.unknown() }),
          ),
        }),
      ]),
      ViewerCertificate: z.object({ MinimumProtocolVersion: z.string() }),
    }),
  });
  const { resources, ofFunctions, every, functions, api, firewall } = behindCdn;
  const config = Config.parse(only(resources, "AWS::CloudFront::Distribution")).DistributionConfig;

  test("serves the custom domain over TLS only, and accepts every method", () => {
    expect(config).toMatchObject({
      Aliases: [domain],
      DefaultCacheBehavior: { ViewerProtocolPolicy: "https-only" },
      ViewerCertificate: { MinimumProtocolVersion: "TLSv1.2_2021" },
    });
    expect(config.DefaultCacheBehavior.AllowedMethods).toEqual(
      expect.arrayContaining(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
    );
  });

  test("caches public responses as their Cache-Control header allows, and caches no errors", () => {
    const Policy = z.object({
      CachePolicyConfig: z.object({
        MinTTL: z.literal(0),
        DefaultTTL: z.literal(0),
        ParametersInCacheKeyAndForwardedToOrigin: z.object({
          HeadersConfig: z.object({ Headers: z.array(z.string()) }),
          QueryStringsConfig: z.object({ QueryStringBehavior: z.literal("all") }),
        }),
      }),
    });
    const { CachePolicyConfig } = Policy.parse(only(resources, "AWS::CloudFront::CachePolicy"));
    const { Headers } = CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin.HeadersConfig;
    expect(Headers).toEqual(expect.arrayContaining(["Authorization", "Origin"]));
    expect(config.CustomErrorResponses.map(({ ErrorCode }) => ErrorCode)).toEqual(
      expect.arrayContaining([404, 500, 503]),
    );
    for (const { ErrorCachingMinTTL } of config.CustomErrorResponses) {
      expect(ErrorCachingMinTTL).toBe(0);
    }
  });

  test("forwards every header that the service reads, within CloudFront's limit", () => {
    const Policy = z.object({
      OriginRequestPolicyConfig: z.object({
        HeadersConfig: z.object({ Headers: z.array(z.string()).max(10) }),
      }),
    });
    const { Headers } = Policy.parse(only(resources, "AWS::CloudFront::OriginRequestPolicy"))
      .OriginRequestPolicyConfig.HeadersConfig;
    // Headers that CloudFront forwards as part of the cache key, or sets itself.
    const otherwise = new Set(["authorization", "if-none-match", "accept-encoding"]);
    const declared = families.flatMap(({ routes }) =>
      routes.flatMap(({ request: { headers } }) =>
        headers instanceof z.ZodObject ? Object.keys(headers.shape) : [],
      ),
    );
    const taken = [...corsFor([]).allowHeaders, ...declared].map((name) => name.toLowerCase());
    const forwarded = Headers.map((name) => name.toLowerCase());
    expect(forwarded).toEqual(expect.arrayContaining(taken.filter((name) => !otherwise.has(name))));
    expect(forwarded).toContain("cloudfront-viewer-address");
    // API Gateway puts it into the request's context, which sessions and the activity log read.
    expect(forwarded).toContain("user-agent");
    expect(forwarded.length).toBeLessThanOrEqual(10);
  });

  test("sends the origin a secret that only functions with routes may read", () => {
    const [origin] = config.Origins;
    expect(origin.CustomOriginConfig.OriginProtocolPolicy).toBe("https-only");
    const [secretId] = Object.entries(ofFunctions.all).find(
      ([, { Type }]) => Type === "AWS::SecretsManager::Secret",
    ) ?? [""];
    const secretArn: unknown = api.resolve(functions.originSecret?.secretArn);
    expect(origin.OriginCustomHeaders).toEqual([
      {
        HeaderName: "X-Origin-Secret",
        HeaderValue: {
          "Fn::Join": ["", ["{{resolve:secretsmanager:", secretArn, ":SecretString:::}}"]],
        },
      },
    ]);
    for (const deployed of [authorizer, ...families, ...consumers]) {
      const { node } = functionOf(every, deployed.name);
      const idOf = (child: string) =>
        functions.getLogicalId(node.findChild(child).node.defaultChild as never);
      const Variables = z.object({
        Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }).optional(),
      });
      const { Environment } = Variables.parse(ofFunctions.all[idOf("Function")]?.Properties);
      const reads = statementsOf(idOf("Role"), ofFunctions).some(({ Resource }) =>
        JSON.stringify(Resource).includes(secretId),
      );
      const knows = Environment !== undefined && "ORIGIN_SECRET" in Environment.Variables;
      const should = "routes" in deployed;
      expect([deployed.name, reads, knows]).toEqual([deployed.name, should, should]);
    }
  });

  test("publishes new versions of the functions with routes if the secret has a new version", async () => {
    const rotated = await synthesized({ ...withCdn, originSecretVersion: "5f2c" });
    const versionsOf = ({ ofFunctions }: typeof rotated) =>
      Object.keys(ofFunctions.all).filter((id) => /FunctionCurrentVersion/.test(id));
    const kept = new Set(versionsOf(behindCdn));
    const replaced = versionsOf(rotated).filter((id) => !kept.has(id));
    expect(replaced).toHaveLength(families.length);
    const [origin] = Config.parse(only(rotated.resources, "AWS::CloudFront::Distribution"))
      .DistributionConfig.Origins;
    expect(JSON.stringify(origin.OriginCustomHeaders)).toContain("SecretString:::5f2c}}");
  });

  test("has a firewall in us-east-1 with AWS's managed rules and rate limits per client and per IP address", () => {
    expect(firewall?.region).toBe("us-east-1");
    expect(config.WebACLId).toMatchObject({
      "Fn::GetStackOutput": { StackName: "furniture-prod-firewall", Region: "us-east-1" },
    });
    if (!firewall) throw new Error("No firewall");
    const RateRule = z
      .object({ RateBasedStatement: z.object({ AggregateKeyType: z.string(), Limit: z.int() }) })
      .transform(({ RateBasedStatement }) => RateBasedStatement);
    const WebAcl = z.object({
      Scope: z.literal("CLOUDFRONT"),
      Rules: z.array(z.object({ Name: z.string(), Statement: z.record(z.string(), z.unknown()) })),
    });
    const { Rules } = WebAcl.parse(only(resourcesOf(firewall), "AWS::WAFv2::WebACL"));
    const kinds = Rules.flatMap(({ Statement }) => Object.keys(Statement));
    expect(kinds.toSorted()).toEqual([
      "ManagedRuleGroupStatement",
      "ManagedRuleGroupStatement",
      "ManagedRuleGroupStatement",
      "RateBasedStatement",
      "RateBasedStatement",
      "RateBasedStatement",
    ]);
    const rates = Rules.flatMap(({ Statement }) => RateRule.safeParse(Statement).data ?? []);
    const byClient = rates.filter(({ AggregateKeyType }) => AggregateKeyType === "CUSTOM_KEYS");
    const byAddress = rates.filter(({ AggregateKeyType }) => AggregateKeyType === "IP");
    expect([byClient.length, byAddress.length]).toEqual([2, 1]);
    for (const { Limit } of byClient) expect(byAddress[0]?.Limit).toBeGreaterThan(Limit);
  });

  test("only counts requests that match the firewall rules, until the switch `waf` is set to block", async () => {
    const rulesWith = async (context: Record<string, string>) => {
      const made = await synthesized({ cdn: "true", ...context });
      if (!made.firewall) throw new Error("No firewall");
      return JSON.stringify(only(resourcesOf(made.firewall), "AWS::WAFv2::WebACL")["Rules"]);
    };
    const counting = await rulesWith({});
    expect(counting).not.toContain('"Block"');
    expect(counting).not.toContain('"None"');
    const blocking = await rulesWith({ waf: "block" });
    expect(blocking.match(/"Action":{"Block"/g)).toHaveLength(3);
    expect(blocking.match(/"OverrideAction":{"None"/g)).toHaveLength(3);
    for (const rules of [counting, blocking]) {
      expect(rules.match(/"CustomKeys":\[{"IP":{}},{"JA4Fingerprint"/g)).toHaveLength(2);
    }
  });

  test("never overrides AWS's managed rules with an empty list, which AWS rejects", () => {
    if (!firewall) throw new Error("No firewall");
    const template = JSON.stringify(resourcesOf(firewall).all);
    expect(template).toContain('"RuleActionOverrides":[{');
    expect(template).not.toContain("[]");
  });

  test("has no second API Gateway domain, and the API stack has fewer than 350 resources", () => {
    expect(resources.of("AWS::ApiGatewayV2::DomainName")).toEqual([]);
    expect(Object.keys(resources.all).length).toBeLessThan(350);
  });

  test("raises an alarm in us-east-1 when a distribution returns 5xx errors", () => {
    const { edge } = behindCdn;
    if (!edge) throw new Error("No stack for CloudFront");
    const alarms = resourcesOf(edge).of("AWS::CloudWatch::Alarm");
    expect(resourcesOf(edge).of("AWS::SNS::Topic")).toHaveLength(1);
    expect(alarms).toHaveLength(2);
    for (const { Properties } of alarms)
      expect(Properties).toMatchObject({
        Namespace: "AWS/CloudFront",
        MetricName: "5xxErrorRate",
        Threshold: 1,
        AlarmActions: [{ Ref: expect.stringContaining("AlarmTopic") }],
        Dimensions: expect.arrayContaining([{ Name: "Region", Value: "Global" }]),
      });
    const watched = alarms.map(({ Properties }) => JSON.stringify(Properties["Dimensions"]));
    expect([edge.region, new Set(watched).size]).toEqual(["us-east-1", 2]);
  });
});

describe("production without CloudFront", async () => {
  const { resources, ofFunctions, every, data, functions, operations, firewall } =
    await synthesized({
      domain,
      certificateArn: certificateOf("eu-west-1"),
    });

  const ofOperations = resourcesOf(operations);

  test("serves the custom domain by API Gateway", () => {
    expect(firewall).toBeUndefined();
    expect(resources.of("AWS::CloudFront::Distribution")).toEqual([]);
    expect(only(resources, "AWS::ApiGatewayV2::DomainName")).toMatchObject({ DomainName: domain });
    only(resources, "AWS::ApiGatewayV2::ApiMapping");
    expect(JSON.stringify(ofFunctions.all)).not.toContain("ORIGIN_SECRET");
  });

  test("permits only the configured origins, for API calls and for uploads", () => {
    const origins = ["https://shop.example.com"];
    expect(only(resources, "AWS::ApiGatewayV2::Api")).toMatchObject({
      CorsConfiguration: { AllowOrigins: origins },
    });
    const rules = resourcesOf(data)
      .of("AWS::S3::Bucket")
      .flatMap(({ Properties }) => Properties["CorsConfiguration"] ?? []);
    expect(rules).toMatchObject([{ CorsRules: [{ AllowedOrigins: origins }] }]);
  });

  test("keeps every log for 90 days, even after its function is deleted", () => {
    const logs = [resources, ofFunctions].flatMap((each) => each.of("AWS::Logs::LogGroup"));
    expect(logs.length).toBeGreaterThan(families.length);
    for (const { Properties, DeletionPolicy } of logs) {
      expect([Properties["RetentionInDays"], DeletionPolicy]).toEqual([90, "RetainExceptOnCreate"]);
    }
  });

  test("throttles single routes below the stage's limit, and creates that setting after the routes", () => {
    const [stage] = resources.of("AWS::ApiGatewayV2::Stage");
    const Settings = z.record(z.string(), z.object({ ThrottlingRateLimit: z.number() }));
    const settings = Settings.parse(stage?.Properties["RouteSettings"]);
    expect(settings["POST /api/v1/auth/login"]?.ThrottlingRateLimit).toBeLessThan(500);
    const keys = resources
      .of("AWS::ApiGatewayV2::Route")
      .map(({ Properties }) => Properties["RouteKey"]);
    expect(keys).toEqual(expect.arrayContaining(Object.keys(settings)));
    expect(stage?.DependsOn?.length).toBeGreaterThanOrEqual(Object.keys(settings).length);
  });

  test("reserves the declared concurrency of each function", () => {
    for (const { name, reservedConcurrency } of [authorizer, ...families, ...consumers]) {
      const { lambda } = functionOf(every, name);
      const id = functions.getLogicalId(lambda.node.defaultChild as never);
      expect([name, ofFunctions.all[id]?.Properties["ReservedConcurrentExecutions"]]).toEqual([
        name,
        reservedConcurrency,
      ]);
    }
  });

  test("reserves concurrency for sign-in, browsing and checkout, and leaves at least two fifths of the account's concurrency unreserved", () => {
    const reserved = [authorizer, ...families, ...consumers].flatMap(
      ({ name, reservedConcurrency }) =>
        reservedConcurrency === undefined ? [] : [[name, reservedConcurrency] as const],
    );
    const of = new Map(reserved);
    for (const name of [authorizer.name, "catalog", "checkout"]) {
      expect([name, of.get(name) ?? 0]).toEqual([name, expect.toSatisfy((share) => share >= 100)]);
    }
    const all = reserved.reduce((sum, [, share]) => sum + share, 0);
    expect(all).toBeLessThanOrEqual(600);
  });

  test("raises an alarm if a schedule stops, and does not retry scheduled runs", () => {
    const alarms = ofOperations.of("AWS::CloudWatch::Alarm").map(({ Properties }) => Properties);
    for (const { name } of consumers.filter(({ source }) => source.kind === "schedule")) {
      const { lambda } = functionOf(every, name);
      const Ref = functions.getLogicalId(lambda.node.defaultChild as never);
      expect(alarms).toContainEqual(
        expect.objectContaining({
          MetricName: "Invocations",
          Dimensions: [
            { Name: "FunctionName", Value: operations.resolve(lambda.functionName) as unknown },
          ],
          ComparisonOperator: "LessThanThreshold",
          TreatMissingData: "breaching",
        }),
      );
      expect(ofFunctions.of("AWS::Lambda::EventInvokeConfig")).toContainEqual(
        expect.objectContaining({
          Properties: expect.objectContaining({
            FunctionName: { Ref },
            // The alias's name, cut from its ARN.
            Qualifier: expect.anything(),
            MaximumRetryAttempts: 0,
          }),
        }),
      );
    }
  });

  const dashboard = (subject: string) => {
    const named = ofOperations
      .of("AWS::CloudWatch::Dashboard")
      .find(({ Properties }) => String(Properties["DashboardName"]).endsWith(`-${subject}`));
    return JSON.stringify(named?.Properties["DashboardBody"]);
  };

  test("shows every function and queue on the dashboard `machine`", () => {
    const body = dashboard("machine");
    for (const { name } of [authorizer, ...families, ...consumers]) expect(body).toContain(name);
    for (const name of Object.keys(data.queues)) expect(body).toContain(name);
  });

  test("shows each metric that functions count on exactly one dashboard", () => {
    const byReason = new Set<Counted>(["OrdersRefused", "MailsGivenUp"]);
    const bodies = ["shop", "machine"].map((subject) => dashboard(subject).replaceAll("\\", ""));
    for (const name of countedNames) {
      const dimensions = byReason.has(name) ? "service,reason" : "service";
      const search = `SEARCH('{"furniture-prod",${dimensions}} MetricName="${name}"'`;
      const shown = bodies.filter((body) => body.includes(search));
      expect([name, shown.length]).toEqual([name, 1]);
    }
  });

  test("has a budget only if an amount is set, and its notifications reach the topic of the alarms", async () => {
    expect(ofOperations.of("AWS::Budgets::Budget")).toEqual([]);
    const made = await synthesized({ budget: "500" });
    const budget = only(resourcesOf(made.operations), "AWS::Budgets::Budget");
    expect(budget["Budget"]).toMatchObject({
      BudgetType: "COST",
      TimeUnit: "MONTHLY",
      BudgetLimit: { Amount: 500, Unit: "USD" },
    });
    const address = made.operations.resolve(made.functions.alarmTopic.topicArn) as unknown;
    expect(budget["NotificationsWithSubscribers"]).toEqual(
      [
        { NotificationType: "ACTUAL", Threshold: 80 },
        { NotificationType: "FORECASTED", Threshold: 100 },
      ].map((threshold) => ({
        Notification: expect.objectContaining(threshold),
        Subscribers: [{ SubscriptionType: "SNS", Address: address }],
      })),
    );
    const policies = JSON.stringify(resourcesOf(made.functions).of("AWS::SNS::TopicPolicy"));
    expect(policies).toContain("budgets.amazonaws.com");
  });

  test("tags resources with service, stage and function", () => {
    for (const { Properties } of ofFunctions.of("AWS::Lambda::Function")) {
      expect(Properties["Tags"]).toEqual(
        expect.arrayContaining([
          { Key: "service", Value: "furniture-storefront" },
          { Key: "stage", Value: "prod" },
          { Key: "function", Value: expect.any(String) },
        ]),
      );
    }
  });
});
