import { CloudWatchLogsClient, paginateFilterLogEvents } from "@aws-sdk/client-cloudwatch-logs";
import { paginateDescribeLogGroups } from "@aws-sdk/client-cloudwatch-logs";
import { InvokeCommand, LambdaClient, paginateListFunctions } from "@aws-sdk/client-lambda";
import { DeleteObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import {
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  SQSClient,
  paginateListQueues,
} from "@aws-sdk/client-sqs";
import { setTimeout as delay } from "node:timers/promises";
import { consumers } from "#functions/consumers.ts";
import type { Outputs } from "./deployment.ts";

/** A queue and the number of its messages, those in process included. */
interface Waiting {
  readonly name: string;
  readonly messages: number;
}

async function queues(): Promise<Waiting[]> {
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
  const waiting: Waiting[] = [];
  for await (const { QueueUrls = [] } of paginateListQueues({ client: sqs }, {})) {
    for (const QueueUrl of QueueUrls) {
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }),
      );
      const { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible } = Attributes;
      const messages =
        Number(ApproximateNumberOfMessages) + Number(ApproximateNumberOfMessagesNotVisible);
      waiting.push({ name: QueueUrl.split("/").at(-1)!, messages });
    }
  }
  sqs.destroy();
  return waiting;
}

const isForFailures = ({ name }: Waiting): boolean => /deadletters|LostChanges/i.test(name);

/** Resolves when every consumer has processed its messages. @throws Error after two minutes */
export async function settled(): Promise<void> {
  for (let attempt = 0; attempt < 120; attempt++) {
    const left = (await queues()).filter((queue) => !isForFailures(queue) && queue.messages > 0);
    if (left.length === 0) return;
    await delay(1_000);
  }
  throw new Error("Messages are still waiting after two minutes.");
}

/** The number of dead letter queues, that of failed changes included, and a line for each that has messages. */
export async function failedMessages(): Promise<{ queues: number; messages: string[] }> {
  const forFailures = (await queues()).filter(isForFailures);
  const messages = forFailures
    .filter((queue) => queue.messages > 0)
    .map((queue) => `${queue.name}: ${queue.messages}`);
  return { queues: forFailures.length, messages };
}

/**
 * The number of log groups, and their lines that are errors: of our logger, or of Lambda about a process that ended.
 */
export async function loggedErrors(): Promise<{ groups: number; errors: string[] }> {
  const client = new CloudWatchLogsClient({});
  const errors: string[] = [];
  let groups = 0;
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, {})) {
    for (const { logGroupName } of logGroups) {
      if (logGroupName === undefined) continue;
      groups += 1;
      for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName })) {
        for (const { message = "" } of events) {
          if (/"level":"(?:ERROR|CRITICAL)"|Task timed out|Runtime\.\w+/.test(message)) {
            errors.push(`${logGroupName}: ${message.slice(0, 400)}`);
          }
        }
      }
    }
  }
  client.destroy();
  return { groups, errors };
}

/** Invokes every scheduled function once, by its alias. Returns their number and the failures. */
export async function invokeSchedules(): Promise<{ invoked: number; failures: string[] }> {
  const client = new LambdaClient({});
  const names: string[] = [];
  for await (const { Functions = [] } of paginateListFunctions({ client }, {})) {
    names.push(...Functions.flatMap(({ FunctionName }) => FunctionName ?? []));
  }
  const failures: string[] = [];
  const scheduled = consumers.filter(({ source }) => source.kind === "schedule");
  for (const { name } of scheduled) {
    const FunctionName = names.find((deployed) => deployed.includes(name.replaceAll("-", "")));
    if (FunctionName === undefined) {
      failures.push(`${name} is not deployed`);
      continue;
    }
    const event = { "detail-type": "Scheduled Event", time: new Date().toISOString(), detail: {} };
    const { FunctionError, Payload } = await client.send(
      new InvokeCommand({ FunctionName, Qualifier: "live", Payload: JSON.stringify(event) }),
    );
    if (FunctionError !== undefined) {
      failures.push(`${name}: ${FunctionError} ${Payload?.transformToString() ?? ""}`);
    }
  }
  client.destroy();
  return { invoked: scheduled.length, failures };
}

/**
 * Stores an object in the bucket of failed changes and waits for its message, on which an alarm is raised. Removes both.
 *
 * @throws Error if there is no message after ten seconds
 */
export async function failedChangeIsCounted({ data }: Outputs): Promise<void> {
  const Bucket = data["FailedChangesBucketArn"]!.split(":").at(-1);
  const Key = "rehearsal.json";
  const s3 = new S3Client({ forcePathStyle: true });
  await s3.send(new PutObjectCommand({ Bucket, Key, Body: "{}" }));
  const isCounted = async () =>
    (await failedMessages()).messages.some((line) => line.includes("LostChanges"));
  for (let attempt = 0; !(await isCounted()); attempt++) {
    if (attempt === 20) throw new Error("No message for an object with failed changes.");
    await delay(500);
  }
  await s3.send(new DeleteObjectCommand({ Bucket, Key }));
  s3.destroy();
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
  await sqs.send(new PurgeQueueCommand({ QueueUrl: data["LostChangesQueueUrl"] }));
  sqs.destroy();
}
