import { Duration, Stack } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  PeriodOverride,
  TextWidget,
} from "aws-cdk-lib/aws-cloudwatch";
import type { Function as Lambda } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { Counted } from "#shared/runtime/count.ts";
import type { DataStack } from "./data-stack.ts";

const period = Duration.minutes(5);
const half = 12;

/** An empty dashboard that is named after its stage and its subject. */
function titled(scope: Construct, subject: string): Dashboard {
  const dashboardName = `${Stack.of(scope).stackName}-${subject}`;
  const dashboard = new Dashboard(scope, "Dashboard", {
    dashboardName,
    periodOverride: PeriodOverride.AUTO,
  });
  dashboard.addWidgets(new TextWidget({ markdown: `# ${dashboardName}`, width: 24, height: 1 }));
  return dashboard;
}

/** The dashboard of the shop: orders, payments and mails. */
export class ShopDashboard extends Construct {
  /** @param namespace of the metrics that the functions count */
  constructor(scope: Construct, namespace: string) {
    super(scope, "Shop");
    const counts = countsIn(namespace);
    const dashboard = titled(this, "shop");
    dashboard.addWidgets(
      graph("Orders", [
        counts.total("OrdersPlaced", "placed"),
        counts.total("OrdersPaid", "paid"),
        counts.total("PaymentFailures", "payment failures"),
      ]),
      graph("Refused checkouts, by error code", [
        counts.each("OrdersRefused", "reason"),
        counts.total("StockConflicts", "lost the last units to another buyer"),
      ]),
    );
    dashboard.addWidgets(
      graph("Mails sent", [counts.total("MailsSent", "sent")]),
      graph("Mails given up, by reason", [counts.each("MailsGivenUp", "reason")]),
    );
  }
}

/** Graphs of the metrics in a namespace, over all functions that report them. */
function countsIn(namespace: string) {
  const search = (name: Counted, dimensions: readonly string[]) =>
    // CloudWatch wants names with a hyphen in quotes.
    `SEARCH('{${[`"${namespace}"`, ...dimensions].join(",")}} MetricName="${name}"', 'Sum', ${period.toSeconds()})`;
  const graphed = (expression: string, label: string) =>
    new MathExpression({ expression, label, period });
  return {
    total: (name: Counted, label: string) => graphed(`SUM(${search(name, ["service"])})`, label),
    each: (name: Counted, dimension: "reason" | "service") => {
      const dimensions = dimension === "service" ? ["service"] : ["service", dimension];
      return graphed(search(name, dimensions), `\${PROP('Dim.${dimension}')}`);
    },
  };
}

interface MachineDashboardProps {
  api: HttpApi;
  /** Functions by name. */
  functions: ReadonlyMap<string, Lambda>;
  data: DataStack;
  /** Namespace of the metrics that the functions count. */
  namespace: string;
}

/** The dashboard of the infrastructure: symptoms that callers notice come first, then possible causes. */
export class MachineDashboard extends Construct {
  constructor(scope: Construct, { api, functions, data, namespace }: MachineDashboardProps) {
    super(scope, "Machine");
    const counts = countsIn(namespace);
    const lambdas = [...functions];
    const each = (measure: (lambda: Lambda) => Metric) =>
      lambdas.map(([label, lambda]) => measure(lambda).with({ label }));

    const dashboard = titled(this, "machine");
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
      graph("Answered 5xx, by function", [counts.each("ServerErrors", "service")]),
      graph("Cold starts, by function", [counts.each("ColdStarts", "service")]),
    );
    dashboard.addWidgets(
      graph(
        "Crashes and timeouts",
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
