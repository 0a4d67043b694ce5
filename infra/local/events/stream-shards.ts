import {
  type _Record,
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetShardIteratorCommand,
  type Shard,
  TrimmedDataAccessException,
} from "@aws-sdk/client-dynamodb-streams";
import { pageReader } from "./stream-records.ts";

/** The last processed sequence number of each shard. */
export type Positions = Record<string, string>;

interface OpenShard {
  readonly id: string;
  readonly parent: string | undefined;
  iterator: string | undefined;
}

/** Reads a table's stream in order: a child shard only after its parent. */
export function streamShards(
  client: DynamoDBStreamsClient,
  endpoint: string,
  streamArn: string,
  positions: Positions,
) {
  const readPage = pageReader(client, endpoint);
  const open = new Map<string, OpenShard>();
  const finished = new Set<string>();
  let listed = false;

  async function list(): Promise<void> {
    let last: string | undefined;
    do {
      const { StreamDescription: page } = await client.send(
        new DescribeStreamCommand({ StreamArn: streamArn, ExclusiveStartShardId: last }),
      );
      for (const shard of page?.Shards ?? []) remember(shard);
      last = page?.LastEvaluatedShardId;
    } while (last);
    listed = true;
  }

  function remember({ ShardId: id, ParentShardId: parent }: Shard): void {
    if (id !== undefined && !open.has(id) && !finished.has(id)) {
      open.set(id, { id, parent, iterator: undefined });
    }
  }

  async function iteratorOf(shard: OpenShard): Promise<string | undefined> {
    const position = positions[shard.id];
    const { ShardIterator } = await client.send(
      new GetShardIteratorCommand({
        StreamArn: streamArn,
        ShardId: shard.id,
        ...(position === undefined
          ? { ShardIteratorType: "TRIM_HORIZON" }
          : { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: position }),
      }),
    );
    return ShardIterator;
  }

  async function readShard(
    shard: OpenShard,
    use: (records: _Record[]) => Promise<void>,
  ): Promise<number> {
    const iterator = shard.iterator ?? (await iteratorOf(shard));
    // The iterator is set only after all records were processed. If a record fails, the shard is read again from its
    // last position.
    shard.iterator = undefined;
    const { Records: records = [], NextShardIterator: next } = await readPage(iterator);
    if (records.length > 0) await use(records);
    const last = records.at(-1)?.dynamodb?.SequenceNumber;
    if (last !== undefined) positions[shard.id] = last;

    shard.iterator = next;
    if (next === undefined) {
      open.delete(shard.id);
      finished.add(shard.id);
      listed = false;
    }
    return records.length;
  }

  return {
    /**
     * Reads all shards once.
     *
     * @param use processes records; records that it rejects are read again at the next pass
     * @returns the number of records
     */
    async read(use: (records: _Record[]) => Promise<void>): Promise<number> {
      if (!listed) await list();
      let count = 0;
      for (const shard of open.values()) {
        if (shard.parent !== undefined && open.has(shard.parent)) continue;
        try {
          count += await readShard(shard, use);
        } catch (problem) {
          if (problem instanceof TrimmedDataAccessException) delete positions[shard.id];
          else if (!(problem instanceof ExpiredIteratorException)) throw problem;
          count++;
        }
      }
      return count;
    },
  };
}
