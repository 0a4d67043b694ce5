import { readFileSync, writeFileSync } from "node:fs";
import { type _Record, DynamoDBStreamsClient } from "@aws-sdk/client-dynamodb-streams";
import { clientDefaults } from "#shared/runtime/aws-client.ts";
import { type Positions, streamShards } from "./stream-shards.ts";

/** Where the changes of a table come from. */
export interface ChangeSource {
  /**
   * Reads the next changes, in order.
   *
   * @param use processes records; records that it rejects are read again
   * @returns the number of records
   */
  read(use: (records: _Record[]) => Promise<void>): Promise<number>;
  /** Keeps how far it has been read, for the next start. */
  keepPosition(): void;
  /** Calls back after each change. Sources without it must be read again and again. */
  onChange?(callback: () => void): void;
  close(): void;
}

/**
 * The changes of a table by DynamoDB's Streams API.
 *
 * @param options.checkpointFile file that keeps the stream positions between runs
 */
export function streamChanges({
  endpoint,
  streamArn,
  checkpointFile,
}: {
  endpoint: string;
  streamArn: string;
  checkpointFile?: string | undefined;
}): ChangeSource {
  const client = new DynamoDBStreamsClient(clientDefaults(endpoint));
  const positions = checkpointFile === undefined ? {} : readPositions(checkpointFile);
  const { read } = streamShards(client, endpoint, streamArn, positions);
  return {
    read,
    keepPosition() {
      if (checkpointFile !== undefined) writeFileSync(checkpointFile, JSON.stringify(positions));
    },
    close: () => client.destroy(),
  };
}

function readPositions(file: string): Positions {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Positions;
  } catch {
    return {};
  }
}
