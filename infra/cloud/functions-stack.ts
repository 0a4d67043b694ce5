import { CfnOutput, ReferenceStrength, Stack, type StackProps, Validations } from "aws-cdk-lib";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Topic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import type { Consumer } from "#functions/consumers.ts";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import type { Family } from "#functions/families.ts";
import type { Entity } from "#shared/storage/entity.ts";
import { Alarms, alarmTopic, letPublish } from "./alarms.ts";
import type { DataStack } from "./data-stack.ts";
import { Releases } from "./releases.ts";
import { ServiceFunction } from "./service-function.ts";
import { type StageOptions, metricsNamespace } from "./stage.ts";

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
  /** Directory with the bundles of all functions, as `bundle` writes it. */
  readonly bundles: string;
}

/** The functions with their roles, logs, aliases and releases, and the alarms that stop a release. */
export class FunctionsStack extends Stack {
  /** By the name in the manifest. */
  readonly functions: ReadonlyMap<string, ServiceFunction>;
  /** Receives the alarms of this stack and of the operations stack. */
  readonly alarmTopic: Topic;
  /** Secret that CloudFront sends; undefined unless the switch `cdn` is set. */
  readonly originSecret: Secret | undefined;

  constructor(scope: Construct, id: string, props: FunctionsStackProps) {
    const { manifest, data, mediaBaseUrl, options, entities, bundles, ...stackProps } = props;
    super(scope, id, stackProps);
    const { cpu, logDays: logRetention, logRemoval, reserve, cdn } = options;
    const originSecret = (this.originSecret = cdn ? this.#originSecret() : undefined);
    this.alarmTopic = alarmTopic(this);
    // The budget of the operations stack publishes to this topic.
    if (options.budget !== undefined) letPublish(this.alarmTopic, "budgets");
    const alarms = new Alarms(this, this.alarmTopic);

    const all = [manifest.authorizer, ...manifest.families, ...manifest.consumers];
    const logs = { logRetention, logRemoval };
    const shared = { data, mediaBaseUrl, entities, bundles, cpu, reserve, options, ...logs };
    this.functions = new Map(
      all.map((deployed) => {
        const made = new ServiceFunction(this, { deployed, ...shared, originSecret });
        return [deployed.name, made] as const;
      }),
    );
    const releases = new Releases(this, options);
    // Only functions behind the API are released gradually. Consumers need no canary, because their event sources
    // retry what fails. The operations stack watches them.
    for (const { name } of [manifest.authorizer, ...manifest.families]) {
      const { lambda, alias } = functionOf(this, name);
      releases.release(name, alias, [
        alarms.watchErrors(name, lambda),
        alarms.watchServerErrors(name, metricsNamespace(options)),
        alarms.watchDuration(name, lambda),
      ]);
    }

    new CfnOutput(this, "TableName", { value: data.table.tableName });
    for (const { name, source } of manifest.consumers) {
      if (source.kind !== "stream") continue;
      new CfnOutput(this, "StreamReader", {
        value: functionOf(this, name).lambda.functionName,
        description: "Its environment variables are needed by `npm run replay`.",
      });
    }
    new CfnOutput(this, "AlarmTopicArn", { value: this.alarmTopic.topicArn });
  }

  /** The secret that CloudFront sends. It can be generated again at any time, so it is deleted with the stack. */
  #originSecret(): Secret {
    const secret = new Secret(this, "OriginSecret", {
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    // Without the switch `cdn`, this stack removes the secret before the API's stack stops reading it.
    secret.applyCrossStackReferenceStrength(ReferenceStrength.WEAK);
    Validations.of(secret).acknowledge({
      id: "AwsSolutions-SMG4",
      reason:
        "CloudFront receives a new value only by a deployment; the previous value stays valid until then.",
    });
    return secret;
  }
}

/** @throws Error if the manifest has no function of this name */
export function functionOf(
  { functions }: Pick<FunctionsStack, "functions">,
  name: string,
): ServiceFunction {
  const made = functions.get(name);
  if (!made) throw new Error(`There is no function ${name}.`);
  return made;
}
