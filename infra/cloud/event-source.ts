import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import {
  FilterCriteria,
  FilterRule,
  StartingPosition,
  Function,
  type IFunction,
} from "aws-cdk-lib/aws-lambda";
import { DynamoEventSource, SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Construct } from "constructs";
import type { Consumer } from "#functions/consumers.ts";
import { tableDefinition } from "#shared/storage/table-definition.ts";
import type { DataStack } from "./data-stack.ts";

interface EventSourceProps {
  readonly name: string;
  readonly lambda: Function;
  readonly source: Consumer["source"];
  readonly data: DataStack;
}

/**
 * Connects a consumer to its event source. Failed records are reported individually, so only these are retried.
 *
 * @param scope stack of the event source
 */
export function addEventSource(
  scope: Construct,
  { name, lambda, source, data }: EventSourceProps,
): void {
  switch (source.kind) {
    case "schedule":
      // No retries, neither by EventBridge nor by Lambda: the next run comes soon and handles what this one left.
      lambda.configureAsyncInvoke({
        retryAttempts: 0,
        maxEventAge: Duration.minutes(Math.max(1, Math.min(source.everyMinutes, 360))),
      });
      new Rule(scope, `${name}Schedule`, {
        schedule: Schedule.rate(Duration.minutes(source.everyMinutes)),
        targets: [new LambdaFunction(lambda, { retryAttempts: 0 })],
      });
      return;
    case "stream":
      return referenced(scope, name, lambda).addEventSource(
        new DynamoEventSource(data.table, {
          startingPosition: StartingPosition.TRIM_HORIZON,
          batchSize: source.batchSize,
          reportBatchItemFailures: true,
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
        }),
      );
    case "queue":
      return referenced(scope, name, lambda).addEventSource(
        new SqsEventSource(data.queues[source.queue].queue, {
          batchSize: source.batchSize,
          reportBatchItemFailures: true,
          ...(source.maxConcurrency !== undefined && { maxConcurrency: source.maxConcurrency }),
        }),
      );
  }
}

/** The function as another stack refers to it. What is added to it belongs to `scope`, permissions to its role. */
const referenced = (scope: Construct, name: string, { functionArn, role }: Function): IFunction =>
  Function.fromFunctionAttributes(scope, name, {
    functionArn,
    ...(role && { role }),
    sameEnvironment: true,
  });

function itemsIn(partitions: readonly string[]) {
  const S = partitions.flatMap((beginning) => FilterRule.beginsWith(beginning));
  return { dynamodb: { Keys: { [tableDefinition.partitionKey]: { S } } } };
}
