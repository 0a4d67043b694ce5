import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import {
  type DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  type GetRecordsCommandOutput,
  TrimmedDataAccessException,
  type _Record,
} from "@aws-sdk/client-dynamodb-streams";
import { isLoopback } from "#shared/runtime/aws-client.ts";

type Page = Pick<GetRecordsCommandOutput, "Records" | "NextShardIterator">;

interface JsonPage {
  Records?: JsonRecord[];
  NextShardIterator?: string;
  /** The name of an error. */
  __type?: string;
  message?: string;
}

/** A record as JSON: like the SDK's, but for the time, which is in seconds. */
interface JsonRecord extends Omit<_Record, "dynamodb"> {
  dynamodb?: Record<string, unknown> & { ApproximateCreationDateTime?: number };
}

/**
 * Returns a function that reads a page of a stream. It reads an emulator without the SDK, whose deserializer takes most
 * of the CPU time of a stream's reader: a stream has two images of every changed item.
 */
export function pageReader(
  client: DynamoDBStreamsClient,
  endpoint: string,
): (iterator: string | undefined) => Promise<Page> {
  if (!isLoopback(endpoint)) {
    return (ShardIterator) => client.send(new GetRecordsCommand({ ShardIterator }));
  }
  const agent = new Agent({ keepAlive: true });
  return async (ShardIterator) => {
    const sent = request(endpoint, { agent, method: "POST", headers });
    sent.end(JSON.stringify({ ShardIterator }));
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    const page = (await json(answer)) as JsonPage;
    if (answer.statusCode !== 200) throw problemOf(page);
    return {
      Records: (page.Records ?? []).map(asRecord),
      NextShardIterator: page.NextShardIterator,
    };
  };
}

/** Emulators want a signature, but do not check it. */
const headers = {
  "content-type": "application/x-amz-json-1.0",
  "x-amz-date": "20260101T000000Z",
  "x-amz-target": "DynamoDBStreams_20120810.GetRecords",
  authorization:
    "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, " +
    "SignedHeaders=host, Signature=none",
};

function asRecord({ dynamodb: change, ...record }: JsonRecord): _Record {
  const seconds = change?.ApproximateCreationDateTime;
  return {
    ...record,
    dynamodb: {
      ...change,
      ApproximateCreationDateTime: seconds === undefined ? undefined : new Date(seconds * 1000),
    },
  };
}

function problemOf({ __type: type = "", message = "" }: JsonPage): Error {
  const facts = { message, $metadata: {} };
  if (type.endsWith("#ExpiredIteratorException")) return new ExpiredIteratorException(facts);
  if (type.endsWith("#TrimmedDataAccessException")) return new TrimmedDataAccessException(facts);
  return new Error(`The stream could not be read: ${type} ${message}`);
}
