import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import {
  type Alias,
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  type IFunction,
  StartingPosition,
} from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { Consumer } from "#functions/consumers.ts";
import { tableDefinition } from "#shared/storage/table-definition.ts";
import type { DataStack } from "./data-stack.ts";

interface EventSourceProps {
  readonly name: string;
  readonly alias: Alias;
  readonly source: Consumer["source"];
  readonly data: DataStack;
}

/**
 * Connects the released version of a consumer to its event source. Failed records are reported individually, so only
 * these are retried.
 *
 * @param scope stack of the event source
 */
export function addEventSource(
  scope: Construct,
  { name, alias, source, data }: EventSourceProps,
): void {
  // Under exactOptionalPropertyTypes the library's class misses its own interface.
  const target = alias as IFunction;
  const common = { target, reportBatchItemFailures: true };
  switch (source.kind) {
    case "schedule":
      // No retries, neither by EventBridge nor by Lambda: the next run comes soon and handles what this one left.
      alias.configureAsyncInvoke({
        retryAttempts: 0,
        maxEventAge: Duration.minutes(Math.max(1, Math.min(source.everyMinutes, 360))),
      });
      new Rule(scope, `${name}Schedule`, {
        schedule: Schedule.rate(Duration.minutes(source.everyMinutes)),
        targets: [new LambdaFunction(target, { retryAttempts: 0 })],
      });
      return;
    case "stream":
      data.table.grantStreamRead(alias);
      new EventSourceMapping(scope, `${name}Stream`, {
        ...common,
        ...(data.table.tableStreamArn !== undefined && {
          eventSourceArn: data.table.tableStreamArn,
        }),
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: source.batchSize,
        // Retried without limit up to the maximum age. Then Lambda stores the whole batch.
        bisectBatchOnError: true,
        retryAttempts: -1,
        maxRecordAge: Duration.hours(source.maxAgeHours),
        // Not S3OnFailureDestination, which would let the function read and delete every object.
        onFailure: { bind: () => ({ destination: data.bucketArns.failedChanges }) },
        filters: [
          FilterCriteria.filter(itemsIn(source.partitions)),
          FilterCriteria.filter({
            eventName: FilterRule.isEqual("INSERT"),
            ...itemsIn(source.newIn),
          }),
        ],
      });
      return;
    case "queue": {
      const { queue } = data.queues[source.queue];
      queue.grantConsumeMessages(alias);
      new EventSourceMapping(scope, `${name}Queue`, {
        ...common,
        eventSourceArn: queue.queueArn,
        batchSize: source.batchSize,
        maxConcurrency: source.maxConcurrency,
      });
    }
  }
}

function itemsIn(partitions: readonly string[]) {
  const S = partitions.flatMap((beginning) => FilterRule.beginsWith(beginning));
  return { dynamodb: { Keys: { [tableDefinition.partitionKey]: { S } } } };
}
