import { Duration, Stack } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import type { Distribution } from "aws-cdk-lib/aws-cloudfront";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Function as Lambda } from "aws-cdk-lib/aws-lambda";
import { type ITopic, Topic } from "aws-cdk-lib/aws-sns";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { Counted } from "#shared/runtime/count.ts";
import { indexNames } from "#shared/storage/entity.ts";
import { type Runbook, described } from "./runbooks.ts";

const period = Duration.minutes(5);

/** A count of events that one function reports. */
export const countMetric = (metricName: Counted, service: string, namespace: string): Metric =>
  new Metric({ namespace, metricName, dimensionsMap: { service }, statistic: "Sum", period });

/** The SNS topic that the alarms of a region publish to. */
export function alarmTopic(scope: Construct): Topic {
  const topic = new Topic(scope, "AlarmTopic", { enforceSSL: true });
  // Our topic policy replaces AWS's default policy, which lets the account's alarms publish. So alarms need this
  // permission again.
  letPublish(topic, "cloudwatch");
  return topic;
}

/** Lets an AWS service publish to a topic, on behalf of this account only. */
export function letPublish(topic: Topic, service: "cloudwatch" | "budgets"): void {
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal(`${service}.amazonaws.com`)],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(topic).account } },
    }),
  );
}

interface AlarmProps {
  readonly metric: IMetric;
  /** The section of the runbooks that says how urgent the alarm is and what to do. */
  readonly runbook: Runbook;
  readonly description: string;
  /** How many consecutive periods of the metric must exceed the limit. Default: one. */
  readonly periods?: number;
  /** How a period without data counts. Default: it raises no alarm. */
  readonly missing?: TreatMissingData;
}
type Bound = { readonly above: number } | { readonly below: number };

/** The alarms of a stack. */
export class Alarms extends Construct {
  readonly #topic: ITopic;

  constructor(scope: Construct, topic: ITopic) {
    super(scope, "Alarms");
    this.#topic = topic;
  }

  watchThrottles(): void {
    this.raise("Throttles", {
      runbook: "functions-throttled",
      metric: Lambda.metricAllThrottles({ period, statistic: "Sum" }),
      above: 0,
      description: "Lambda throttled invocations: the account's concurrency is used up.",
    });
  }

  watchApi(api: HttpApi): void {
    this.raise("ServerErrors", {
      runbook: "api-errors",
      metric: api.metricServerError({ period, statistic: "Sum" }),
      above: 5,
      description: "The API returned 5xx responses.",
    });
    this.raise("Latency", {
      runbook: "api-slow",
      metric: api.metricLatency({ period, statistic: "p99" }),
      above: 3000,
      description: "One request in a hundred took longer than 3 s.",
      periods: 3,
    });
  }

  watchErrors(name: string, lambda: Lambda): Alarm {
    return this.raise(`${name}Errors`, {
      runbook: "function-errors",
      // Periods of one minute, because this alarm must be able to stop a release, which takes five minutes.
      metric: lambda.metricErrors({ period: Duration.minutes(1), statistic: "Sum" }),
      above: 0,
      description: `The function ${name} crashed or timed out.`,
    });
  }

  /**
   * Raises an alarm on responses with a status of 500 or above. The function counts them, because Lambda counts them as
   * successes.
   */
  watchServerErrors(name: string, namespace: string): Alarm {
    return this.raise(`${name}ServerErrors`, {
      runbook: "server-errors",
      metric: countMetric("ServerErrors", name, namespace).with({ period: Duration.minutes(1) }),
      above: 0,
      description: `The function ${name} answered a request with 5xx.`,
    });
  }

  watchDuration(name: string, lambda: Lambda): Alarm {
    return this.raise(`${name}Slow`, {
      runbook: "function-slow",
      metric: lambda.metricDuration({ period: Duration.minutes(1), statistic: "p99" }),
      above: 3000,
      description: `One call in a hundred of the function ${name} took longer than 3 s.`,
      periods: 2,
    });
  }

  watchStreamReader(name: string, lambda: Lambda): void {
    this.raise(`${name}Age`, {
      runbook: "changes-delayed",
      metric: lambda.metric("IteratorAge", { period: Duration.minutes(1), statistic: "Maximum" }),
      above: 60_000,
      description: `The function ${name} is more than a minute behind the table's changes.`,
      periods: 3,
    });
  }

  /**
   * Raises an alarm when a schedule no longer invokes its function. A failed run raises the alarm on errors instead.
   */
  watchClock(name: string, lambda: Lambda, everyMinutes: number): void {
    this.raise(`${name}Late`, {
      runbook: "schedule-stopped",
      metric: lambda.metricInvocations({
        // CloudWatch cannot evaluate more than one day.
        period: Duration.minutes(Math.min(1440, Math.max(5, everyMinutes * 2))),
        statistic: "Sum",
      }),
      below: 1,
      description: `The function ${name} has not been invoked.`,
      missing: TreatMissingData.BREACHING,
    });
  }

  /**
   * Raises an alarm when a message has waited for long. It may be failing again and again before it reaches the dead
   * letter queue.
   */
  watchWaiting(name: string, queue: Queue): void {
    this.raise(`${name}Waiting`, {
      runbook: "messages-waiting",
      metric: queue.metricApproximateAgeOfOldestMessage({ period, statistic: "Maximum" }),
      above: 900,
      description: `A message in the queue ${name} has waited for 15 minutes.`,
    });
  }

  /**
   * Raises an alarm when messages are postponed for long, such as mails during an outage of the mail server. The age of
   * the oldest message does not show this, because SQS ignores messages that were received three times. A postponed
   * message counts as in flight, and no other message is in flight for that long.
   */
  watchPostponed(name: string, queue: Queue): void {
    this.raise(`${name}Postponed`, {
      runbook: "messages-postponed",
      metric: queue.metricApproximateNumberOfMessagesNotVisible({ period, statistic: "Minimum" }),
      above: 0,
      description: `Messages in the queue ${name} have been postponed for 15 minutes.`,
      periods: 3,
    });
  }

  watchDeadLetters(name: string, queue: Queue): void {
    this.raise(`${name}DeadLetters`, {
      runbook: "dead-letters",
      metric: queue.metricApproximateNumberOfMessagesVisible({ period, statistic: "Maximum" }),
      above: 0,
      description: `Messages are in the dead letter queue of ${name}.`,
    });
  }

  watchFailedChanges(queue: Queue): void {
    this.raise("LostChanges", {
      runbook: "changes-failed",
      metric: queue.metricApproximateNumberOfMessagesVisible({ period, statistic: "Maximum" }),
      above: 0,
      description: "The stream reader could not process changes of the table, and stored them.",
    });
  }

  /**
   * Raises an alarm on 5xx responses of a CloudFront distribution. Its metrics exist only in us-east-1, so the alarm
   * must be there too.
   */
  watchDistribution(name: string, distribution: Distribution): void {
    this.raise(`${name}CdnErrors`, {
      runbook: "cdn-errors",
      // CDK's own metric lacks the dimension `Region`, without which CloudFront publishes nothing.
      metric: new Metric({
        namespace: "AWS/CloudFront",
        metricName: "5xxErrorRate",
        dimensionsMap: { DistributionId: distribution.distributionId, Region: "Global" },
        statistic: "Average",
        period,
      }),
      above: 1,
      description: `CloudFront answered more than 1 % of the requests for ${name} with 5xx.`,
    });
  }

  /**
   * Raises an alarm on bounces and complaints, well before SES pauses the account at 10 % bounces or 0.5 % complaints.
   */
  watchMail(): void {
    const rateOf = (metricName: string) =>
      new Metric({
        namespace: "AWS/SES",
        metricName,
        period: Duration.hours(1),
        statistic: "Maximum",
      });
    this.raise("MailBounces", {
      runbook: "mail-bounces",
      metric: rateOf("Reputation.BounceRate"),
      above: 0.05,
      description: "More than 5 % of the mails bounce.",
    });
    this.raise("MailComplaints", {
      runbook: "mail-complaints",
      metric: rateOf("Reputation.ComplaintRate"),
      above: 0.001,
      description: "More than 0.1 % of the mails are reported as spam.",
    });
  }

  /** Raises an alarm when DynamoDB throttles the table or one of its indexes. */
  watchTable(TableName: string): void {
    const places = [
      { TableName },
      ...indexNames.map((GlobalSecondaryIndexName) => ({ TableName, GlobalSecondaryIndexName })),
    ];
    const throttled = places.flatMap((dimensionsMap) =>
      ["ReadThrottleEvents", "WriteThrottleEvents"].map(
        (metricName) =>
          new Metric({
            namespace: "AWS/DynamoDB",
            metricName,
            dimensionsMap,
            statistic: "Sum",
            period,
          }),
      ),
    );
    this.raise("TableThrottles", {
      runbook: "table-throttled",
      metric: new MathExpression({
        expression: "SUM(FILL(METRICS(), 0))",
        usingMetrics: Object.fromEntries(throttled.map((each, index) => [`m${index}`, each])),
        period,
        label: "throttled requests",
      }),
      above: 0,
      description: "DynamoDB throttled requests to the table or its indexes.",
    });
  }

  raise(id: string, props: AlarmProps & Bound): Alarm {
    const { metric, runbook, description, periods = 1, missing } = props;
    const isCeiling = "above" in props;
    const alarm = new Alarm(this, id, {
      metric,
      threshold: isCeiling ? props.above : props.below,
      comparisonOperator: isCeiling
        ? ComparisonOperator.GREATER_THAN_THRESHOLD
        : ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: missing ?? TreatMissingData.NOT_BREACHING,
      alarmDescription: described(runbook, description),
    });
    alarm.addAlarmAction(new SnsAction(this.#topic));
    return alarm;
  }
}
