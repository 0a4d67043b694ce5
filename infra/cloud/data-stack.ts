import {
  CfnOutput,
  Duration,
  RemovalPolicy,
  Stack,
  type StackProps,
  Validations,
} from "aws-cdk-lib";
import {
  Distribution,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import {
  AttributeType,
  Billing,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
  type Attribute,
  type ITable,
} from "aws-cdk-lib/aws-dynamodb";
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
import { EmailIdentity, Identity } from "aws-cdk-lib/aws-ses";
import {
  DeduplicationScope,
  FifoThroughputLimit,
  Queue,
  QueueEncryption,
} from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { Consumer } from "#functions/consumers.ts";
import type { BucketName } from "#functions/deployed-function.ts";
import { type QueueName, type QueueShape, queues } from "#functions/queues.ts";
import { fileLifetimeDays } from "#shared/domain/inbox/message-media.ts";
import { mediaHeaders } from "#shared/files/media-headers.ts";
import type { Guard } from "#shared/domain/request/identity.ts";
import { tableDefinition } from "#shared/storage/table-definition.ts";

interface DataStackProps extends StackProps {
  /** Who reads the queues: a message stays hidden for as long as its consumer may need. */
  consumers: readonly Consumer[];
  /** The domain that mail comes from; its owner puts the records that this stack puts out into its DNS. */
  mailDomain: string | undefined;
}

/** In whose name mail is sent. */
interface MailSender {
  readonly identity: EmailIdentity;
  readonly from: string;
}

interface WatchedQueue {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

const replacedByOurs =
  "A function of ours replaces it when it is old, and never twice within a token's life: that would end sessions.";

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });

// `as ITable` and `as IBucket`: under exactOptionalPropertyTypes the library's classes miss its own interfaces.

/** Everything that must outlive a deployment: nothing in here is ever deleted with the stack. */
export class DataStack extends Stack {
  readonly table: ITable;
  readonly view: IBucket;
  /** What CloudFront and the buckets say of every call. */
  readonly logs: IBucket;
  /** What the world reads, through the distribution. */
  readonly media: IBucket;
  /** What was uploaded and not looked at yet: a bucket of its own, so that the distribution cannot reach it. */
  readonly quarantine: IBucket;
  /** What staff took out of the shop: it goes after a day. */
  readonly exports: IBucket;
  /** What customers sent by WhatsApp: staff alone read it, by links that end. */
  readonly inboxFiles: IBucket;
  /** Changes of the table that the stream's reader could not deal with, until somebody replays them. */
  readonly failedChanges: IBucket;
  /** The names under which the other stack learns the buckets' ARNs. */
  readonly bucketExports: Record<BucketName, string>;
  /** Where the world reads the media bucket; no slash at the end. */
  readonly mediaBaseUrl: string;
  readonly queues: Record<QueueName, WatchedQueue>;
  readonly mail: MailSender | undefined;
  /** What signs each guard's tokens. */
  readonly tokenSecrets: Record<Guard, Secret>;
  /** What secrets of the settings are encrypted with. */
  readonly settingsSecret: Secret;
  /** A notice of each object in the bucket of failed changes. */
  readonly lostChanges: Queue;

  constructor(scope: Construct, id: string, { consumers, mailDomain, ...props }: DataStackProps) {
    super(scope, id, props);

    this.table = new TableV2(this, "Table", {
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
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    }) as ITable;

    const logs = (this.logs = this.#bucket("Logs", {
      // CloudFront delivers its logs by ACL and by no other means.
      objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
      lifecycleRules: [{ expiration: Duration.days(90) }],
    }));

    this.media = this.#bucket("Media", {
      versioned: true,
      lifecycleRules: [{ noncurrentVersionExpiration: Duration.days(90) }],
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: "media-bucket/",
    });

    // Derived from the table and replaced whole: a version of it has a key of its own, so none is kept by S3.
    this.view = this.#bucket("View", {
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: "view-bucket/",
    });
    this.quarantine = this.#bucket("Quarantine", {
      // What nobody has looked at within a day is of no use to anybody.
      lifecycleRules: [{ expiration: Duration.days(1) }],
      // Browsers send signed forms; whoever has one may send it from anywhere.
      cors: [{ allowedMethods: [HttpMethods.POST], allowedOrigins: ["*"], allowedHeaders: ["*"] }],
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
    this.failedChanges = this.#bucket("FailedChanges", {
      // They hold what the table holds of people, so that they end as logs do.
      lifecycleRules: [{ expiration: Duration.days(90) }],
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: "failed-changes-bucket/",
    });
    this.bucketExports = {
      view: this.#exported("view", this.view),
      media: this.#exported("media", this.media),
      quarantine: this.#exported("quarantine", this.quarantine),
      exports: this.#exported("exports", this.exports),
      inboxFiles: this.#exported("inboxFiles", this.inboxFiles),
      failedChanges: this.#exported("failedChanges", this.failedChanges),
    };

    const distribution = new Distribution(this, "MediaDistribution", {
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(this.media),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        responseHeadersPolicy: this.#mediaHeaders(),
      },
      enableLogging: true,
      logBucket: logs,
      logFilePrefix: "media-distribution/",
    });
    Validations.of(distribution).acknowledge(
      {
        id: "AwsSolutions-CFR1",
        reason: "The shop sells to whoever it delivers to; that is decided at the quote.",
      },
      {
        id: "AwsSolutions-CFR2",
        reason: "It serves public pictures from a private bucket and runs nothing.",
      },
      {
        id: "AwsSolutions-CFR4",
        reason: "CloudFront's own domain allows no choice of TLS version.",
      },
    );
    this.mediaBaseUrl = `https://${distribution.distributionDomainName}`;

    this.tokenSecrets = {
      customer: this.#keySecret("CustomerTokens", replacedByOurs),
      staff: this.#keySecret("StaffTokens", replacedByOurs),
    };
    this.settingsSecret = this.#keySecret(
      "SettingsKeys",
      "After a second rotation secrets that were not saved since the first are lost, so a person decides on it.",
    );
    this.queues = {
      "catalog-view": this.#queue("catalog-view", consumers),
      "staff-view": this.#queue("staff-view", consumers),
      outbox: this.#queue("outbox", consumers),
      media: this.#queue("media", consumers),
      "media-uses": this.#queue("media-uses", consumers),
      whatsapp: this.#queue("whatsapp", consumers),
      "inbox-files": this.#queue("inbox-files", consumers),
      exports: this.#queue("exports", consumers),
      metrics: this.#queue("metrics", consumers),
      "order-names": this.#queue("order-names", consumers),
    };
    this.#announceArrivals(this.quarantine, this.queues.media.queue);
    for (const [name, value] of Object.entries({
      CatalogViewQueueUrl: this.queues["catalog-view"].queue.queueUrl,
      StaffViewQueueUrl: this.queues["staff-view"].queue.queueUrl,
      ViewBucketName: this.view.bucketName,
    })) {
      new CfnOutput(this, name, { value, description: "For `npm run rebuild-view`." });
    }
    this.mail = mailDomain === undefined ? undefined : this.#mail(mailDomain);
    this.lostChanges = this.#deadLetters("LostChanges");
    this.#announceArrivals(this.failedChanges, this.lostChanges);
    new CfnOutput(this, "LostChangesQueueUrl", {
      value: this.lostChanges.queueUrl,
      description: "For `npm run replay`.",
    });
    Validations.of(this.lostChanges).acknowledge({
      id: "AwsSolutions-SQS3",
      reason:
        "Nobody works on it: it says what lies in the bucket of failed changes; an alarm watches it.",
    });
  }

  #exported(name: BucketName, { bucketArn }: IBucket): string {
    const exportName = `${this.stackName}-${name}`;
    this.exportValue(bucketArn, { name: exportName });
    return exportName;
  }

  #mediaHeaders(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, "MediaHeaders", {
      // Pages on other origins read files as data, too: a canvas and WebGL take none otherwise.
      corsBehavior: {
        accessControlAllowCredentials: false,
        accessControlAllowHeaders: ["*"],
        accessControlAllowMethods: ["GET", "HEAD"],
        accessControlAllowOrigins: ["*"],
        originOverride: true,
      },
      securityHeadersBehavior: {
        contentSecurityPolicy: {
          contentSecurityPolicy: mediaHeaders.contentSecurityPolicy,
          override: true,
        },
        contentTypeOptions: { override: true },
        referrerPolicy: {
          referrerPolicy: HeadersReferrerPolicy.STRICT_ORIGIN_WHEN_CROSS_ORIGIN,
          override: true,
        },
        strictTransportSecurity: {
          accessControlMaxAge: Duration.days(365),
          override: true,
        },
      },
    });
  }

  /** Without the library's own way, which would deploy a function to set one property. */
  #announceArrivals(bucket: IBucket, queue: Queue): void {
    queue.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal("s3.amazonaws.com")],
        actions: ["sqs:SendMessage"],
        resources: [queue.queueArn],
        // Not the bucket's ARN: the bucket itself waits for this policy.
        conditions: { StringEquals: { "aws:SourceAccount": this.account } },
      }),
    );
    const resource = bucket.node.defaultChild as CfnBucket;
    resource.notificationConfiguration = {
      queueConfigurations: [{ event: "s3:ObjectCreated:*", queue: queue.queueArn }],
    };
    resource.node.addDependency(queue.node.findChild("Policy"));
  }

  #bucket(id: string, props: BucketProps): IBucket {
    return new Bucket(this, id, {
      ...props,
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
        ...(props.lifecycleRules ?? []),
      ],
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: RemovalPolicy.RETAIN,
    }) as IBucket;
  }

  /** Its value is the key. A new version is a rotation: the one before goes on counting until the next. */
  #keySecret(id: string, unrotatedBecause: string): Secret {
    const secret = new Secret(this, id, {
      // Letters and digits alone are base64url: 48 bytes, of which about 380 bits are random.
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(secret).acknowledge({
      id: "AwsSolutions-SMG4",
      reason: unrotatedBecause,
    });
    return secret;
  }

  #mail(domain: string): MailSender {
    const identity = new EmailIdentity(this, "MailIdentity", { identity: Identity.domain(domain) });
    // Its name is the domain's: left behind by a first deployment that failed, it would be in the next one's way.
    identity.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    for (const [position, { name, value }] of identity.dkimRecords.entries()) {
      new CfnOutput(this, `MailCname${position + 1}`, { value: `${name} CNAME ${value}` });
    }
    return { identity, from: `no-reply@${domain}` };
  }

  #queue(name: QueueName, consumers: readonly Consumer[]): WatchedQueue {
    const consumer = consumers.find(
      ({ source }) => source.kind === "queue" && source.queue === name,
    );
    if (!consumer) throw new Error(`Nobody reads the queue ${name}.`);

    const { fifo, manyGroups = false, attempts }: QueueShape = queues[name];
    const deadLetters = this.#deadLetters(`${name}-dead-letters`, { fifo });
    const queue = new Queue(this, name, {
      ...(fifo && { fifo }),
      ...(manyGroups && {
        deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
        fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      }),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      // Soon in a queue that keeps order, where a failed message holds up its group; that a throttled batch may be
      // handed out twice does no harm, because consumers are safe to repeat. Else as long as Lambda advises.
      visibilityTimeout: Duration.seconds(
        fifo ? consumer.timeoutSeconds + 5 : consumer.timeoutSeconds * 6,
      ),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: attempts },
      removalPolicy: RemovalPolicy.RETAIN,
    });
    return { queue, deadLetters };
  }

  #deadLetters(id: string, { fifo }: { fifo?: boolean } = {}): Queue {
    return new Queue(this, id, {
      ...(fifo && { fifo }),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }
}
