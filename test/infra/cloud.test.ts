import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CfnElement, Duration } from "aws-cdk-lib";
import { ResponseHeadersPolicy } from "aws-cdk-lib/aws-cloudfront";
import { Schedule } from "aws-cdk-lib/aws-events";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { consumers, type Consumer } from "#functions/consumers.ts";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import { authorizer, families, fallbackFamily, type Family } from "#functions/families.ts";
import { storefront } from "#infra/cloud/app.ts";
import { bundleFile } from "#infra/cloud/bundle.ts";
import { localBundles } from "#infra/local/local-bundles.ts";
import type { Guard } from "#shared/auth/claims.ts";
import { isGuarded, routeKey } from "#shared/http/route.ts";
import cdk from "../../cdk.json" with { type: "json" };
import { resourcesOf, statementsOf, textOf } from "./template.ts";

const mailDomain = "shop.example.com";
// The CLI says to the app by its context what cdk.json says to the CLI.
const assets = { "aws:cdk:enable-asset-metadata": cdk.assetMetadata };
const withMail = { ...cdk, context: { ...cdk.context, ...assets, mailDomain } };
const bundles = await localBundles();
const { app, data, api } = await storefront(
  { authorizer, families, consumers },
  { ...withMail, bundles },
);
// Throws when a rule of cdk-nag is broken without a reason.
app.synth();
const stateful = resourcesOf(data);
const stateless = resourcesOf(api);
const functions: readonly (DeployedFunction | Family | Consumer)[] = [
  authorizer,
  ...families,
  ...consumers,
];
const named = functions.map((each) => [each.name, each] as const);

const Ref = z.object({ Ref: z.string() });
const Arn = z.object({ "Fn::GetAtt": z.tuple([z.string(), z.literal("Arn")]) });
const idOf = (arn: unknown) => Arn.parse(arn)["Fn::GetAtt"][0];

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
function deployed(name: string) {
  const resource = api.node.findChild(name).node.findChild("Function").node.defaultChild;
  if (!CfnElement.isCfnElement(resource)) throw new Error(`${name} deploys no function`);
  const id = api.getLogicalId(resource);
  const properties = LambdaProperties.parse(stateless.all[id]?.Properties);
  return { id, properties, statements: statementsOf(idOf(properties.Role), stateless) };
}

describe("the API", () => {
  const Integration = z.object({ IntegrationUri: Arn });
  const Target = z.object({ "Fn::Join": z.tuple([z.literal(""), z.tuple([z.string(), Ref])]) });
  const Route = z.object({ RouteKey: z.string(), Target });

  test("has exactly the manifest's routes, each answered by its family, and one for all else", () => {
    const made = stateless.of("AWS::ApiGatewayV2::Route").map(({ Properties }) => {
      const { RouteKey, Target } = Route.parse(Properties);
      const integration = stateless.all[Target["Fn::Join"][1][1].Ref];
      return `${RouteKey} → ${idOf(Integration.parse(integration?.Properties).IntegrationUri)}`;
    });
    const declared = families.flatMap(({ name, routes }) =>
      routes.map((route) => `${routeKey(route)} → ${deployed(name).id}`),
    );
    const fallback = `$default → ${deployed(fallbackFamily).id}`;
    expect(made.toSorted()).toEqual([...declared, fallback].toSorted());
  });

  test("lets API Gateway call each family, and the fallback without a method and path", () => {
    const Permission = z.object({ FunctionName: Arn, SourceArn: z.unknown() });
    const permissions = stateless
      .of("AWS::Lambda::Permission")
      .filter(({ Properties }) => Properties["Principal"] === "apigateway.amazonaws.com");
    const made = permissions.map(({ Properties }) => {
      const { FunctionName, SourceArn } = Permission.parse(Properties);
      return `${idOf(FunctionName)} ${textOf(SourceArn, "x").replace(/^.*:x/, "")}`;
    });
    expect(made.toSorted()).toEqual(
      [
        ...families.map(({ name }) => `${deployed(name).id} /*/*/*`),
        `${deployed(fallbackFamily).id} /*/*`,
        ...(families.some(({ routes }) => routes.some(isGuarded))
          ? [`${deployed(authorizer.name).id} /authorizers/x`]
          : []),
      ].toSorted(),
    );
  });

  test("is throttled and logs every call without what callers sent", () => {
    const [stage] = stateless.of("AWS::ApiGatewayV2::Stage");
    expect(stage?.Properties).toMatchObject({
      DefaultRouteSettings: {
        ThrottlingRateLimit: expect.any(Number),
        ThrottlingBurstLimit: expect.any(Number),
      },
      AccessLogSettings: {
        Format: expect.not.stringMatching(/header|querystring|body/i),
      },
    });
  });

  test("asks the authorizer about guarded routes alone, and about one token once in five minutes", async () => {
    const guards = [{ guard: "customer" }, { guard: "staff", permission: null }] as const;
    const partlyGuarded = families.map((family) => ({
      ...family,
      routes: family.routes.map((route, position) => {
        const access = guards[position];
        return access ? { ...route, access } : route;
      }),
    }));
    const { api } = await storefront(
      { authorizer, families: partlyGuarded, consumers },
      { ...cdk, bundles },
    );
    const stateless = resourcesOf(api);
    const guardedKeys = partlyGuarded.flatMap(({ routes }) =>
      routes.filter(isGuarded).map((route) => routeKey(route)),
    );
    const asking = stateless
      .of("AWS::ApiGatewayV2::Route")
      .filter(({ Properties }) => Properties["AuthorizationType"] === "CUSTOM")
      .map(({ Properties }) => String(Properties["RouteKey"]));
    expect(asking.toSorted()).toEqual(guardedKeys.toSorted());

    const authorizers = stateless.of("AWS::ApiGatewayV2::Authorizer");
    expect(authorizers).toHaveLength(1);
    expect(authorizers[0]?.Properties).toMatchObject({
      AuthorizerType: "REQUEST",
      AuthorizerPayloadFormatVersion: "2.0",
      EnableSimpleResponses: true,
      IdentitySource: ["$request.header.Authorization"],
      AuthorizerResultTtlInSeconds: 300,
    });
  });

  test("leaves room in its stack, where 500 resources is all there is", () => {
    expect(Object.keys(stateless.all).length).toBeLessThan(480);
    expect(Object.keys(stateful.all).length).toBeLessThan(200);
  });
});

describe.each(named)("the function %s", (name, { environment, entry, reach, ...rest }) => {
  test("runs on Node 24 on the architecture that it was built on, traced, with a log that is kept for a fortnight", () => {
    const { properties } = deployed(name);
    expect(properties).toMatchObject({
      Runtime: "nodejs24.x",
      Architectures: [process.arch === "arm64" ? "arm64" : "x86_64"],
      TracingConfig: { Mode: "Active" },
    });
    expect(stateless.all[properties.LoggingConfig.LogGroup.Ref]?.Properties).toMatchObject({
      RetentionInDays: 14,
    });
  });

  test("finds in its environment what it connects with, and nothing undeclared", async () => {
    const { Variables } = deployed(name).properties.Environment;
    expect(environment).toEqual(expect.arrayContaining(Object.keys(Variables)));

    const values = Object.fromEntries(
      Object.entries(Variables).map(([variable, value]) => [
        variable,
        textOf(value, variable.endsWith("_URL") ? "https://sqs.example/1/q.fifo" : "a-name"),
      ]),
    );
    const deps = pathToFileURL(resolve(dirname(entry), "deps.ts")).href;
    const { connect } = (await import(/* @vite-ignore */ deps)) as {
      connect(environment: Record<string, string>): unknown;
    };
    expect(() => connect({ AWS_REGION: "eu-west-1", ...values })).not.toThrow();
  });

  test("may do what its reach says and nothing more", () => {
    const source = "source" in rest ? rest.source.kind : "http";
    const actions = deployed(name).statements.flatMap(({ Action }) => Action);
    expect(new Set(actions)).toEqual(
      new Set([
        "logs:CreateLogStream",
        "logs:PutLogEvents",
        "xray:PutTraceSegments",
        "xray:PutTelemetryRecords",
        ...actionsOf.table[reach.table ?? "none"],
        ...actionsOf.view[reach.view ?? "none"],
        ...actionsOf.quarantine[reach.quarantine ?? "none"],
        ...actionsOf.exports[reach.exports ?? "none"],
        ...(reach.media ? ["s3:PutObject", "s3:DeleteObject"] : []),
        ...(reach.sendsTo ? ["sqs:SendMessage"] : []),
        ...(reach.signingKeys || reach.settingsKeys ? ["secretsmanager:GetSecretValue"] : []),
        ...(reach.rotates
          ? ["secretsmanager:GetSecretValue", "secretsmanager:PutSecretValue"]
          : []),
        ...(reach.mails ? ["ses:SendEmail", "ses:SendRawEmail"] : []),
        ...actionsOf.source[source],
      ]),
    );
  });

  test("is stopped as a loop unless it hands its own work on to itself", () => {
    const queue = "source" in rest && rest.source.kind === "queue" ? rest.source.queue : undefined;
    const isItsOwn = queue !== undefined && reach.sendsTo?.includes(queue);
    const { Properties } = stateless.all[deployed(name).id] ?? {};
    expect(Properties?.["RecursiveLoop"]).toBe(isItsOwn ? "Allow" : undefined);
  });

  test("names every resource it may touch", () => {
    for (const { Effect, Action, Resource } of deployed(name).statements) {
      expect(Effect).toBe("Allow");
      const resources = Resource.map((resource) => textOf(resource, "arn"));
      if (Action.every((action) => action.startsWith("xray:"))) expect(resources).toEqual(["*"]);
      else if (Action.some((action) => action.startsWith("s3:"))) {
        expect(resources).toEqual(["arn/*"]);
      } else expect(resources.join()).not.toContain("*");
    }
  });

  test("has its code beside the template, where `sam local invoke` looks for it", () => {
    const { Metadata } = stateless.all[deployed(name).id] ?? {};
    expect(Metadata).toMatchObject({ "aws:asset:property": "Code" });
    const code = join(app.outdir, String(Metadata?.["aws:asset:path"]), "index.cjs");
    expect(statSync(code).isFile()).toBe(true);
  });

  test("has an alarm on its errors", () => {
    const alarms = stateless.of("AWS::CloudWatch::Alarm").map(({ Properties }) => Properties);
    expect(alarms).toContainEqual(
      expect.objectContaining({
        MetricName: "Errors",
        Dimensions: [{ Name: "FunctionName", Value: { Ref: deployed(name).id } }],
      }),
    );
  });
});

const reading = ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"];
const writing = ["PutItem", "BatchWriteItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"];
const actionsOf = {
  table: {
    none: [],
    read: reading,
    write: [...reading, ...writing.map((action) => `dynamodb:${action}`)],
  },
  view: {
    none: [],
    read: ["s3:GetObject"],
    write: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
  },
  exports: {
    none: [],
    read: ["s3:GetObject"],
    write: ["s3:PutObject", "s3:GetObject", "s3:AbortMultipartUpload"],
  },
  quarantine: {
    none: [],
    fill: ["s3:PutObject"],
    empty: ["s3:GetObject", "s3:DeleteObject"],
  },
  source: {
    http: [],
    schedule: [],
    stream: [
      "dynamodb:ListStreams",
      "dynamodb:DescribeStream",
      "dynamodb:GetRecords",
      "dynamodb:GetShardIterator",
      // To set aside what no attempt got through.
      "sqs:SendMessage",
      "sqs:GetQueueAttributes",
      "sqs:GetQueueUrl",
    ],
    queue: [
      "sqs:ReceiveMessage",
      "sqs:ChangeMessageVisibility",
      "sqs:GetQueueUrl",
      "sqs:DeleteMessage",
      "sqs:GetQueueAttributes",
    ],
  },
};

describe("signing keys", () => {
  const secretOf = (guard: Guard) => api.resolve(data.tokenSecrets[guard].secretArn) as unknown;

  test("are made of at least 32 bytes, each purpose's apart, and survive their stack", () => {
    const secrets = stateful.of("AWS::SecretsManager::Secret");
    expect(secrets).toHaveLength(3);
    for (const secret of secrets) {
      expect(secret).toMatchObject({
        DeletionPolicy: "Retain",
        Properties: { GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } },
      });
    }
    expect(secretOf("customer")).not.toEqual(secretOf("staff"));
  });

  test.each(named)("%s reads those that it declares, each by its full name", (name, { reach }) => {
    const read = deployed(name)
      .statements.filter(({ Action }) => Action.includes("secretsmanager:GetSecretValue"))
      .flatMap(({ Resource }) => Resource);
    expect(read).toEqual([
      ...(reach.signingKeys ?? []).map(secretOf),
      ...(reach.rotates ?? []).map(secretOf),
      ...(reach.settingsKeys ? [api.resolve(data.settingsSecret.secretArn)] : []),
    ]);
  });

  test("of staff are read by the authorizer and where staff sign in, and nowhere else", () => {
    const readers = functions.filter(({ reach }) => reach.signingKeys?.includes("staff"));
    const allowed = new Set([authorizer.name, "admin-auth"]);
    expect(readers.filter(({ name }) => !allowed.has(name))).toEqual([]);
  });
});

describe("mail", () => {
  const MailSender = z.object({
    Environment: z.object({ Variables: z.object({ MAIL_FROM: z.string() }) }),
  });

  test("comes from the shop's domain, whose identity survives its stack, but not a first try that fails", () => {
    expect(stateful.of("AWS::SES::EmailIdentity")).toEqual([
      expect.objectContaining({
        DeletionPolicy: "RetainExceptOnCreate",
        UpdateReplacePolicy: "Retain",
        Properties: expect.objectContaining({ EmailIdentity: mailDomain }),
      }),
    ]);
    const { properties } = deployed("on-change-outbox");
    expect(MailSender.parse(properties).Environment.Variables.MAIL_FROM).toBe(
      `no-reply@${mailDomain}`,
    );
  });

  test("is sent by the outbox's consumer and the test in the settings, in that name alone", () => {
    const sending = functions.flatMap(({ name }) =>
      deployed(name)
        .statements.filter(({ Action }) => Action.some((action) => action.startsWith("ses:")))
        .map(({ Action, Resource }) => ({ name, Action, Resource })),
    );
    const allowed = {
      Action: ["ses:SendEmail", "ses:SendRawEmail"],
      Resource: [api.resolve(data.mail?.identity.emailIdentityArn)],
    };
    expect(sending).toEqual([
      { name: "admin-settings", ...allowed },
      { name: "on-change-outbox", ...allowed },
    ]);
  });

  test("waits where no domain is set", async () => {
    const without = await storefront({ authorizer, families, consumers }, { ...cdk, bundles });
    expect(resourcesOf(without.data).of("AWS::SES::EmailIdentity")).toEqual([]);
    const template = JSON.stringify(resourcesOf(without.api).all);
    expect(template).not.toContain("ses:SendEmail");
    expect(template).not.toContain("MAIL_FROM");
  });
});

describe("what wakes a consumer", () => {
  const mappings = stateless.of("AWS::Lambda::EventSourceMapping");

  const sources = consumers.map(({ name, source }) => [name, source] as const);

  test.each(sources)(
    "wakes %s as declared, and brings back only the records that failed",
    (name, source) => {
      if (source.kind === "schedule") return expectClock(name, source.everyMinutes);
      const mapping = mappings.find(({ Properties }) => {
        return Ref.parse(Properties["FunctionName"]).Ref === deployed(name).id;
      });
      expect(mapping?.Properties).toMatchObject({
        BatchSize: source.batchSize,
        FunctionResponseTypes: ["ReportBatchItemFailures"],
      });
      if (source.kind === "queue") {
        const { sideBySide } = source;
        expect(mapping?.Properties["ScalingConfig"]).toEqual(
          sideBySide === undefined ? undefined : { MaximumConcurrency: sideBySide },
        );
        return;
      }
      const itemsIn = (partitions: readonly string[]) => ({
        dynamodb: { Keys: { pk: { S: partitions.map((prefix) => ({ prefix })) } } },
      });
      expect(mapping?.Properties).toMatchObject({
        FilterCriteria: {
          Filters: [
            { Pattern: JSON.stringify(itemsIn(source.partitions)) },
            { Pattern: JSON.stringify({ eventName: ["INSERT"], ...itemsIn(source.newIn) }) },
          ],
        },
        DestinationConfig: { OnFailure: { Destination: expect.anything() } },
      });
    },
  );

  test("is nothing else", () => {
    const clocks = stateless.of("AWS::Events::Rule");
    expect(mappings.length + clocks.length).toBe(consumers.length);
  });

  function expectClock(name: string, everyMinutes: number): void {
    const { id } = deployed(name);
    const rate = Schedule.rate(Duration.minutes(everyMinutes)).expressionString;
    expect(stateless.of("AWS::Events::Rule")).toContainEqual(
      expect.objectContaining({
        Properties: expect.objectContaining({
          ScheduleExpression: rate,
          State: "ENABLED",
          Targets: [expect.objectContaining({ Arn: { "Fn::GetAtt": [id, "Arn"] } })],
        }),
      }),
    );
    expect(stateless.of("AWS::Lambda::Permission")).toContainEqual(
      expect.objectContaining({
        Properties: expect.objectContaining({
          FunctionName: { "Fn::GetAtt": [id, "Arn"] },
          Principal: "events.amazonaws.com",
        }),
      }),
    );
  }
});

describe("what is kept", () => {
  test("survives its stack", () => {
    const kept = ["AWS::DynamoDB::GlobalTable", "AWS::S3::Bucket", "AWS::SQS::Queue"];
    for (const resource of kept.flatMap(stateful.of)) {
      expect(resource).toMatchObject({ DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" });
    }
    expect(data.terminationProtection).toBe(true);
  });

  test("is a table that is encrypted, can be restored to any second and cannot be deleted", () => {
    const [table, ...others] = stateful.of("AWS::DynamoDB::GlobalTable");
    expect(others).toEqual([]);
    expect(table?.Properties).toMatchObject({
      BillingMode: "PAY_PER_REQUEST",
      SSESpecification: { SSEEnabled: true },
      StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
      TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
      Replicas: [
        {
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      ],
    });
  });

  test("is in buckets that nobody reaches in public or in clear", () => {
    const buckets = Object.entries(stateful.all).filter(
      ([, { Type }]) => Type === "AWS::S3::Bucket",
    );
    expect(buckets.length).toBeGreaterThan(0);
    const policies = stateful.of("AWS::S3::BucketPolicy").map(({ Properties }) => Properties);
    for (const [id, { Properties }] of buckets) {
      expect(Properties).toMatchObject({
        BucketEncryption: expect.anything(),
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
      });
      const policy = policies.find(({ Bucket }) => Ref.parse(Bucket).Ref === id);
      expect(policy).toMatchObject({
        PolicyDocument: {
          Statement: expect.arrayContaining([
            expect.objectContaining({
              Effect: "Deny",
              Condition: { Bool: { "aws:SecureTransport": "false" } },
            }),
          ]),
        },
      });
    }
  });

  test("is handed out with what lets pages of every origin read pictures as data, as it is locally", () => {
    const { responseHeadersPolicyId } =
      ResponseHeadersPolicy.CORS_ALLOW_ALL_ORIGINS_AND_SECURITY_HEADERS;
    expect(stateful.of("AWS::CloudFront::Distribution")).toEqual([
      expect.objectContaining({
        Properties: expect.objectContaining({
          DistributionConfig: expect.objectContaining({
            DefaultCacheBehavior: expect.objectContaining({
              ResponseHeadersPolicyId: responseHeadersPolicyId,
            }),
          }),
        }),
      }),
    ]);
  });

  test("is in queues that are encrypted, whose waiting and whose failures raise an alarm", () => {
    const Queue = z.object({ SqsManagedSseEnabled: z.literal(true) });
    for (const { Properties } of stateful.of("AWS::SQS::Queue")) Queue.parse(Properties);
    const watched = [data.lostChanges, ...Object.values(data.queues).map((q) => q.deadLetters)];
    const alarms = stateless.of("AWS::CloudWatch::Alarm").map(({ Properties }) => Properties);
    for (const { queue } of Object.values(data.queues)) {
      expect(alarms).toContainEqual(
        expect.objectContaining({
          MetricName: "ApproximateAgeOfOldestMessage",
          Dimensions: [{ Name: "QueueName", Value: api.resolve(queue.queueName) }],
        }),
      );
    }
    for (const queue of watched) {
      expect(alarms).toContainEqual(
        expect.objectContaining({
          MetricName: "ApproximateNumberOfMessagesVisible",
          Dimensions: [{ Name: "QueueName", Value: api.resolve(queue.queueName) }],
        }),
      );
    }
  });

  test("is told of when mail is put off: SQS leaves out of a queue's age what was received three times", () => {
    const putOff = stateless
      .of("AWS::CloudWatch::Alarm")
      .filter(
        ({ Properties }) => Properties["MetricName"] === "ApproximateNumberOfMessagesNotVisible",
      );
    expect(putOff.map(({ Properties }) => Properties)).toEqual([
      expect.objectContaining({
        Dimensions: [{ Name: "QueueName", Value: api.resolve(data.queues.outbox.queue.queueName) }],
        Statistic: "Minimum",
        Threshold: 0,
        EvaluationPeriods: 3,
      }),
    ]);
  });
});

test.each(["catalog", "checkout"])("the bundle of %s is at most 400 KB", (name) => {
  expect(statSync(bundleFile(bundles, name)).size).toBeLessThanOrEqual(400_000);
});
