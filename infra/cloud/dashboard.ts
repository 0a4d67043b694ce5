import { Duration, Stack } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  Metric,
  PeriodOverride,
  TextWidget,
} from "aws-cdk-lib/aws-cloudwatch";
import type { Function as Lambda } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { DataStack } from "./data-stack.ts";

interface OverviewProps {
  api: HttpApi;
  /** Functions by name. */
  functions: ReadonlyMap<string, Lambda>;
  data: DataStack;
}

const period = Duration.minutes(5);
const half = 12;

/** The dashboard: symptoms that callers see on top, causes below. */
export class Overview extends Construct {
  constructor(scope: Construct, { api, functions, data }: OverviewProps) {
    super(scope, "Overview");
    const { stackName } = Stack.of(this);
    const lambdas = [...functions];
    const each = (measure: (lambda: Lambda) => Metric) =>
      lambdas.map(([label, lambda]) => measure(lambda).with({ label }));

    const dashboard = new Dashboard(this, "Dashboard", {
      dashboardName: stackName,
      periodOverride: PeriodOverride.AUTO,
    });
    dashboard.addWidgets(new TextWidget({ markdown: `# ${stackName}`, width: 24, height: 1 }));
    dashboard.addWidgets(
      graph("Requests and errors", [
        api.metricCount({ period, label: "requests" }),
        api.metricClientError({ period, label: "4xx" }),
        api.metricServerError({ period, label: "5xx" }),
      ]),
      graph(
        "Latency (ms)",
        ["p50", "p90", "p99"].map((statistic) => api.metricLatency({ period, statistic })),
      ),
    );
    dashboard.addWidgets(
      graph(
        "Errors",
        each((lambda) => lambda.metricErrors({ period, statistic: "Sum" })),
      ),
      graph(
        "Duration, p99 (ms)",
        each((lambda) => lambda.metricDuration({ period, statistic: "p99" })),
      ),
    );
    dashboard.addWidgets(
      graph(
        "Invocations",
        each((lambda) => lambda.metricInvocations({ period, statistic: "Sum" })),
      ),
      graph(
        "Concurrent invocations",
        each((lambda) => lambda.metric("ConcurrentExecutions", { period, statistic: "Maximum" })),
      ),
    );
    dashboard.addWidgets(...queueGraphs(data));
    dashboard.addWidgets(...tableGraphs(data.table.tableName));
  }
}

const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: half });

function queueGraphs({ queues, lostChanges }: DataStack): GraphWidget[] {
  const named = Object.entries(queues);
  const waiting = (queue: Queue, label: string) =>
    queue.metricApproximateNumberOfMessagesVisible({ period, statistic: "Maximum", label });
  return [
    graph(
      "Oldest message waiting (s)",
      named.map(([label, { queue }]) =>
        queue.metricApproximateAgeOfOldestMessage({ period, statistic: "Maximum", label }),
      ),
    ),
    graph("Dead letters", [
      ...named.map(([label, { deadLetters }]) => waiting(deadLetters, label)),
      waiting(lostChanges, "changes of the table"),
    ]),
  ];
}

function tableGraphs(TableName: string): GraphWidget[] {
  const metric = (metricName: string, label: string) =>
    new Metric({
      namespace: "AWS/DynamoDB",
      metricName,
      dimensionsMap: { TableName },
      statistic: "Sum",
      period,
      label,
    });
  return [
    graph("Capacity units", [
      metric("ConsumedReadCapacityUnits", "read"),
      metric("ConsumedWriteCapacityUnits", "write"),
    ]),
    graph("Table: contention and throttles", [
      metric("TransactionConflict", "transaction conflicts"),
      metric("ReadThrottleEvents", "throttled reads"),
      metric("WriteThrottleEvents", "throttled writes"),
    ]),
  ];
}
