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

const policy = "service-role/AWSCodeDeployRoleForLambdaLimited";

/** Releases new versions of functions with CodeDeploy. */
export class Releases extends Construct {
  readonly #application: LambdaApplication;
  readonly #role: Role;

  constructor(scope: Construct) {
    super(scope, "Releases");
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
   * Sends a tenth of the calls to a new version for five minutes, then all. An alarm meanwhile returns all calls to the
   * version before, and fails the deployment.
   */
  canary(name: string, alias: Alias, alarms: readonly IAlarm[]): void {
    new LambdaDeploymentGroup(this, name, {
      application: this.#application,
      role: this.#role,
      alias,
      alarms: [...alarms],
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    });
  }
}
