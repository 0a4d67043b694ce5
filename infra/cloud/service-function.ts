import { dirname } from "node:path";
import { Duration, Validations } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, Code, Function as Lambda, Runtime, Tracing } from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { DeployedFunction } from "#functions/families.ts";
import type { VariableName } from "#shared/runtime/environment.ts";
import { bundleFile, bundleHandler } from "./bundle.ts";
import type { DataStack } from "./data-stack.ts";
import { grantsFor } from "./grants.ts";

interface ServiceFunctionProps {
  deployed: DeployedFunction;
  data: DataStack;
  /** The directory that `bundle` filled. */
  bundles: string;
}

/** One function of the manifest as Lambda runs it: its code, log, environment and exactly its grants. */
export class ServiceFunction extends Construct {
  readonly lambda: Lambda;

  constructor(scope: Construct, { deployed, data, bundles }: ServiceFunctionProps) {
    super(scope, deployed.name);

    const logGroup = new LogGroup(this, "Log", { retention: RetentionDays.ONE_MONTH });
    // Lambda's ready-made policy may write to every log of the account; this role knows its own only.
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    });
    logGroup.grantWrite(role);
    for (const statement of grantsFor(deployed.reach, data)) role.addToPolicy(statement);
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM5[Resource::*]",
      reason: "Traces have no resource: X-Ray's two actions take none.",
    });
    for (const bucket of ["view", "media", "quarantine"] as const) {
      if (!deployed.reach[bucket]) continue;
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${data.bucketExports[bucket]}/*]`,
        reason:
          "Versions of the view and pictures are objects of their own; nothing else lives in their buckets.",
      });
    }

    this.lambda = new Lambda(this, "Function", {
      runtime: Runtime.NODEJS_24_X,
      // Machine code comes from the packages installed here, and this project is built on Linux on x64.
      architecture: deployed.packages ? Architecture.X86_64 : Architecture.ARM_64,
      code: Code.fromAsset(dirname(bundleFile(bundles, deployed.name))),
      handler: bundleHandler,
      memorySize: deployed.memoryMb,
      timeout: Duration.seconds(deployed.timeoutSeconds),
      environment: environmentOf(deployed, data),
      role,
      logGroup,
      tracing: Tracing.ACTIVE,
    });
  }
}

/** Where each variable's value comes from in the cloud; undefined leaves it to its default. */
function valuesIn(data: DataStack): Record<VariableName, string | undefined> {
  return {
    APP_NAME: undefined,
    TABLE_NAME: data.table.tableName,
    DYNAMODB_ENDPOINT: undefined,
    S3_ENDPOINT: undefined,
    SQS_ENDPOINT: undefined,
    VIEW_BUCKET: data.view.bucketName,
    MEDIA_BUCKET: data.media.bucketName,
    QUARANTINE_BUCKET: data.quarantine.bucketName,
    UPLOAD_URL: undefined,
    MEDIA_BASE_URL: data.mediaBaseUrl,
    CATALOG_VIEW_QUEUE_URL: data.queues["catalog-view"].queue.queueUrl,
    STAFF_VIEW_QUEUE_URL: data.queues["staff-view"].queue.queueUrl,
    OUTBOX_QUEUE_URL: data.queues.outbox.queue.queueUrl,
    MEDIA_QUEUE_URL: data.queues.media.queue.queueUrl,
    MEDIA_USES_QUEUE_URL: data.queues["media-uses"].queue.queueUrl,
    WHATSAPP_QUEUE_URL: data.queues.whatsapp.queue.queueUrl,
    FIGURES_QUEUE_URL: data.queues.figures.queue.queueUrl,
    WHATSAPP_API_URL: undefined,
    SES_ENDPOINT: undefined,
    MAIL_FROM: data.mail?.from,
    STRIPE_API_URL: undefined,
    CUSTOMER_TOKEN_KEYS: undefined,
    CUSTOMER_TOKEN_SECRET: data.tokenSecrets.customer.secretArn,
    STAFF_TOKEN_KEYS: undefined,
    STAFF_TOKEN_SECRET: data.tokenSecrets.staff.secretArn,
    SETTINGS_KEYS: undefined,
    SETTINGS_SECRET: data.settingsSecret.secretArn,
  };
}

function environmentOf({ environment }: DeployedFunction, data: DataStack): Record<string, string> {
  const values = valuesIn(data);
  return Object.fromEntries(
    environment.flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
