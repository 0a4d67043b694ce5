import { randomUUID } from "node:crypto";
import type { DynamoDb } from "#infra/local/emulators/dynamodb.ts";
import type { TableClient } from "#shared/storage/table.ts";
import type { ChangeReader } from "./change-stream.ts";
import { type MemoryTable, openMemoryTable } from "./memory-table.ts";
import type { Rows } from "./rows.ts";

/**
 * What environments call the tables in this process: the value of DYNAMODB_ENDPOINT is the address of a client, so a
 * test opens the table of a stack by its environment, wherever that is.
 */
const clients = new Map<string, { readonly client: TableClient; readonly table: MemoryTable }>();

/** Gives a client of a table in memory an address. */
export function addressOf(table: MemoryTable, client: TableClient = table.client): string {
  const address = `memory:${randomUUID()}`;
  clients.set(address, { client, table });
  return address;
}

/** The client with an address; undefined for the endpoint of another DynamoDB. */
export const clientAt = (address: string | undefined): TableClient | undefined =>
  address === undefined ? undefined : known(address)?.client;

/** The table of the client with an address; undefined for the endpoint of another DynamoDB. */
export const memoryAt = (address: string): MemoryTable | undefined => known(address)?.table;

function known(address: string) {
  const found = clients.get(address);
  if (!found && address.startsWith("memory:")) throw new Error(`${address} has been stopped.`);
  return found;
}

/** A table in memory as a part of a stack. */
export function memoryDynamoDb(table: MemoryTable): DynamoDb {
  const endpoint = addressOf(table);
  return {
    endpoint,
    tableName: table.name,
    streamArn: `arn:aws:dynamodb:us-east-1:000000000000:table/${table.name}/stream/memory`,
    client: table.client,
    openChanges: () => changesOf(table.stream.open()),
    async stop() {
      clients.delete(endpoint);
    },
  };
}

/** An empty table, or one with rows, as a part of a stack. */
export const startMemoryDynamoDb = (options: { name?: string; beginning?: Rows } = {}): DynamoDb =>
  memoryDynamoDb(openMemoryTable(options));

const mostRecords = 1_000;

const changesOf = (reader: ChangeReader): ReturnType<NonNullable<DynamoDb["openChanges"]>> => ({
  async read(use) {
    const records = reader.peek(mostRecords);
    if (records.length > 0) await use(records);
    reader.advance(records.length);
    return records.length;
  },
  keepPosition() {
    // Such a table ends with its process.
  },
  onChange: reader.onChange,
  close: reader.close,
});
