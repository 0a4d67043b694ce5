import { lineFacts } from "./cause.ts";

/** The CloudWatch metrics that operators see on the dashboards. */
export const countedNames = [
  "OrdersPlaced",
  "OrdersPaid",
  "OrdersRefused",
  "PaymentFailures",
  "StockConflicts",
  "MailsSent",
  "MailsGivenUp",
  "ServerErrors",
  "ColdStarts",
] as const;
export type Counted = (typeof countedNames)[number];

/**
 * Raises a metric by one, with a log line in CloudWatch's embedded metric format. Powertools is loaded when the first
 * such line is written, because most functions count nothing but their cold start. Nothing is printed if
 * POWERTOOLS_METRICS_NAMESPACE is not set, as on a developer's machine.
 *
 * @param reason distinguishes causes. Each reason is a metric of its own, so it must not be a value that callers choose
 */
export async function count(name: Counted, reason?: string): Promise<void> {
  if (!process.env["POWERTOOLS_METRICS_NAMESPACE"]) return;
  const { Metrics, MetricUnit } = await import("@aws-lambda-powertools/metrics");
  const metrics = new Metrics({ singleMetric: true });
  if (reason !== undefined) metrics.addDimension("reason", reason);
  // The line also contains the request id or trigger, so that a search of the log for it finds the line.
  for (const [member, value] of Object.entries(lineFacts())) metrics.addMetadata(member, value);
  metrics.addMetric(name, MetricUnit.Count, 1);
}
