import { dirname } from "node:path";
import { Duration, RemovalPolicy, Stack, Token, Tags, Validations } from "aws-cdk-lib";
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
import {
  type BucketName,
  type DeployedFunction,
  bucketValues,
  environmentOf,
  queueValues,
} from "#functions/deployed-function.ts";
import type { Family } from "#functions/families.ts";
import type { Entity } from "#shared/storage/entity.ts";
import type { VariableName } from "#shared/runtime/environment.ts";
import { bundleFile, bundleHandler } from "#infra/bundle/bundle.ts";
import type { Cpu } from "#infra/bundle/native-packages.ts";
import type { DataStack } from "./data-stack.ts";
import { grantsFor } from "./grants.ts";
import { type StageOptions, metricsNamespace } from "./stage.ts";

/** What all functions of a stack have in common. */
export interface SharedProps {
  data: DataStack;
  mediaBaseUrl: string;
  /** Every entity of the table. */
  entities: readonly Entity[];
  /** Directory with the bundles of all functions, as `bundle` writes it. */
  bundles: string;
  cpu: Cpu;
  logRetention: RetentionDays;
  logRemoval: RemovalPolicy;
  /** Whether to reserve concurrency as the manifest says. */
  reserve: boolean;
  /** Secret that CloudFront sends; undefined unless the switch `cdn` is set. */
  originSecret: Secret | undefined;
  options: Pick<StageOptions, "stage" | "apiUrl" | "docs" | "originSecretVersion" | "release">;
}

interface ServiceFunctionProps extends SharedProps {
  deployed: DeployedFunction | Family | Consumer;
}

/** The functions of a stack, by their names in the manifest. */
export type ServiceFunctions = ReadonlyMap<string, ServiceFunction>;

export const serviceFunctions = (
  scope: Construct,
  functions: readonly ServiceFunctionProps["deployed"][],
  shared: SharedProps,
): ServiceFunctions =>
  new Map(
    functions.map((deployed) => [
      deployed.name,
      new ServiceFunction(scope, { deployed, ...shared }),
    ]),
  );

/** @throws Error if the stack has no function of this name */
export function functionOf(
  { functions }: { readonly functions: ServiceFunctions },
  name: string,
): ServiceFunction {
  const made = functions.get(name);
  if (!made) throw new Error(`There is no function ${name}.`);
  return made;
}

/** A function of the manifest: its code, log group, environment and permissions. */
export class ServiceFunction extends Construct {
  readonly lambda: Lambda;
  /** The released version, which callers and event sources invoke. */
  readonly alias: Alias;

  constructor(scope: Construct, props: ServiceFunctionProps) {
    const { deployed, data, mediaBaseUrl, bundles, options } = props;
    super(scope, deployed.name);
    Tags.of(this).add("function", deployed.name);
    const originSecret = "routes" in deployed ? props.originSecret : undefined;

    const logGroup = new LogGroup(this, "Log", {
      retention: props.logRetention,
      removalPolicy: props.logRemoval,
    });
    // AWSLambdaBasicExecutionRole may write to every log group; this role, only to the log group of its function.
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
    if (deployed.permissions.mails && data.mail) {
      // The ids of findings of cdk-nag contain `<AWS::…>` for values that are unknown at synth.
      const named = (value: string, parameter: string) =>
        Token.isUnresolved(value) ? `<AWS::${parameter}>` : value;
      const { partition, region, account } = data;
      const arn = `arn:${named(partition, "Partition")}:ses:${named(region, "Region")}:${named(account, "AccountId")}`;
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${arn}:identity/*]`,
        reason: "In SES's sandbox, recipients are identities. The condition names the sender.",
      });
    }
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
        ...valuesOf(environmentOf(deployed), {
          ...valuesIn(data, mediaBaseUrl, options.apiUrl),
          DOCS: options.docs,
        }),
        POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(options),
        POWERTOOLS_SERVICE_NAME: deployed.name,
        ...(originSecret && {
          ORIGIN_SECRET: originSecret.secretArn,
          // No function reads this variable. A new value starts new instances, which then read the rotated secret.
          ORIGIN_SECRET_VERSION: options.originSecretVersion ?? "first",
        }),
      },
      role,
      logGroup,
      // The description is part of a version, so a new text makes a new version. Only a new version gets new values of
      // environment variables.
      ...(options.release !== undefined && { description: options.release }),
      tracing: Tracing.ACTIVE,
      // AWS's patches of the Node.js runtime apply only when a deployment updates the function, so they can be tested
      // and rolled back.
      runtimeManagementMode: RuntimeManagementMode.FUNCTION_UPDATE,
      // A function that sends messages to its own queue would be stopped by Lambda's loop detection after sixteen
      // messages.
      ...(sendsToItself(deployed) && { recursiveLoop: RecursiveLoop.ALLOW }),
      ...(props.reserve &&
        deployed.reservedConcurrency !== undefined && {
          reservedConcurrentExecutions: deployed.reservedConcurrency,
        }),
      currentVersionOptions: { removalPolicy: RemovalPolicy.DESTROY },
    });
    this.alias = new Alias(this, "Alias", {
      aliasName: "live",
      // CDK's class does not match CDK's own interface under exactOptionalPropertyTypes.
      version: this.lambda.currentVersion as IVersion,
    });
  }
}

function sendsToItself(deployed: DeployedFunction | Family | Consumer): boolean {
  if (!("source" in deployed) || deployed.source.kind !== "queue") return false;
  const { queue } = deployed.source;
  return deployed.permissions.queues?.some((name) => name === queue) ?? false;
}

const readingSecret = ({ secretArn }: Secret) =>
  new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [secretArn] });

/** Values of the environment variables; undefined leaves a variable unset. */
function valuesIn(
  data: DataStack,
  mediaBaseUrl: string,
  apiBaseUrl: string | undefined,
): Record<Exclude<VariableName, "DOCS">, string | undefined> {
  return {
    APP_NAME: undefined,
    TABLE_NAME: data.table.tableName,
    DYNAMODB_ENDPOINT: undefined,
    S3_ENDPOINT: undefined,
    SQS_ENDPOINT: undefined,
    ...bucketValues((name) => data[name].bucketName),
    UPLOAD_URL: undefined,
    MEDIA_BASE_URL: mediaBaseUrl,
    API_BASE_URL: apiBaseUrl,
    ...queueValues((name) => data.queues[name].queue.queueUrl),
    WHATSAPP_API_URL: undefined,
    SES_ENDPOINT: undefined,
    MAIL_FROM: data.mail?.from,
    MAIL_CONFIGURATION_SET: data.mail?.configurationSet,
    STRIPE_API_URL: undefined,
    CUSTOMER_TOKEN_KEYS: undefined,
    CUSTOMER_TOKEN_SECRET: data.keySecrets.customer.secretArn,
    STAFF_TOKEN_KEYS: undefined,
    STAFF_TOKEN_SECRET: data.keySecrets.staff.secretArn,
    LINK_KEYS: undefined,
    LINK_SECRET: data.keySecrets.links.secretArn,
    // With `cdn`, the constructor sets `ORIGIN_SECRET` for functions that answer routes.
    ORIGIN_KEYS: undefined,
    ORIGIN_SECRET: undefined,
    SETTINGS_KEYS: undefined,
    SETTINGS_SECRET: data.keySecrets.settings.secretArn,
    TIMEOUT_MULTIPLIER: undefined,
  };
}

function valuesOf(
  names: readonly VariableName[],
  values: Record<VariableName, string | undefined>,
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
