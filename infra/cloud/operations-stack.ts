import { Stack, type StackProps } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import type { Construct } from "constructs";
import type { Consumer } from "#functions/consumers.ts";
import { Alarms } from "./alarms.ts";
import { addBudget } from "./budget.ts";
import { MachineDashboard, ShopDashboard } from "./dashboard.ts";
import type { DataStack } from "./data-stack.ts";
import { addEventSource } from "./event-source.ts";
import type { ConsumersStack } from "./consumers-stack.ts";
import type { FunctionsStack } from "./functions-stack.ts";
import { functionOf } from "./service-function.ts";
import { type StageOptions, metricsNamespace } from "./stage.ts";

interface OperationsStackProps extends StackProps {
  readonly data: DataStack;
  readonly functions: FunctionsStack;
  readonly onEvents: ConsumersStack;
  readonly api: HttpApi;
  readonly consumers: readonly Consumer[];
  readonly options: Pick<StageOptions, "stage" | "budget">;
}

/** The event sources of the consumers, all alarms except those that stop a release, the dashboards and the budget. */
export class OperationsStack extends Stack {
  constructor(scope: Construct, id: string, props: OperationsStackProps) {
    const { data, functions, onEvents, api, consumers, options, ...stackProps } = props;
    super(scope, id, stackProps);
    const alarms = new Alarms(this, functions.alarmTopic);
    alarms.watchThrottles();
    alarms.watchApi(api);

    for (const { name, source } of consumers) {
      const { lambda, alias } = functionOf(onEvents, name);
      alarms.watchErrors(name, lambda);
      if (source.kind === "stream") alarms.watchStreamReader(name, lambda);
      if (source.kind === "schedule") alarms.watchClock(name, lambda, source.everyMinutes);
      addEventSource(this, { name, alias, source, data });
    }
    for (const [name, { queue, deadLetters }] of Object.entries(data.queues)) {
      alarms.watchWaiting(name, queue);
      // A FIFO queue does not need this alarm, because the age of its oldest message includes messages in flight.
      if (!queue.fifo) alarms.watchPostponed(name, queue);
      alarms.watchDeadLetters(name, deadLetters);
    }
    alarms.watchFailedChanges(data.lostChanges);
    alarms.watchTable(data.table.tableName);
    if (data.mail) alarms.watchMail();

    const lambdas = [...functions.functions, ...onEvents.functions].map(
      ([name, { lambda }]) => [name, lambda] as const,
    );
    const namespace = metricsNamespace(options);
    new ShopDashboard(this, namespace);
    new MachineDashboard(this, { api, functions: new Map(lambdas), data, namespace });
    if (options.budget !== undefined) addBudget(this, options.budget, functions.alarmTopic);
  }
}
