import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { Consumer } from "#functions/consumers.ts";
import {
  type ServiceFunctions,
  type SharedProps,
  functionOf,
  serviceFunctions,
} from "./service-function.ts";

interface ConsumersStackProps extends StackProps, Omit<SharedProps, "originSecret"> {
  readonly consumers: readonly Consumer[];
}

/**
 * The functions that process the stream, the queues and the schedules, with their roles, logs and aliases. They need no
 * canary, because their event sources retry what fails. The operations stack connects and watches them.
 */
export class ConsumersStack extends Stack {
  readonly functions: ServiceFunctions;

  constructor(scope: Construct, id: string, props: ConsumersStackProps) {
    const { consumers, ...shared } = props;
    const { env } = props;
    super(scope, id, env && { env });
    this.functions = serviceFunctions(this, consumers, { ...shared, originSecret: undefined });
    for (const { name, source } of consumers) {
      if (source.kind !== "stream") continue;
      new CfnOutput(this, "StreamReader", {
        value: functionOf(this, name).lambda.functionName,
        description: "Its environment variables are needed by `npm run replay`.",
      });
    }
  }
}
