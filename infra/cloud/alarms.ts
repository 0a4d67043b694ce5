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
import { Topic } from "aws-cdk-lib/aws-sns";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";

const period = Duration.minutes(5);

/** What a person is told about. Whoever is on duty subscribes to the topic. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.topic = new Topic(this, "Topic", { enforceSSL: true });
    // A topic with a policy of its own has lost the default one, by which the account's alarms could publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
        actions: ["sns:Publish"],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { "aws:SourceAccount": Stack.of(this).account } },
      }),
    );
    this.#raise("Throttles", {
      metric: Lambda.metricAllThrottles({ period, statistic: "Sum" }),
      above: 0,
      description: "Lambda turned calls away: the account's concurrency is used up.",
    });
  }

  watchApi(api: HttpApi): void {
    this.#raise("ServerErrors", {
      metric: api.metricServerError({ period, statistic: "Sum" }),
      above: 5,
      description: "Callers were answered with 5xx.",
    });
    this.#raise("Latency", {
      metric: api.metricLatency({ period, statistic: "p99" }),
      above: 3000,
      description: "One call in a hundred took longer than 3 s.",
      periods: 3,
    });
  }

  watchFunction(name: string, lambda: Lambda): void {
    this.#raise(`${name}Errors`, {
      metric: lambda.metricErrors({ period, statistic: "Sum" }),
      above: 0,
      description: `The function ${name} crashed or ran out of time.`,
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

  /** Tells of a clock that stands still: a run that fails raises the alarm on errors. */
  watchClock(name: string, lambda: Lambda, everyMinutes: number): void {
    this.#raise(`${name}Late`, {
      metric: lambda.metricInvocations({
        // No alarm looks back over more than a day.
        period: Duration.minutes(Math.min(1440, Math.max(5, everyMinutes * 2))),
        statistic: "Sum",
      }),
      below: 1,
      description: `The function ${name} has not been woken.`,
      missing: TreatMissingData.BREACHING,
    });
  }

  /** Tells of what fails without being given up. */
  watchWaiting(name: string, queue: Queue): void {
    this.#raise(`${name}Waiting`, {
      metric: queue.metricApproximateAgeOfOldestMessage({ period, statistic: "Maximum" }),
      above: 900,
      description: `A message in the queue ${name} has waited for a quarter of an hour.`,
    });
  }

  /**
   * The same where a consumer puts off what fails, such as mail while the mail server is away: SQS leaves out of the
   * queue's age what was received three times. What is put off is in flight all the while, and nothing else is.
   */
  watchPostponed(name: string, queue: Queue): void {
    this.#raise(`${name}Postponed`, {
      metric: queue.metricApproximateNumberOfMessagesNotVisible({ period, statistic: "Minimum" }),
      above: 0,
      description: `Messages in the queue ${name} have been put off again and again for a quarter of an hour.`,
      periods: 3,
    });
  }

  watchDeadLetters(name: string, queue: Queue): void {
    this.#raise(name, {
      metric: queue.metricApproximateNumberOfMessagesVisible({ period, statistic: "Maximum" }),
      above: 0,
      description: "Messages were given up on and wait for a person.",
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
  ): void {
    const isCeiling = "above" in bound;
    new Alarm(this, id, {
      metric,
      threshold: isCeiling ? bound.above : bound.below,
      comparisonOperator: isCeiling
        ? ComparisonOperator.GREATER_THAN_THRESHOLD
        : ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: missing,
      alarmDescription: description,
    }).addAlarmAction(new SnsAction(this.topic));
  }
}
