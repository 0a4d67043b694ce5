import { CfnOutput, Stack, type StackProps, Validations } from "aws-cdk-lib";
import type { Function as Lambda } from "aws-cdk-lib/aws-lambda";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Topic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import type { Consumer } from "#functions/consumers.ts";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import type { Family } from "#functions/families.ts";
import type { Entity } from "#shared/storage/entity.ts";
import { Alarms, alarmTopic } from "./alarms.ts";
import type { DataStack } from "./data-stack.ts";
import { ServiceFunction } from "./service-function.ts";
import type { StageOptions } from "./stage.ts";

/** The functions that a deployment consists of. */
export interface Manifest {
  readonly authorizer: DeployedFunction;
  readonly families: readonly Family[];
  readonly consumers: readonly Consumer[];
}

interface FunctionsStackProps extends StackProps {
  readonly manifest: Manifest;
  readonly data: DataStack;
  readonly mediaBaseUrl: string;
  readonly options: StageOptions;
  /** Every entity of the table. */
  readonly entities: readonly Entity[];
  /** The directory that `bundle` filled. */
  readonly bundles: string;
}

/** The functions with their roles, logs and alarms. */
export class FunctionsStack extends Stack {
  /** By the name in the manifest. */
  readonly lambdas: ReadonlyMap<string, Lambda>;
  /** Receives the alarms of this stack and of operations. */
  readonly alarmTopic: Topic;
  /** Secret that CloudFront sends; undefined without `cdn`. */
  readonly originSecret: Secret | undefined;

  constructor(scope: Construct, id: string, props: FunctionsStackProps) {
    const { manifest, data, mediaBaseUrl, options, entities, bundles, ...stackProps } = props;
    super(scope, id, stackProps);
    const { cpu, logDays: logRetention, logRemoval, reserve, cdn } = options;
    const originSecret = (this.originSecret = cdn ? this.#originSecret() : undefined);
    this.alarmTopic = alarmTopic(this);
    const alarms = new Alarms(this, this.alarmTopic);

    const all = [manifest.authorizer, ...manifest.families, ...manifest.consumers];
    const logs = { logRetention, logRemoval };
    const shared = { data, mediaBaseUrl, entities, bundles, cpu, reserve, ...logs };
    this.lambdas = new Map(
      all.map((deployed) => {
        const { lambda } = new ServiceFunction(this, { deployed, ...shared, originSecret });
        alarms.watchFunction(deployed.name, lambda);
        return [deployed.name, lambda] as const;
      }),
    );

    new CfnOutput(this, "TableName", { value: data.table.tableName });
    for (const { name, source } of manifest.consumers) {
      if (source.kind !== "stream") continue;
      new CfnOutput(this, "StreamReader", {
        value: lambdaOf(this, name).functionName,
        description: "Its environment variables are needed by `npm run replay`.",
      });
    }
    new CfnOutput(this, "AlarmTopicArn", { value: this.alarmTopic.topicArn });
  }

  /** Can be generated again at any time, so it is deleted with the stack. */
  #originSecret(): Secret {
    const secret = new Secret(this, "OriginSecret", {
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    Validations.of(secret).acknowledge({
      id: "AwsSolutions-SMG4",
      reason:
        "CloudFront receives a new value only by a deployment; the previous value stays valid until then.",
    });
    return secret;
  }
}

/** @throws Error if the manifest has no function of this name */
export function lambdaOf({ lambdas }: Pick<FunctionsStack, "lambdas">, name: string): Lambda {
  const lambda = lambdas.get(name);
  if (!lambda) throw new Error(`There is no function ${name}.`);
  return lambda;
}
