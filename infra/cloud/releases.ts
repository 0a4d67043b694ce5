import { Validations } from "aws-cdk-lib";
import type { IAlarm } from "aws-cdk-lib/aws-cloudwatch";
import {
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from "aws-cdk-lib/aws-codedeploy";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Alias } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { StageOptions } from "./stage.ts";

const policy = "service-role/AWSCodeDeployRoleForLambdaLimited";

/** Releases new versions of functions with CodeDeploy. */
export class Releases extends Construct {
  readonly #application: LambdaApplication;
  readonly #role: Role;

  readonly #rollout: StageOptions["rollout"];

  constructor(scope: Construct, { rollout }: Pick<StageOptions, "rollout">) {
    super(scope, "Releases");
    this.#rollout = rollout;
    this.#application = new LambdaApplication(this, "Application");
    this.#role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("codedeploy.amazonaws.com"),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(policy)],
    });
    Validations.of(this.#role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
      reason: "AWS keeps this policy as CodeDeploy needs it: to move aliases and to read alarms.",
    });
  }

  /**
   * Sends a tenth of the calls to a new version for five minutes, then all calls. An alarm during that time returns all
   * calls to the previous version and fails the deployment. CodeDeploy refuses to start while an alarm is raised. So
   * `rollout: all`, meant for a repair, sends all calls to the new version immediately and ignores alarms.
   */
  release(name: string, alias: Alias, alarms: readonly IAlarm[]): void {
    const isRepair = this.#rollout === "all";
    new LambdaDeploymentGroup(this, name, {
      application: this.#application,
      role: this.#role,
      alias,
      alarms: [...alarms],
      ignoreAlarmConfiguration: isRepair,
      deploymentConfig: isRepair
        ? LambdaDeploymentConfig.ALL_AT_ONCE
        : LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    });
  }
}
