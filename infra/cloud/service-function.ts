import { dirname } from "node:path";
import { Duration, RemovalPolicy, Stack, Tags, Validations } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Alias,
  Architecture,
  Code,
  Function as Lambda,
  type IVersion,
  RecursiveLoop,
  Runtime,
  RuntimeManagementMode,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, type RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import type { Consumer } from "#functions/consumers.ts";
import type { BucketName, DeployedFunction } from "#functions/deployed-function.ts";
import type { Family } from "#functions/families.ts";
import type { Entity } from "#shared/storage/entity.ts";
import type { VariableName } from "#shared/runtime/environment.ts";
import { bundleFile, bundleHandler } from "#infra/bundle/bundle.ts";
import type { Cpu } from "#infra/bundle/native-packages.ts";
import type { DataStack } from "./data-stack.ts";
import { grantsFor } from "./grants.ts";

interface ServiceFunctionProps {
  deployed: DeployedFunction | Family;
  data: DataStack;
  mediaBaseUrl: string;
  /** Every entity of the table. */
  entities: readonly Entity[];
  /** The directory that `bundle` filled. */
  bundles: string;
  cpu: Cpu;
  logRetention: RetentionDays;
  logRemoval: RemovalPolicy;
  /** Whether to reserve concurrency as the manifest says. */
  reserve: boolean;
  /** Secret that CloudFront sends; undefined without `cdn`. */
  originSecret: Secret | undefined;
}

/** A function of the manifest: its code, log group, environment and permissions. */
export class ServiceFunction extends Construct {
  readonly lambda: Lambda;
  /** What callers and event sources invoke: the released version. */
  readonly alias: Alias;

  constructor(scope: Construct, props: ServiceFunctionProps) {
    const { deployed, data, mediaBaseUrl, bundles } = props;
    super(scope, deployed.name);
    Tags.of(this).add("function", deployed.name);
    const originSecret = asksForCallers(deployed) ? props.originSecret : undefined;

    const logGroup = new LogGroup(this, "Log", {
      retention: props.logRetention,
      removalPolicy: props.logRemoval,
    });
    // AWSLambdaBasicExecutionRole may write to every log group; this role writes to its own only.
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    });
    logGroup.grantWrite(role);
    for (const statement of grantsFor(deployed.permissions, props.entities, data))
      role.addToPolicy(statement);
    if (originSecret) role.addToPolicy(readingSecret(originSecret));
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM5[Resource::*]",
      reason: "X-Ray's two actions do not support resources.",
    });
    for (const bucket of Object.keys(deployed.permissions.buckets ?? {}) as BucketName[]) {
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${JSON.stringify(Stack.of(this).resolve(data.bucketArns[bucket]))}/*]`,
        reason:
          "Each bucket contains only objects of one kind: indexes, pictures, exports, customers' files or failed changes.",
      });
    }

    this.lambda = new Lambda(this, "Function", {
      runtime: Runtime.NODEJS_24_X,
      architecture: props.cpu === "arm64" ? Architecture.ARM_64 : Architecture.X86_64,
      code: Code.fromAsset(dirname(bundleFile(bundles, deployed.name))),
      handler: bundleHandler,
      memorySize: deployed.memoryMb,
      timeout: Duration.seconds(deployed.timeoutSeconds),
      environment: {
        ...environmentOf(deployed, data, mediaBaseUrl),
        ...(originSecret && { ORIGIN_SECRET: originSecret.secretArn }),
      },
      role,
      logGroup,
      tracing: Tracing.ACTIVE,
      // AWS's patches of the runtime come with a deployment, which is tested and can be rolled back.
      runtimeManagementMode: RuntimeManagementMode.FUNCTION_UPDATE,
      // A function that sends itself messages would be stopped after sixteen of them by Lambda's loop detection.
      ...(sendsToItself(deployed) && { recursiveLoop: RecursiveLoop.ALLOW }),
      ...(props.reserve &&
        deployed.reservedConcurrency !== undefined && {
          reservedConcurrentExecutions: deployed.reservedConcurrency,
        }),
      currentVersionOptions: { removalPolicy: RemovalPolicy.DESTROY },
    });
    this.alias = new Alias(this, "Alias", {
      aliasName: "live",
      // Under exactOptionalPropertyTypes the library's class misses its own interface.
      version: this.lambda.currentVersion as IVersion,
    });
  }
}

const sendsToItself = (deployed: DeployedFunction | Family | Consumer): boolean =>
  "source" in deployed &&
  deployed.source.kind === "queue" &&
  (deployed.permissions.queues?.includes(deployed.source.queue) ?? false);

/** Whether it uses the caller's IP address, for rate limits or for guests' idempotency keys. */
export const asksForCallers = (deployed: DeployedFunction | Family): boolean =>
  "routes" in deployed && deployed.routes.some(({ limit, idempotent }) => limit ?? idempotent);

const readingSecret = ({ secretArn }: Secret) =>
  new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [secretArn] });

/** Values of the environment variables; undefined leaves a variable unset. */
function valuesIn(data: DataStack, mediaBaseUrl: string): Record<VariableName, string | undefined> {
  return {
    APP_NAME: undefined,
    TABLE_NAME: data.table.tableName,
    DYNAMODB_ENDPOINT: undefined,
    S3_ENDPOINT: undefined,
    SQS_ENDPOINT: undefined,
    INDEX_BUCKET: data.index.bucketName,
    MEDIA_BUCKET: data.media.bucketName,
    QUARANTINE_BUCKET: data.quarantine.bucketName,
    EXPORTS_BUCKET: data.exports.bucketName,
    INBOX_BUCKET: data.inboxFiles.bucketName,
    FAILED_CHANGES_BUCKET: data.failedChanges.bucketName,
    LOST_CHANGES_QUEUE_URL: undefined,
    UPLOAD_URL: undefined,
    MEDIA_BASE_URL: mediaBaseUrl,
    CATALOG_INDEX_QUEUE_URL: data.queues["catalog-index"].queue.queueUrl,
    STAFF_INDEX_QUEUE_URL: data.queues["staff-index"].queue.queueUrl,
    OUTBOX_QUEUE_URL: data.queues.outbox.queue.queueUrl,
    MEDIA_QUEUE_URL: data.queues.media.queue.queueUrl,
    MEDIA_USES_QUEUE_URL: data.queues["media-uses"].queue.queueUrl,
    WHATSAPP_QUEUE_URL: data.queues.whatsapp.queue.queueUrl,
    INBOX_FILES_QUEUE_URL: data.queues["inbox-files"].queue.queueUrl,
    EXPORTS_QUEUE_URL: data.queues.exports.queue.queueUrl,
    METRICS_QUEUE_URL: data.queues.metrics.queue.queueUrl,
    ORDER_NAMES_QUEUE_URL: data.queues["order-names"].queue.queueUrl,
    WHATSAPP_API_URL: undefined,
    SES_ENDPOINT: undefined,
    MAIL_FROM: data.mail?.from,
    STRIPE_API_URL: undefined,
    CUSTOMER_TOKEN_KEYS: undefined,
    CUSTOMER_TOKEN_SECRET: data.tokenSecrets.customer.secretArn,
    STAFF_TOKEN_KEYS: undefined,
    STAFF_TOKEN_SECRET: data.tokenSecrets.staff.secretArn,
    // Set below for functions that use the caller's IP address, with `cdn`.
    ORIGIN_KEYS: undefined,
    ORIGIN_SECRET: undefined,
    SETTINGS_KEYS: undefined,
    SETTINGS_SECRET: data.settingsSecret.secretArn,
  };
}

function environmentOf(
  { environment }: DeployedFunction,
  data: DataStack,
  mediaBaseUrl: string,
): Record<string, string> {
  const values = valuesIn(data, mediaBaseUrl);
  return Object.fromEntries(
    environment.flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
