// @module-tag slow
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { consumers } from "#functions/consumers.ts";
import type { KeySecretName } from "#functions/deployed-function.ts";
import { authorizer, families } from "#functions/families.ts";
import { type QueueName, queues } from "#functions/queues.ts";
import { storefront } from "#infra/cloud/app.ts";
import cdk from "../../cdk.json" with { type: "json" };
import {
  Ref,
  bundles,
  deployed,
  functions,
  mailDomain,
  named,
  resources,
  shop,
} from "./deployed-shop.ts";
import { resourcesOf } from "./template.ts";
import { mediaHeaders } from "#shared/files/media-headers.ts";

const { data } = shop;
const stateful = resources.data;
const alarms = resources.operations
  .of("AWS::CloudWatch::Alarm")
  .map(({ Properties }) => Properties);

describe("signing keys", () => {
  const secretOf = (name: KeySecretName) =>
    shop.functions.resolve(data.keySecrets[name].secretArn) as unknown;

  test("have at least 32 bytes, differ by purpose and are retained when the stack is deleted", () => {
    const secrets = stateful.of("AWS::SecretsManager::Secret");
    expect(secrets).toHaveLength(4);
    for (const secret of secrets) {
      expect(secret).toMatchObject({
        DeletionPolicy: "RetainExceptOnCreate",
        Properties: { GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } },
      });
    }
    expect(secretOf("customer")).not.toEqual(secretOf("staff"));
  });

  test.each(named)(
    "can be read by %s only if it declares them, and its role names the full ARN of each",
    (name, { permissions }) => {
      const read = deployed(name)
        .statements.filter(({ Action }) => Action.includes("secretsmanager:GetSecretValue"))
        .flatMap(({ Resource }) => Resource);
      const declared = [
        ...(permissions.secrets ?? []).map(secretOf),
        ...(permissions.rotates ?? []).map(secretOf),
      ];
      expect(read).toHaveLength(declared.length);
      expect(read).toEqual(expect.arrayContaining(declared));
    },
  );

  test("of staff tokens can be read by the authorizer and the staff sign-in function only", () => {
    const readers = functions.filter(({ permissions }) => permissions.secrets?.includes("staff"));
    const allowed = new Set([authorizer.name, "admin-auth"]);
    expect(readers.filter(({ name }) => !allowed.has(name))).toEqual([]);
  });
});

describe("outgoing mail", () => {
  const MailSender = z.object({
    Environment: z.object({ Variables: z.object({ MAIL_FROM: z.string() }) }),
  });

  test("is sent from the shop's domain, whose SES identity is retained except after a failed first deployment", () => {
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

  test("can be sent only from the shop's address, by the outbox consumer and by the settings family for test mails", () => {
    const sending = functions.flatMap(({ name }) =>
      deployed(name)
        .statements.filter(({ Action }) => Action.some((action) => action.startsWith("ses:")))
        .map(({ Action, Resource, Condition }) => ({ name, Action, Resource, Condition })),
    );
    // In SES's sandbox each recipient is an identity too, and SES checks the permission for it.
    const allowed = {
      Action: ["ses:SendEmail", "ses:SendRawEmail"],
      Resource: ["configuration-set/", "identity/*"].map((resource) =>
        expect.toSatisfy((arn) => JSON.stringify(arn).includes(`:${resource}`)),
      ),
      Condition: { StringEquals: { "ses:FromAddress": [`no-reply@${mailDomain}`] } },
    };
    expect(sending).toEqual([
      { name: "admin-settings", ...allowed },
      { name: "on-change-outbox", ...allowed },
    ]);
  });

  test("has its bounces and complaints sent to the queue that their consumer reads", () => {
    const [topic] = stateful.of("AWS::SNS::Topic");
    expect(topic).toBeDefined();
    expect(stateful.of("AWS::SES::ConfigurationSetEventDestination")).toEqual([
      expect.objectContaining({
        Properties: expect.objectContaining({
          EventDestination: expect.objectContaining({
            Enabled: true,
            MatchingEventTypes: ["bounce", "complaint"],
          }),
        }),
      }),
    ]);
    expect(stateful.of("AWS::SNS::Subscription")).toEqual([
      expect.objectContaining({
        Properties: expect.objectContaining({
          Protocol: "sqs",
          RawMessageDelivery: true,
          Endpoint: data.resolve(data.queues["mail-events"].queue.queueArn),
        }),
      }),
    ]);
  });

  test("uses a MAIL FROM domain; its DNS records are stack outputs, like those of DKIM and DMARC", () => {
    const [identity] = stateful.of("AWS::SES::EmailIdentity");
    expect(identity?.Properties["MailFromAttributes"]).toEqual({
      BehaviorOnMxFailure: "USE_DEFAULT_VALUE",
      MailFromDomain: `mail.${mailDomain}`,
    });
    const outputs = Object.keys(Template.fromStack(data).findOutputs("*"));
    expect(outputs).toEqual(
      expect.arrayContaining(["MailCname1", "MailFromMx", "MailFromSpf", "MailDmarc"]),
    );
  });

  test("cannot be sent if no domain is configured", async () => {
    const without = await storefront({ authorizer, families, consumers }, { ...cdk, bundles });
    expect(resourcesOf(without.data).of("AWS::SES::EmailIdentity")).toEqual([]);
    const template = JSON.stringify(resourcesOf(without.functions, without.consumers).all);
    expect(template).not.toContain("ses:SendEmail");
    expect(template).not.toContain("MAIL_FROM");
  });
});

describe("persistent data", () => {
  test("is retained when the stack is deleted, but not when the first deployment fails", () => {
    const kept = ["AWS::DynamoDB::GlobalTable", "AWS::S3::Bucket", "AWS::SQS::Queue"];
    for (const resource of kept.flatMap(stateful.of)) {
      expect(resource).toMatchObject({
        DeletionPolicy: "RetainExceptOnCreate",
        UpdateReplacePolicy: "Retain",
      });
    }
    expect(JSON.stringify(stateful.all)).not.toContain('"DeletionPolicy":"Retain"');
  });

  test("is protected from deletion if the deployment sets the switch `protect`", async () => {
    const protectedShop = await storefront(
      { authorizer, families, consumers },
      { ...cdk, context: { ...cdk.context, protect: "true" }, bundles },
    );
    const isProtected = ({ data }: Pick<typeof shop, "data">) => {
      const [table] = resourcesOf(data).of("AWS::DynamoDB::GlobalTable");
      const Replicas = z.array(z.object({ DeletionProtectionEnabled: z.boolean() }));
      const [replica] = Replicas.parse(table?.Properties["Replicas"]);
      return [data.terminationProtection, replica?.DeletionProtectionEnabled];
    };
    expect(isProtected(shop)).toEqual([false, false]);
    expect(isProtected(protectedShop)).toEqual([true, true]);
  });

  test("is read from a restored table if the deployment sets the switch `table`", async () => {
    const stream = "restored/stream/2026-11-22T20:00:00.000";
    const moved = await storefront(
      { authorizer, families, consumers },
      { ...cdk, context: { ...cdk.context, table: stream }, bundles },
    );
    const variables = resourcesOf(moved.functions, moved.consumers)
      .of("AWS::Lambda::Function")
      .map(({ Properties }) => JSON.stringify(Properties["Environment"] ?? {}))
      .filter((text) => text.includes("TABLE_NAME"));
    expect(variables.filter((text) => !text.includes('"TABLE_NAME":"restored"'))).toEqual([]);
    expect(variables.length).toBeGreaterThan(20);
    const policies = resourcesOf(moved.functions, moved.consumers).of("AWS::IAM::Policy");
    expect(JSON.stringify(policies)).toContain(":table/restored/index/gsi1");
    const sources = resourcesOf(moved.operations).of("AWS::Lambda::EventSourceMapping");
    expect(JSON.stringify(sources)).toContain(`:table/${stream}`);
    // The lost table stays until the operator deletes it.
    expect(resourcesOf(moved.data).of("AWS::DynamoDB::GlobalTable")).toHaveLength(1);
  });

  test("is in an encrypted table with point-in-time recovery", () => {
    const [table, ...others] = stateful.of("AWS::DynamoDB::GlobalTable");
    expect(others).toEqual([]);
    expect(table?.Properties).toMatchObject({
      BillingMode: "PAY_PER_REQUEST",
      SSESpecification: { SSEEnabled: true },
      StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
      TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
      Replicas: [{ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
    });
  });

  test("is in buckets without public access or plain HTTP", () => {
    const buckets = Object.entries(stateful.all).filter(
      ([, { Type }]) => Type === "AWS::S3::Bucket",
    );
    expect(buckets.length).toBeGreaterThan(0);
    const policies = stateful.of("AWS::S3::BucketPolicy").map(({ Properties }) => Properties);
    const Media = data.resolve(data.media.bucketName) as { Ref: string };
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
      const policy =
        id === Media.Ref
          ? resources.media.of("AWS::S3::BucketPolicy")[0]?.Properties
          : policies.find(({ Bucket }) => Ref.parse(Bucket).Ref === id);
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

  test("can be fetched from every origin if it is a media file, with the same headers that block scripts as on the local stack", () => {
    const [policy, ...others] = resources.media.of("AWS::CloudFront::ResponseHeadersPolicy");
    expect(others).toEqual([]);
    expect(policy?.Properties).toMatchObject({
      ResponseHeadersPolicyConfig: {
        CorsConfig: { AccessControlAllowOrigins: { Items: ["*"] } },
        SecurityHeadersConfig: {
          ContentSecurityPolicy: {
            ContentSecurityPolicy: mediaHeaders.contentSecurityPolicy,
            Override: true,
          },
          ContentTypeOptions: { Override: true },
        },
      },
    });
    expect(resources.media.of("AWS::CloudFront::Distribution")).toEqual([
      expect.objectContaining({
        Properties: expect.objectContaining({
          DistributionConfig: expect.objectContaining({
            DefaultCacheBehavior: expect.objectContaining({
              ResponseHeadersPolicyId: { Ref: expect.stringMatching(/^Headers/) },
            }),
          }),
        }),
      }),
    ]);
  });

  test("is in encrypted queues with alarms on message age and dead letters", () => {
    const Queue = z.object({ SqsManagedSseEnabled: z.literal(true) });
    for (const { Properties } of stateful.of("AWS::SQS::Queue")) Queue.parse(Properties);
    const watched = [data.lostChanges, ...Object.values(data.queues).map((q) => q.deadLetters)];
    for (const { queue } of Object.values(data.queues)) {
      expect(alarms).toContainEqual(
        expect.objectContaining({
          MetricName: "ApproximateAgeOfOldestMessage",
          Dimensions: [{ Name: "QueueName", Value: shop.operations.resolve(queue.queueName) }],
        }),
      );
    }
    for (const queue of watched) {
      expect(alarms).toContainEqual(
        expect.objectContaining({
          MetricName: "ApproximateNumberOfMessagesVisible",
          Dimensions: [{ Name: "QueueName", Value: shop.operations.resolve(queue.queueName) }],
        }),
      );
    }
  });

  test("in standard queues has an alarm on postponed messages, which the message age of SQS leaves out", () => {
    const postponed = alarms.filter(
      ({ MetricName }) => MetricName === "ApproximateNumberOfMessagesNotVisible",
    );
    const standard = Object.entries(queues).filter(([, { fifo }]) => !fifo);
    expect(standard.length).toBeGreaterThan(4);
    expect(postponed).toEqual(
      standard.map(([name]) =>
        expect.objectContaining({
          Dimensions: [
            {
              Name: "QueueName",
              Value: shop.operations.resolve(data.queues[name as QueueName].queue.queueName),
            },
          ],
          Statistic: "Minimum",
          Threshold: 0,
          EvaluationPeriods: 3,
        }),
      ),
    );
  });

  test("is retained in queues and dead letter queues for SQS's maximum of 14 days", () => {
    const periods = stateful
      .of("AWS::SQS::Queue")
      .map(({ Properties }) => Properties["MessageRetentionPeriod"]);
    expect(periods).toHaveLength(2 * Object.keys(queues).length + 1);
    expect(new Set(periods)).toEqual(new Set([14 * 86_400]));
  });

  test("is in high-throughput FIFO queues if the queue has many message groups", () => {
    const fast = stateful
      .of("AWS::SQS::Queue")
      .filter(({ Properties }) => Properties["FifoThroughputLimit"] === "perMessageGroupId");
    expect(fast).toHaveLength(2);
    for (const { Properties } of fast) {
      expect(Properties).toMatchObject({ FifoQueue: true, DeduplicationScope: "messageGroup" });
    }
  });

  const notifications = stateful
    .of("AWS::S3::Bucket")
    .map(({ Properties }) => Properties["NotificationConfiguration"])
    .filter((configuration) => configuration !== undefined);

  test("includes failed batches of table changes, each of which causes one queue message", () => {
    expect(notifications).toContainEqual({
      EventBridgeConfiguration: { EventBridgeEnabled: true },
    });
    const [rule] = stateful.of("AWS::Events::Rule");
    expect(rule?.Properties).toMatchObject({
      EventPattern: {
        source: ["aws.s3"],
        "detail-type": ["Object Created"],
        detail: { bucket: { name: [data.resolve(data.failedChanges.bucketName)] } },
      },
      Targets: [{ Arn: data.resolve(data.lostChanges.queueArn) }],
    });
  });

  test("has no message in the queue of failed changes after a deployment", () => {
    // S3 sends a test event to each queue that it notifies itself.
    const notified = JSON.stringify(notifications);
    expect(notified).toContain(JSON.stringify(data.resolve(data.queues.media.queue.queueArn)));
    expect(notified).not.toContain(JSON.stringify(data.resolve(data.lostChanges.queueArn)));
  });
});
