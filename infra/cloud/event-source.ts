import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import {
  type Alias,
  type CfnEventSourceMapping,
  EventSourceMapping,
  type EventSourceMappingProps,
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
  // CDK's class does not match CDK's own interface under exactOptionalPropertyTypes.
  const target = alias as IFunction;
  const common = { target, reportBatchItemFailures: true };
  switch (source.kind) {
    case "schedule":
      // A failed run is not retried, because the next run comes soon and does the remaining work.
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
      addMapping(scope, `${name}Stream`, {
        ...common,
        ...(data.table.tableStreamArn !== undefined && {
          eventSourceArn: data.table.tableStreamArn,
        }),
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: source.batchSize,
        // A failed batch is retried until it reaches its maximum age. Then Lambda stores the whole batch in the bucket
        // of failed changes.
        bisectBatchOnError: true,
        retryAttempts: -1,
        maxRecordAge: Duration.hours(source.maxAgeHours),
        // CDK's S3OnFailureDestination would also let the function read and delete every object.
        onFailure: { bind: () => ({ destination: data.bucketArns.failedChanges }) },
        filters: [
          FilterCriteria.filter(itemsIn(source.partitions)),
          FilterCriteria.filter({
            eventName: FilterRule.isEqual("INSERT"),
            ...itemsIn(source.newIn),
          }),
          FilterCriteria.filter(rowsIn(source.rows)),
        ],
      });
      return;
    case "queue": {
      const { queue } = data.queues[source.queue];
      queue.grantConsumeMessages(alias);
      addMapping(scope, `${name}Queue`, {
        ...common,
        eventSourceArn: queue.queueArn,
        batchSize: source.batchSize,
        maxConcurrency: source.maxConcurrency,
      });
    }
  }
}

function addMapping(scope: Construct, id: string, props: EventSourceMappingProps): void {
  const mapping = new EventSourceMapping(scope, id, props);
  const resource = mapping.node.defaultChild as CfnEventSourceMapping;
  // CDK cuts the function's name out of its ARN, which fails if the ARN is an output of another stack. AWS accepts the
  // whole ARN instead.
  resource.functionName = props.target.functionArn;
}

function itemsIn(partitions: readonly string[]) {
  const S = partitions.flatMap((beginning) => FilterRule.beginsWith(beginning));
  return { dynamodb: { Keys: { [tableDefinition.partitionKey]: { S } } } };
}

function rowsIn({ partition, sortKeys }: { partition: string; sortKeys: readonly string[] }) {
  const { partitionKey, sortKey } = tableDefinition;
  const Keys = {
    [partitionKey]: { S: FilterRule.beginsWith(partition) },
    [sortKey]: { S: FilterRule.or(...sortKeys) },
  };
  return { dynamodb: { Keys } };
}
