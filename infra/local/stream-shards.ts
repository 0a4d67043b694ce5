import type { DynamoDBRecord } from "aws-lambda";
import { AwsRefusal, awsJson } from "#shared/runtime/aws-json.ts";

/** The last sequence number that was dealt with, by shard. */
export type Positions = Record<string, string>;

/** What the stream's reader asks, and what it is answered: records are in the form that Lambda hands on. */
interface Operations {
  DescribeStream: [
    { StreamArn: string; ExclusiveStartShardId?: string | undefined },
    { StreamDescription: { Shards?: Shard[]; LastEvaluatedShardId?: string } },
  ];
  GetShardIterator: [
    {
      StreamArn: string;
      ShardId: string;
      ShardIteratorType: "TRIM_HORIZON" | "AFTER_SEQUENCE_NUMBER";
      SequenceNumber?: string;
    },
    { ShardIterator?: string },
  ];
  GetRecords: [
    { ShardIterator: string | undefined },
    { Records?: DynamoDBRecord[]; NextShardIterator?: string | null },
  ];
}
interface Shard {
  readonly ShardId?: string;
  readonly ParentShardId?: string | null;
}

type Streams = <Name extends keyof Operations>(
  operation: Name,
  request: Operations[Name][0],
) => Promise<Operations[Name][1]>;

const openStreams = (endpoint: string): Streams =>
  awsJson({
    service: "dynamodb",
    target: "DynamoDBStreams_20120810",
    base: () => endpoint,
  }) as Streams;

/** Another iterator helps. */
const hasExpired = (problem: unknown) =>
  problem instanceof AwsRefusal && problem.name === "ExpiredIteratorException";
const isTrimmed = (problem: unknown) =>
  problem instanceof AwsRefusal && problem.name === "TrimmedDataAccessException";

interface OpenShard {
  readonly id: string;
  readonly parent: string | undefined;
  iterator: string | undefined;
}

/** Reads a table's stream in order: a shard's records only after its parent's. */
export function streamShards(endpoint: string, streamArn: string, positions: Positions) {
  const streams = openStreams(endpoint);
  const open = new Map<string, OpenShard>();
  const finished = new Set<string>();
  let listed = false;

  async function list(): Promise<void> {
    let last: string | undefined;
    do {
      const { StreamDescription: page } = await streams("DescribeStream", {
        StreamArn: streamArn,
        ExclusiveStartShardId: last,
      });
      for (const shard of page.Shards ?? []) remember(shard);
      last = page.LastEvaluatedShardId;
    } while (last);
    listed = true;
  }

  function remember({ ShardId: id, ParentShardId: parent }: Shard): void {
    if (id !== undefined && !open.has(id) && !finished.has(id)) {
      open.set(id, { id, parent: parent ?? undefined, iterator: undefined });
    }
  }

  async function iteratorOf(shard: OpenShard): Promise<string | undefined> {
    const position = positions[shard.id];
    const { ShardIterator } = await streams("GetShardIterator", {
      StreamArn: streamArn,
      ShardId: shard.id,
      ...(position === undefined
        ? { ShardIteratorType: "TRIM_HORIZON" }
        : { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: position }),
    });
    return ShardIterator;
  }

  async function readShard(
    shard: OpenShard,
    use: (records: DynamoDBRecord[]) => Promise<void>,
  ): Promise<number> {
    const iterator = shard.iterator ?? (await iteratorOf(shard));
    // Set again only when all is dealt with: what fails half-way is read anew from its position.
    shard.iterator = undefined;
    const { Records: records = [], NextShardIterator: next } = await streams("GetRecords", {
      ShardIterator: iterator,
    });
    if (records.length > 0) await use(records);
    const last = records.at(-1)?.dynamodb?.SequenceNumber;
    if (last !== undefined) positions[shard.id] = last;

    shard.iterator = next ?? undefined;
    if (!next) {
      open.delete(shard.id);
      finished.add(shard.id);
      listed = false;
    }
    return records.length;
  }

  return {
    /**
     * One pass over all shards.
     *
     * @param use deals with records; what it rejects is read again at the next pass
     * @returns how many records there were
     */
    async read(use: (records: DynamoDBRecord[]) => Promise<void>): Promise<number> {
      if (!listed) await list();
      let count = 0;
      for (const shard of open.values()) {
        if (shard.parent !== undefined && open.has(shard.parent)) continue;
        try {
          count += await readShard(shard, use);
        } catch (problem) {
          if (isTrimmed(problem)) delete positions[shard.id];
          else if (!hasExpired(problem)) throw problem;
          count++;
        }
      }
      return count;
    },
  };
}
