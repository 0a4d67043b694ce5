import {
  CfnOutput,
  CrossStackReferences,
  ReferenceStrength,
  Stack,
  type StackProps,
} from "aws-cdk-lib";
import type { Distribution } from "aws-cdk-lib/aws-cloudfront";
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource } from "aws-cdk-lib/aws-logs";
import type { CfnBucket, IBucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { Alarms, alarmTopic } from "./alarms.ts";

/**
 * Fields of CloudFront's log. Query, cookies and referrer are left out, because the query of a mailed link contains a
 * token that opens an order or a quote.
 */
const loggedFields = [
  "date",
  "time",
  "x-edge-location",
  "x-edge-request-id",
  "c-ip",
  "cs-method",
  "x-host-header",
  "cs-uri-stem",
  "sc-status",
  "sc-bytes",
  "time-taken",
  "time-to-first-byte",
  "x-edge-result-type",
  "x-edge-detailed-result-type",
  "cs-protocol",
  "cs-protocol-version",
  "ssl-protocol",
];

interface EdgeStackProps extends StackProps {
  /** The distributions by the names of their stacks. */
  readonly distributions: Readonly<Record<string, Distribution>>;
  readonly logs: IBucket;
}

/**
 * The logs and alarms of CloudFront, which exist in us-east-1 only. They have a stack of their own, because it is
 * deployed after the distributions. The firewall's stack is deployed before them.
 */
export class EdgeStack extends Stack {
  constructor(scope: Construct, id: string, props: EdgeStackProps) {
    const { distributions, logs, ...stackProps } = props;
    super(scope, id, stackProps);
    // The distributions are in another region. Strong references would add functions of CDK's that copy their names.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    const topic = alarmTopic(this);
    new CfnOutput(this, "AlarmTopicArn", { value: topic.topicArn });
    const alarms = new Alarms(this, topic);
    for (const [name, distribution] of Object.entries(distributions))
      alarms.watchDistribution(name, distribution);
    // The ARN alone can be used in another region. The bucket object could not, unless the bucket had a fixed name.
    const { attrArn: logsArn } = logs.node.defaultChild as CfnBucket;
    const destination = new CfnDeliveryDestination(this, "LogDestination", {
      name: id,
      destinationResourceArn: logsArn,
      outputFormat: "json",
    });
    let before: CfnDelivery | undefined;
    for (const [name, { distributionArn }] of Object.entries(distributions)) {
      const source = new CfnDeliverySource(this, `${name}LogSource`, {
        name: `${id}-${name}`,
        logType: "ACCESS_LOGS",
        resourceArn: distributionArn,
      });
      const delivery = new CfnDelivery(this, `${name}Logs`, {
        deliverySourceName: source.name,
        deliveryDestinationArn: destination.attrArn,
        recordFields: loggedFields,
      });
      delivery.addResourceDependency(source);
      // CloudWatch refuses two changes of a destination's deliveries at the same time.
      if (before) delivery.addResourceDependency(before);
      before = delivery;
    }
  }
}
