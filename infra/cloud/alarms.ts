import { Duration, Stack } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import {
  Alarm,
  ComparisonOperator,
  TreatMissingData,
  type Metric,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Function as Lambda } from "aws-cdk-lib/aws-lambda";
import { type ITopic, Topic } from "aws-cdk-lib/aws-sns";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";

const period = Duration.minutes(5);

/** The SNS topic that all alarms publish to. */
export function alarmTopic(scope: Construct): Topic {
  const topic = new Topic(scope, "AlarmTopic", { enforceSSL: true });
  // A topic policy replaces the default one, which lets the account's alarms publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(scope).account } },
    }),
  );
  return topic;
}

/** The alarms of a stack. */
export class Alarms extends Construct {
  readonly #topic: ITopic;

  constructor(scope: Construct, topic: ITopic) {
    super(scope, "Alarms");
    this.#topic = topic;
  }

  watchThrottles(): void {
    this.#raise("Throttles", {
      metric: Lambda.metricAllThrottles({ period, statistic: "Sum" }),
      above: 0,
      description: "Lambda throttled invocations: the account's concurrency is used up.",
    });
  }

  watchApi(api: HttpApi): void {
    this.#raise("ServerErrors", {
      metric: api.metricServerError({ period, statistic: "Sum" }),
      above: 5,
      description: "The API returned 5xx responses.",
    });
    this.#raise("Latency", {
      metric: api.metricLatency({ period, statistic: "p99" }),
      above: 3000,
      description: "One request in a hundred took longer than 3 s.",
      periods: 3,
    });
  }

  watchErrors(name: string, lambda: Lambda): Alarm {
    return this.#raise(`${name}Errors`, {
      // A release waits five minutes for it.
      metric: lambda.metricErrors({ period: Duration.minutes(1), statistic: "Sum" }),
      above: 0,
      description: `The function ${name} crashed or timed out.`,
    });
  }

  watchDuration(name: string, lambda: Lambda): Alarm {
    return this.#raise(`${name}Slow`, {
      metric: lambda.metricDuration({ period: Duration.minutes(1), statistic: "p99" }),
      above: 3000,
      description: `One call in a hundred of the function ${name} took longer than 3 s.`,
      periods: 2,
    });
  }

  watchStreamReader(name: string, lambda: Lambda): void {
    this.#raise(`${name}Age`, {
      metric: lambda.metric("IteratorAge", { period: Duration.minutes(1), statistic: "Maximum" }),
      above: 60_000,
      description: `The function ${name} is more than a minute behind the table's changes.`,
      periods: 3,
    });
  }

  /** Raises an alarm when a schedule stops. A run that fails raises the alarm on errors. */
  watchClock(name: string, lambda: Lambda, everyMinutes: number): void {
    this.#raise(`${name}Late`, {
      metric: lambda.metricInvocations({
        // CloudWatch evaluates one day at most.
        period: Duration.minutes(Math.min(1440, Math.max(5, everyMinutes * 2))),
        statistic: "Sum",
      }),
      below: 1,
      description: `The function ${name} has not been invoked.`,
      missing: TreatMissingData.BREACHING,
    });
  }

  /** Raises an alarm when messages wait. They may fail without reaching the dead letter queue. */
  watchWaiting(name: string, queue: Queue): void {
    this.#raise(`${name}Waiting`, {
      metric: queue.metricApproximateAgeOfOldestMessage({ period, statistic: "Maximum" }),
      above: 900,
      description: `A message in the queue ${name} has waited for 15 minutes.`,
    });
  }

  /**
   * The same for consumers that postpone failed messages, such as mails during an outage of the mail server. SQS
   * ignores messages that were received three times when it computes the queue's age. A postponed message stays in
   * flight, and only postponed messages stay that long.
   */
  watchPostponed(name: string, queue: Queue): void {
    this.#raise(`${name}Postponed`, {
      metric: queue.metricApproximateNumberOfMessagesNotVisible({ period, statistic: "Minimum" }),
      above: 0,
      description: `Messages in the queue ${name} have been postponed for 15 minutes.`,
      periods: 3,
    });
  }

  watchDeadLetters(name: string, queue: Queue): void {
    this.#raise(name, {
      metric: queue.metricApproximateNumberOfMessagesVisible({ period, statistic: "Maximum" }),
      above: 0,
      description: "Messages are in a dead letter queue.",
    });
  }

  #raise(
    id: string,
    {
      metric,
      description,
      periods = 1,
      missing = TreatMissingData.NOT_BREACHING,
      ...bound
    }: {
      metric: Metric;
      description: string;
      periods?: number;
      missing?: TreatMissingData;
    } & ({ above: number } | { below: number }),
  ): Alarm {
    const isCeiling = "above" in bound;
    const alarm = new Alarm(this, id, {
      metric,
      threshold: isCeiling ? bound.above : bound.below,
      comparisonOperator: isCeiling
        ? ComparisonOperator.GREATER_THAN_THRESHOLD
        : ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: missing,
      alarmDescription: description,
    });
    alarm.addAlarmAction(new SnsAction(this.#topic));
    return alarm;
  }
}
