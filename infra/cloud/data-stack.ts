import {
  ArnFormat,
  CfnOutput,
  Duration,
  Fn,
  RemovalPolicy,
  Stack,
  type StackProps,
  Validations,
} from "aws-cdk-lib";
import {
  AttributeType,
  Billing,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
  type Attribute,
  type ITable,
} from "aws-cdk-lib/aws-dynamodb";
import { Rule } from "aws-cdk-lib/aws-events";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  HttpMethods,
  ObjectOwnership,
  type BucketProps,
  type IBucket,
} from "aws-cdk-lib/aws-s3";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import {
  DeduplicationScope,
  FifoThroughputLimit,
  Queue,
  QueueEncryption,
} from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { Consumer } from "#functions/consumers.ts";
import type { BucketName, KeySecretName } from "#functions/deployed-function.ts";
import { type QueueName, type QueueShape, queues } from "#functions/queues.ts";
import { feedFolder } from "#shared/domain/seo/feed-files.ts";
import { fileLifetimeDays } from "#shared/domain/inbox/message-media.ts";
import { type MailSender, addMail } from "./mail.ts";
import type { StageOptions } from "./stage.ts";
import { tableDefinition } from "#shared/storage/table-definition.ts";

interface DataStackProps extends StackProps {
  /** The consumers' timeouts determine the visibility timeouts of their queues. */
  consumers: readonly Consumer[];
  options: Pick<StageOptions, "cdn" | "mailDomain" | "origins" | "protect" | "table">;
}

interface WatchedQueue {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

const replacedByOurs =
  "A function rotates it by age. A second rotation within the lifetime of a token would end sessions.";

/**
 * CDK ids of queues whose name has changed since they were first deployed. With a new id, CloudFormation would replace
 * the queue, and its messages would be lost.
 */
const deployedIds: Partial<Record<QueueName, string>> = {
  "catalog-index": "catalog-view",
  "staff-index": "staff-view",
};

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });

// CDK's classes do not match CDK's own interfaces under exactOptionalPropertyTypes, hence `as ITable` and `as IBucket`.

/**
 * Resources outlive the stack, but are deleted if its first deployment fails, because leftovers would make the next
 * deployment fail.
 */
const retained = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/** All persistent resources. They are retained when the stack is deleted. */
export class DataStack extends Stack {
  /** The stage's own table, or a restored one that replaces it. */
  readonly table: ITable;
  readonly index: IBucket;
  /** Access logs of CloudFront and of the buckets. */
  readonly logs: IBucket;
  /** Public files, served by CloudFront. */
  readonly media: IBucket;
  /** Uploads that were not checked yet. No distribution serves this bucket. */
  readonly quarantine: IBucket;
  /** Exported files, deleted after one day. */
  readonly exports: IBucket;
  /** Files that customers sent by WhatsApp; staff read them through links that expire. */
  readonly inboxFiles: IBucket;
  /** PDFs of orders and quotes. Invoices must be kept for years, so nothing here expires. */
  readonly documents: IBucket;
  /** Changes that the stream reader failed to process, kept for `npm run replay`. */
  readonly failedChanges: IBucket;
  /**
   * The ledger of erased customers. It has only their ids and is outside the table, so that these customers can be
   * erased again after the table was restored.
   */
  readonly erasedIds: IBucket;
  /**
   * ARNs of the buckets for other stacks, which import them as outputs. The outputs keep their names if a bucket is
   * renamed.
   */
  readonly bucketArns: Record<BucketName, string>;
  readonly queues: Record<QueueName, WatchedQueue>;
  readonly mail: MailSender | undefined;
  /** Signing keys of tokens by guard and of links, and the key that encrypts secrets in the settings. */
  readonly keySecrets: Record<KeySecretName, Secret>;
  /** Receives a notification for each object in the bucket of failed changes. */
  readonly lostChanges: Queue;

  constructor(scope: Construct, id: string, { consumers, options, ...props }: DataStackProps) {
    super(scope, id, { ...props, terminationProtection: options.protect });
    const { mailDomain, origins } = options;

    const own = new TableV2(this, "Table", {
      partitionKey: text(tableDefinition.partitionKey),
      sortKey: text(tableDefinition.sortKey),
      globalSecondaryIndexes: tableDefinition.indexes.map((index) => ({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
      })),
      timeToLiveAttribute: tableDefinition.timeToLive,
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: options.protect,
      removalPolicy: retained,
    }) as ITable;
    this.table = options.table === undefined ? own : this.#restoredTable(options.table);

    const logs = (this.logs = this.#bucket("Logs", {
      lifecycleRules: [{ expiration: Duration.days(90) }],
    }));
    if (options.cdn) logs.addToResourcePolicy(this.#deliveredByCloudFront(logs));

    this.media = this.#bucket("Media", {
      // `enforceSSL` would add a bucket policy here. A bucket has only one policy, and the media stack adds it, because
      // it names the distribution.
      enforceSSL: false,
      versioned: true,
      lifecycleRules: [
        { noncurrentVersionExpiration: Duration.days(90), expiredObjectDeleteMarker: true },
        {
          // Sitemaps and product feeds are written again after every change, and at least once a day.
          prefix: `${feedFolder}/`,
          expiration: Duration.days(7),
          noncurrentVersionExpiration: Duration.days(1),
        },
      ],
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: "media-bucket/",
    });

    Validations.of(this.media).acknowledge({
      id: "AwsSolutions-S10",
      reason: "The policy in the media stack refuses plain HTTP.",
    });

    // Indexes are derived from the table and each version has its own key, so S3 versioning is not needed.
    this.index = this.#bucket("View", {
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: "view-bucket/",
    });
    this.quarantine = this.#bucket("Quarantine", {
      // An upload that was not processed within one day is abandoned.
      lifecycleRules: [{ expiration: Duration.days(1) }],
      // Pages of the shop upload files with forms, across origins.
      cors: [
        { allowedMethods: [HttpMethods.POST], allowedOrigins: [...origins], allowedHeaders: ["*"] },
      ],
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: "quarantine-bucket/",
    });
    this.exports = this.#bucket("Exports", {
      lifecycleRules: [{ expiration: Duration.days(1) }],
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: "exports-bucket/",
    });
    this.inboxFiles = this.#bucket("InboxFiles", {
      lifecycleRules: [{ expiration: Duration.days(fileLifetimeDays) }],
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: "inbox-files-bucket/",
    });
    this.documents = this.#bucket("Documents", {
      versioned: true,
      lifecycleRules: [
        { noncurrentVersionExpiration: Duration.days(90), expiredObjectDeleteMarker: true },
      ],
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: "documents-bucket/",
    });
    this.failedChanges = this.#bucket("FailedChanges", {
      // Failed changes contain personal data, so they expire, as logs do.
      lifecycleRules: [{ expiration: Duration.days(90) }],
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: "failed-changes-bucket/",
    });
    this.erasedIds = this.#bucket("ErasedIds", {
      versioned: true,
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: "erased-ids-bucket/",
    });
    new CfnOutput(this, "ErasedIdsBucketName", {
      value: this.erasedIds.bucketName,
      description: "For `npm run restore-drill`.",
    });
    this.bucketArns = {
      index: this.#output("IndexBucketArn", this.index),
      media: this.#output("MediaBucketArn", this.media),
      quarantine: this.#output("QuarantineBucketArn", this.quarantine),
      exports: this.#output("ExportsBucketArn", this.exports),
      inboxFiles: this.#output("InboxFilesBucketArn", this.inboxFiles),
      documents: this.#output("DocumentsBucketArn", this.documents),
      failedChanges: this.#output("FailedChangesBucketArn", this.failedChanges),
      erasedIds: this.#output("ErasedIdsBucketArn", this.erasedIds),
    };

    this.keySecrets = {
      customer: this.#keySecret("CustomerTokens", replacedByOurs),
      staff: this.#keySecret("StaffTokens", replacedByOurs),
      links: this.#keySecret(
        "LinkKeys",
        "Rotated by hand: a second rotation ends the links in mails from before the first.",
      ),
      settings: this.#keySecret(
        "SettingsKeys",
        "Rotated by hand: a second rotation loses secrets that were not encrypted again since the first.",
      ),
    };
    this.queues = {
      "catalog-index": this.#queue("catalog-index", consumers),
      "staff-index": this.#queue("staff-index", consumers),
      outbox: this.#queue("outbox", consumers),
      media: this.#queue("media", consumers),
      "media-uses": this.#queue("media-uses", consumers),
      whatsapp: this.#queue("whatsapp", consumers),
      "inbox-files": this.#queue("inbox-files", consumers),
      exports: this.#queue("exports", consumers),
      metrics: this.#queue("metrics", consumers),
      "order-names": this.#queue("order-names", consumers),
      documents: this.#queue("documents", consumers),
      "mail-events": this.#queue("mail-events", consumers),
      "erased-ids": this.#queue("erased-ids", consumers),
      marketing: this.#queue("marketing", consumers),
    };
    this.#announceArrivals(this.quarantine, this.queues.media.queue);
    for (const [name, value] of Object.entries({
      CatalogIndexQueueUrl: this.queues["catalog-index"].queue.queueUrl,
      StaffIndexQueueUrl: this.queues["staff-index"].queue.queueUrl,
      IndexBucketName: this.index.bucketName,
    })) {
      new CfnOutput(this, name, { value, description: "For `npm run rebuild-index`." });
    }
    this.mail =
      mailDomain === undefined
        ? undefined
        : addMail(this, mailDomain, this.queues["mail-events"].queue);
    this.lostChanges = this.#deadLetters("LostChanges");
    this.#countFailedChanges();
    new CfnOutput(this, "LostChangesQueueUrl", {
      value: this.lostChanges.queueUrl,
      description: "For `npm run replay`.",
    });
    Validations.of(this.lostChanges).acknowledge({
      id: "AwsSolutions-SQS3",
      reason:
        "It has no consumer: its length is the number of objects with failed changes, which an alarm watches.",
    });
    if (options.table !== undefined) this.#keepExporting(own);
  }

  /**
   * Keeps the exports of a table that no stack uses in this deployment. The other stacks, which are deployed later, still
   * import them, and CloudFormation refuses to remove what is imported.
   */
  #keepExporting({ tableName, tableArn, tableStreamArn }: ITable): void {
    for (const value of [tableName, tableArn, tableStreamArn]) this.exportValue(value);
  }

  /** @param table name and stream of the restored table, in the form of the switch `table` */
  #restoredTable(table: string): ITable {
    const arnOf = (resourceName: string) =>
      this.formatArn({ service: "dynamodb", resource: "table", resourceName });
    return TableV2.fromTableAttributes(this, "RestoredTable", {
      tableArn: arnOf(table.split("/")[0] ?? table),
      tableStreamArn: arnOf(table),
      grantIndexPermissions: true,
    });
  }

  #output(name: string, { bucketArn }: IBucket): string {
    new CfnOutput(this, name, { value: bucketArn });
    return Fn.getStackOutput(this.stackName, name);
  }

  /** Lets CloudFront write its logs to the bucket. It does so through CloudWatch's log delivery in us-east-1. */
  #deliveredByCloudFront(logs: IBucket): PolicyStatement {
    const sources = this.formatArn({
      service: "logs",
      region: "us-east-1",
      resource: "delivery-source",
      resourceName: "*",
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    return new PolicyStatement({
      principals: [new ServicePrincipal("delivery.logs.amazonaws.com")],
      actions: ["s3:PutObject"],
      resources: [logs.arnForObjects(`AWSLogs/${this.account}/*`)],
      conditions: {
        StringEquals: {
          "aws:SourceAccount": this.account,
          "s3:x-amz-acl": "bucket-owner-full-control",
        },
        ArnLike: { "aws:SourceArn": sources },
      },
    });
  }

  /**
   * Sends a message to the queue for each new object, and one test event, which its consumer must know. CDK's own method
   * would deploy a Lambda function only to set this one property.
   */
  #announceArrivals(bucket: IBucket, queue: Queue): void {
    queue.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal("s3.amazonaws.com")],
        actions: ["sqs:SendMessage"],
        resources: [queue.queueArn],
        // The condition names the account, not the bucket. The bucket depends on this policy, so naming the bucket
        // would create a cycle.
        conditions: { StringEquals: { "aws:SourceAccount": this.account } },
      }),
    );
    const resource = bucket.node.defaultChild as CfnBucket;
    resource.notificationConfiguration = {
      queueConfigurations: [{ event: "s3:ObjectCreated:*", queue: queue.queueArn }],
    };
    resource.node.addDependency(queue.node.findChild("Policy"));
  }

  /**
   * Sends a message to the queue for each object with failed changes. EventBridge sends no test event, which would stay
   * in this queue without a consumer.
   */
  #countFailedChanges(): void {
    const resource = this.failedChanges.node.defaultChild as CfnBucket;
    resource.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } };
    new Rule(this, "ChangesLost", {
      eventPattern: {
        source: ["aws.s3"],
        detailType: ["Object Created"],
        detail: { bucket: { name: [this.failedChanges.bucketName] } },
      },
      targets: [new SqsQueue(this.lostChanges)],
    });
  }

  #bucket(id: string, props: BucketProps): IBucket {
    return new Bucket(this, id, {
      ...props,
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
        ...(props.lifecycleRules ?? []),
      ],
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      ...(props.enforceSSL !== false && { enforceSSL: true, minimumTLSVersion: 1.2 }),
      removalPolicy: retained,
    }) as IBucket;
  }

  /** The secret's value is the key. A new version rotates it; the previous key stays valid until the next rotation. */
  #keySecret(id: string, unrotatedBecause: string): Secret {
    const secret = new Secret(this, id, {
      // Letters and digits are valid base64url: 48 bytes, of which about 380 bits are random.
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: retained,
    });
    Validations.of(secret).acknowledge({
      id: "AwsSolutions-SMG4",
      reason: unrotatedBecause,
    });
    return secret;
  }

  #queue(name: QueueName, consumers: readonly Consumer[]): WatchedQueue {
    const consumer = consumers.find(
      ({ source }) => source.kind === "queue" && source.queue === name,
    );
    if (!consumer) throw new Error(`The queue ${name} has no consumer.`);

    const { fifo, manyGroups = false, attempts }: QueueShape = queues[name];
    const id = deployedIds[name] ?? name;
    const deadLetters = this.#deadLetters(`${id}-dead-letters`, { fifo });
    const queue = new Queue(this, id, {
      ...(fifo && { fifo }),
      ...(manyGroups && {
        deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
        fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      }),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      // Short for a FIFO queue, where a failed message blocks its group. A throttled batch may then be delivered twice,
      // which is harmless because consumers are idempotent. Other queues use six times the timeout, as Lambda
      // recommends.
      visibilityTimeout: Duration.seconds(
        fifo ? consumer.timeoutSeconds + 5 : consumer.timeoutSeconds * 6,
      ),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: attempts },
      removalPolicy: retained,
    });
    return { queue, deadLetters };
  }

  #deadLetters(id: string, { fifo }: { fifo?: boolean } = {}): Queue {
    return new Queue(this, id, {
      ...(fifo && { fifo }),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      removalPolicy: retained,
    });
  }
}
