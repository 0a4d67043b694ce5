import { CfnOutput, ReferenceStrength, Stack, type StackProps, Validations } from "aws-cdk-lib";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Topic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import type { Consumer } from "#functions/consumers.ts";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import type { Family } from "#functions/families.ts";
import { Alarms, alarmTopic, letPublish } from "./alarms.ts";
import { Releases } from "./releases.ts";
import {
  type ServiceFunctions,
  type SharedProps,
  functionOf,
  serviceFunctions,
} from "./service-function.ts";
import { type StageOptions, metricsNamespace } from "./stage.ts";

/** The functions that a deployment consists of. */
export interface Manifest {
  readonly authorizer: DeployedFunction;
  readonly families: readonly Family[];
  readonly consumers: readonly Consumer[];
}

interface FunctionsStackProps extends StackProps, Omit<SharedProps, "originSecret" | "options"> {
  readonly manifest: Pick<Manifest, "authorizer" | "families">;
  readonly options: StageOptions;
}

/** The functions behind the API with their roles, logs, aliases and releases, and the alarms that stop a release. */
export class FunctionsStack extends Stack {
  readonly functions: ServiceFunctions;
  /** Receives the alarms of this stack and of the operations stack. */
  readonly alarmTopic: Topic;
  /** Secret that CloudFront sends; undefined unless the switch `cdn` is set. */
  readonly originSecret: Secret | undefined;

  constructor(scope: Construct, id: string, props: FunctionsStackProps) {
    const { manifest, options, ...shared } = props;
    const { env } = props;
    super(scope, id, env && { env });
    const originSecret = (this.originSecret = options.cdn ? this.#originSecret() : undefined);
    this.alarmTopic = alarmTopic(this);
    // The budget of the operations stack publishes to this topic.
    if (options.budget !== undefined) letPublish(this.alarmTopic, "budgets");
    const alarms = new Alarms(this, this.alarmTopic);

    const all = [manifest.authorizer, ...manifest.families];
    this.functions = serviceFunctions(this, all, { ...shared, options, originSecret });
    const releases = new Releases(this, options);
    for (const { name } of all) {
      const { lambda, alias } = functionOf(this, name);
      releases.release(name, alias, [
        alarms.watchErrors(name, lambda),
        alarms.watchServerErrors(name, metricsNamespace(options)),
        alarms.watchDuration(name, lambda),
      ]);
    }

    new CfnOutput(this, "TableName", { value: shared.data.table.tableName });
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
