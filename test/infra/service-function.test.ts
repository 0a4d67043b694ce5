import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { app, deployed, named, stateless } from "./deployed-shop.ts";
import { textOf } from "./template.ts";

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
  inboxFiles: {
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
        ...actionsOf.inboxFiles[reach.inboxFiles ?? "none"],
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
