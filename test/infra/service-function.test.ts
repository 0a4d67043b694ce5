import { type Opener, openShop } from "#shared/application/shop.ts";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { CfnElement } from "aws-cdk-lib";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { environmentOf } from "#functions/deployed-function.ts";
import { deployed, named, resources, shop } from "./deployed-shop.ts";
import { textOf } from "./template.ts";

const actionsOf = {
  table: {
    reads: ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"],
    checks: ["dynamodb:ConditionCheckItem"],
    writes: ["PutItem", "BatchWriteItem", "UpdateItem", "DeleteItem"].map(
      (action) => `dynamodb:${action}`,
    ),
  },
  index: {
    none: [],
    read: ["s3:GetObject"],
    write: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
  },
  media: {
    none: [],
    read: ["s3:GetObject"],
    write: ["s3:PutObject", "s3:DeleteObject"],
  },
  exports: {
    none: [],
    read: ["s3:GetObject"],
    write: ["s3:PutObject", "s3:GetObject", "s3:AbortMultipartUpload"],
  },
  inboxFiles: {
    none: [],
    read: ["s3:GetObject"],
    write: ["s3:PutObject", "s3:DeleteObject"],
    move: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
  },
  documents: {
    none: [],
    read: ["s3:GetObject"],
    write: ["s3:PutObject", "s3:DeleteObject"],
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
      // Lambda stores failed batches in S3.
      "s3:ListBucket",
      "s3:PutObject",
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

const Named = z.object({ Ref: z.string() });
const CodeDeploy = z.object({
  CodeDeployLambdaAliasUpdate: z.object({ DeploymentGroupName: Named }),
});
const AlarmConfiguration = z.object({ Alarms: z.array(z.object({ Name: Named })) });

describe.each(named)(
  "the Lambda function %s",
  (name, { environment: declared = [], entry, parts, permissions, ...rest }) => {
    const environment = environmentOf({ environment: declared, parts, permissions });

    test("runs on Node 24 on arm64 with tracing and 14 days of log retention", () => {
      const { properties } = deployed(name);
      expect(properties).toMatchObject({
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        TracingConfig: { Mode: "Active" },
      });
      expect(
        resources.functions.all[properties.LoggingConfig.LogGroup.Ref]?.Properties,
      ).toMatchObject({
        RetentionInDays: 14,
      });
    });

    test("has exactly the declared environment variables and can open its parts with them", async () => {
      const { Variables } = deployed(name).properties.Environment;
      const { POWERTOOLS_METRICS_NAMESPACE, POWERTOOLS_SERVICE_NAME, ...own } = Variables;
      expect(POWERTOOLS_METRICS_NAMESPACE).toBe("furniture-dev");
      expect(POWERTOOLS_SERVICE_NAME).toBe(name);
      expect(environment).toEqual(expect.arrayContaining(Object.keys(own)));

      const values = Object.fromEntries(
        Object.entries(Variables).map(([variable, value]) => [
          variable,
          textOf(value, variable.endsWith("_URL") ? "https://sqs.example/1/q.fifo" : "a-name"),
        ]),
      );
      const { openers } = (await import(/* @vite-ignore */ pathToFileURL(resolve(entry)).href)) as {
        openers: Record<string, Opener<unknown>>;
      };
      const read = new Set<string>();
      const watched = new Proxy<Record<string, string>>(
        { AWS_REGION: "eu-west-1", ...values },
        {
          get(target, variable) {
            read.add(String(variable));
            return target[String(variable)];
          },
        },
      );
      expect(() => openShop(watched, openers)).not.toThrow();
      expect(environment.filter((variable) => !read.has(variable))).toEqual([]);
    });

    test("declares no environment variable of a resource, because those follow from its permissions", () => {
      // Except the function's own queue: its event source adds permissions, such as to delay a message.
      const own = "source" in rest && rest.source.kind === "queue" ? rest.source.queue : "none";
      const ownQueue = `${own.toUpperCase().replaceAll("-", "_")}_QUEUE_URL`;
      const ofResources = declared.filter((variable) =>
        /^TABLE_NAME$|^MAIL_FROM$|_BUCKET$|_QUEUE_URL$|_SECRET$/.test(variable),
      );
      expect(ofResources.filter((variable) => variable !== ownQueue)).toEqual([]);
    });

    test("has exactly the IAM permissions that it declares", () => {
      const source = "source" in rest ? rest.source.kind : "http";
      const { reads, writes, buckets = {}, queues, secrets, rotates, mails } = permissions;
      const actions = deployed(name).statements.flatMap(({ Action }) => Action);
      expect(new Set(actions)).toEqual(
        new Set([
          "logs:CreateLogStream",
          "logs:PutLogEvents",
          "xray:PutTraceSegments",
          "xray:PutTelemetryRecords",
          ...(reads ? actionsOf.table.reads : []),
          ...(reads && writes ? actionsOf.table.checks : []),
          ...(writes ? actionsOf.table.writes : []),
          ...actionsOf.index[buckets.index ?? "none"],
          ...actionsOf.quarantine[buckets.quarantine ?? "none"],
          ...actionsOf.exports[buckets.exports ?? "none"],
          ...actionsOf.inboxFiles[buckets.inboxFiles ?? "none"],
          ...actionsOf.documents[buckets.documents ?? "none"],
          ...actionsOf.media[buckets.media ?? "none"],
          ...(buckets.erasedIds ? ["s3:PutObject"] : []),
          ...(queues ? ["sqs:SendMessage"] : []),
          ...(secrets || rotates ? ["secretsmanager:GetSecretValue"] : []),
          ...(rotates ? ["secretsmanager:PutSecretValue"] : []),
          ...(mails ? ["ses:SendEmail", "ses:SendRawEmail"] : []),
          ...actionsOf.source[source],
        ]),
      );
    });

    test("is subject to Lambda's recursive loop detection unless it sends messages to itself", () => {
      const queue =
        "source" in rest && rest.source.kind === "queue" ? rest.source.queue : undefined;
      const isItsOwn = permissions.queues?.some((name) => name === queue);
      const { Properties } = resources.functions.all[deployed(name).id] ?? {};
      expect(Properties?.["RecursiveLoop"]).toBe(isItsOwn ? "Allow" : undefined);
    });

    test("names every resource in its IAM policy without a wildcard, except where the action requires one", () => {
      for (const { Effect, Action, Resource } of deployed(name).statements) {
        expect(Effect).toBe("Allow");
        const named = Resource.map((resource) => textOf(resource, "arn"));
        if (Action.every((action) => action.startsWith("xray:"))) expect(named).toEqual(["*"]);
        else if (Action.includes("s3:ListBucket")) expect(named).toEqual(["arn"]);
        else if (Action.some((action) => action.startsWith("s3:"))) {
          expect(new Set(named)).toEqual(new Set(["arn/*"]));
        } else if (Action.some((action) => action.startsWith("ses:"))) {
          // A condition restricts the sender; the data stack's test checks it.
          expect(named.filter((arn) => arn.includes("*"))).toEqual([
            expect.stringMatching(/:identity\/\*$/),
          ]);
        } else expect(named.join()).not.toContain("*");
      }
    });

    test("has its code at the path in the template where `sam local invoke` expects it", () => {
      const { Metadata } = resources.functions.all[deployed(name).id] ?? {};
      expect(Metadata).toMatchObject({ "aws:asset:property": "Code" });
      const code = join(shop.app.outdir, String(Metadata?.["aws:asset:path"]), "index.cjs");
      expect(statSync(code).isFile()).toBe(true);
    });

    test("is deployed through an alias; if it has routes, a new version first receives a tenth of the requests", () => {
      const { alias, id, properties } = deployed(name);
      expect(resources.functions.all[id]?.Properties).toMatchObject({
        RuntimeManagementConfig: { UpdateRuntimeOn: "FunctionUpdate" },
      });
      expect(properties.Runtime).toBe("nodejs24.x");
      const aliasId = shop.functions.getLogicalId(alias.node.defaultChild as CfnElement);
      const made = resources.functions.all[aliasId];
      expect(made).toMatchObject({
        Type: "AWS::Lambda::Alias",
        Properties: { Name: "live", FunctionName: { Ref: id } },
      });
      const isConsumer = "source" in rest;
      expect(made?.UpdatePolicy !== undefined).toBe(!isConsumer);
      if (isConsumer) return;
      const { DeploymentGroupName } = CodeDeploy.parse(
        made?.UpdatePolicy,
      ).CodeDeployLambdaAliasUpdate;
      const group = resources.functions.all[DeploymentGroupName.Ref]?.Properties;
      expect(group).toMatchObject({
        DeploymentConfigName: "CodeDeployDefault.LambdaCanary10Percent5Minutes",
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: expect.arrayContaining(["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"]),
        },
      });
      const { Alarms } = AlarmConfiguration.parse(group?.["AlarmConfiguration"]);
      const watched = Alarms.map(({ Name }) => resources.functions.all[Name.Ref]?.Properties);
      expect(watched).toEqual(
        ["Errors", "ServerErrors", "Duration"].map((MetricName) =>
          expect.objectContaining({
            MetricName,
            Period: 60,
            Dimensions: [
              MetricName === "ServerErrors"
                ? { Name: "service", Value: name }
                : { Name: "FunctionName", Value: { Ref: id } },
            ],
          }),
        ),
      );
    });

    test("has an alarm on its errors", () => {
      const alarms = [resources.functions, resources.operations]
        .flatMap((stack) => stack.of("AWS::CloudWatch::Alarm"))
        .map(({ Properties }) => Properties);
      expect(alarms).toContainEqual(
        expect.objectContaining({
          MetricName: "Errors",
          AlarmDescription: expect.stringContaining(`The function ${name} crashed`),
          Dimensions: [expect.objectContaining({ Name: "FunctionName" })],
        }),
      );
    });
  },
);
