import { Duration } from "aws-cdk-lib";
import { Schedule } from "aws-cdk-lib/aws-events";
import { describe, expect, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { Ref, data, deployed, stateless } from "./deployed-shop.ts";

describe("what wakes a consumer", () => {
  const mappings = stateless.of("AWS::Lambda::EventSourceMapping");

  const sources = consumers.map(({ name, source }) => [name, source] as const);

  test.each(sources)(
    "wakes %s as declared, and brings back only the records that failed",
    (name, source) => {
      if (source.kind === "schedule") return expectClock(name, source.everyMinutes);
      const mapping = mappings.find(({ Properties }) => {
        return Ref.parse(Properties["FunctionName"]).Ref === deployed(name).id;
      });
      expect(mapping?.Properties).toMatchObject({
        BatchSize: source.batchSize,
        FunctionResponseTypes: ["ReportBatchItemFailures"],
      });
      if (source.kind === "queue") {
        const { sideBySide } = source;
        expect(mapping?.Properties["ScalingConfig"]).toEqual(
          sideBySide === undefined ? undefined : { MaximumConcurrency: sideBySide },
        );
        return;
      }
      const itemsIn = (partitions: readonly string[]) => ({
        dynamodb: { Keys: { pk: { S: partitions.map((prefix) => ({ prefix })) } } },
      });
      expect(mapping?.Properties).toMatchObject({
        FilterCriteria: {
          Filters: [
            { Pattern: JSON.stringify(itemsIn(source.partitions)) },
            { Pattern: JSON.stringify({ eventName: ["INSERT"], ...itemsIn(source.newIn) }) },
          ],
        },
        BisectBatchOnFunctionError: true,
        MaximumRetryAttempts: -1,
        MaximumRecordAgeInSeconds: 12 * 3600,
        DestinationConfig: {
          OnFailure: { Destination: { "Fn::ImportValue": data.bucketExports.failedChanges } },
        },
      });
    },
  );

  test("has Lambda store whole batches in its bucket, and lets the reader do no more there", () => {
    const bucket = { "Fn::ImportValue": data.bucketExports.failedChanges };
    const reader = consumers.find(({ source }) => source.kind === "stream");
    const about = (text: string) =>
      deployed(reader?.name ?? "").statements.filter((statement) =>
        JSON.stringify(statement.Resource).includes(text),
      );
    expect(about(data.bucketExports.failedChanges)).toEqual([
      expect.objectContaining({
        Action: ["s3:PutObject"],
        Resource: [{ "Fn::Join": ["", [bucket, "/*"]] }],
      }),
      expect.objectContaining({ Action: ["s3:ListBucket"], Resource: [bucket] }),
    ]);
  });

  test("is nothing else", () => {
    const clocks = stateless.of("AWS::Events::Rule");
    expect(mappings.length + clocks.length).toBe(consumers.length);
  });

  function expectClock(name: string, everyMinutes: number): void {
    const { id } = deployed(name);
    const rate = Schedule.rate(Duration.minutes(everyMinutes)).expressionString;
    expect(stateless.of("AWS::Events::Rule")).toContainEqual(
      expect.objectContaining({
        Properties: expect.objectContaining({
          ScheduleExpression: rate,
          State: "ENABLED",
          Targets: [expect.objectContaining({ Arn: { "Fn::GetAtt": [id, "Arn"] } })],
        }),
      }),
    );
    expect(stateless.of("AWS::Lambda::Permission")).toContainEqual(
      expect.objectContaining({
        Properties: expect.objectContaining({
          FunctionName: { "Fn::GetAtt": [id, "Arn"] },
          Principal: "events.amazonaws.com",
        }),
      }),
    );
  }
});
