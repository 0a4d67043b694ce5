import { isDeepStrictEqual } from "node:util";
import { Duration } from "aws-cdk-lib";
import { Schedule } from "aws-cdk-lib/aws-events";
import { describe, expect, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { deployed, resources, shop } from "./deployed-shop.ts";

/** The ARN of a function's alias as the operations stack refers to it. */
const arnOf = (name: string): unknown => shop.operations.resolve(deployed(name).alias.functionArn);
const failedChanges: unknown = shop.operations.resolve(shop.data.bucketArns.failedChanges);

describe("the event source of a consumer", () => {
  const mappings = resources.operations.of("AWS::Lambda::EventSourceMapping");

  const named = consumers.map(({ name, source }) => ({ name, source }));
  const mappingOf = (name: string) => {
    const alias = arnOf(name);
    const own = ({ Properties }: (typeof mappings)[number]) =>
      isDeepStrictEqual(Properties["FunctionName"], alias);
    return mappings.filter(own).map(({ Properties }) => Properties);
  };

  test.each(
    named.flatMap(({ name, source }) => (source.kind === "schedule" ? { name, source } : [])),
  )("invokes $name every $source.everyMinutes minutes by a schedule", ({ name, source }) =>
    expectClock(name, source.everyMinutes),
  );

  const batched = named.filter(({ source }) => source.kind !== "schedule");
  test.each(batched)("retries only the records that $name reports as failed", ({ name }) => {
    expect(mappingOf(name)).toEqual([
      expect.objectContaining({ FunctionResponseTypes: ["ReportBatchItemFailures"] }),
    ]);
  });

  test.each(named.flatMap(({ name, source }) => (source.kind === "queue" ? { name, source } : [])))(
    "sends $name batches of $source.batchSize from its queue with the declared concurrency",
    ({ name, source: { batchSize, maxConcurrency } }) => {
      const [mapping] = mappingOf(name);
      expect(mapping?.["BatchSize"]).toBe(batchSize);
      expect(mapping?.["ScalingConfig"]).toEqual({ MaximumConcurrency: maxConcurrency });
      // SQS accepts no maximum concurrency below 2.
      expect(maxConcurrency).toBeGreaterThanOrEqual(2);
    },
  );

  test.each(
    named.flatMap(({ name, source }) => (source.kind === "stream" ? { name, source } : [])),
  )(
    "sends $name only changes of the declared partitions, and stores failed batches",
    ({ name, source }) => {
      const itemsIn = (partitions: readonly string[]) => ({
        dynamodb: { Keys: { pk: { S: partitions.map((prefix) => ({ prefix })) } } },
      });
      const rowsIn = ({ partition, sortKeys }: typeof source.rows) => ({
        dynamodb: { Keys: { pk: { S: [{ prefix: partition }] }, sk: { S: sortKeys } } },
      });
      expect(mappingOf(name)).toEqual([
        expect.objectContaining({
          BatchSize: source.batchSize,
          FilterCriteria: {
            Filters: [
              { Pattern: JSON.stringify(itemsIn(source.partitions)) },
              { Pattern: JSON.stringify({ eventName: ["INSERT"], ...itemsIn(source.newIn) }) },
              { Pattern: JSON.stringify(rowsIn(source.rows)) },
            ],
          },
          BisectBatchOnFunctionError: true,
          MaximumRetryAttempts: -1,
          MaximumRecordAgeInSeconds: 12 * 3600,
          DestinationConfig: {
            OnFailure: { Destination: failedChanges },
          },
        }),
      ]);
    },
  );

  test("permits Lambda to store failed batches in the bucket, but does not permit the stream reader to read objects there", () => {
    const reader = consumers.find(({ source }) => source.kind === "stream");
    const about = (text: string) =>
      deployed(reader?.name ?? "").statements.filter((statement) =>
        JSON.stringify(statement.Resource).includes(text),
      );
    expect(about(JSON.stringify(failedChanges))).toEqual([
      expect.objectContaining({
        Action: ["s3:PutObject"],
        Resource: [{ "Fn::Join": ["", [failedChanges, "/*"]] }],
      }),
      expect.objectContaining({ Action: ["s3:ListBucket"], Resource: [failedChanges] }),
    ]);
  });

  test("is the consumer's only event source", () => {
    const clocks = resources.operations.of("AWS::Events::Rule");
    expect(mappings.length + clocks.length).toBe(consumers.length);
  });

  function expectClock(name: string, everyMinutes: number): void {
    const arn = arnOf(name);
    const rate = Schedule.rate(Duration.minutes(everyMinutes)).expressionString;
    expect(resources.operations.of("AWS::Events::Rule")).toContainEqual(
      expect.objectContaining({
        Properties: expect.objectContaining({
          ScheduleExpression: rate,
          State: "ENABLED",
          Targets: [expect.objectContaining({ Arn: arn })],
        }),
      }),
    );
    expect(resources.operations.of("AWS::Lambda::Permission")).toContainEqual(
      expect.objectContaining({
        Properties: expect.objectContaining({
          FunctionName: arn,
          Principal: "events.amazonaws.com",
        }),
      }),
    );
  }
});
