import { paginateScan } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { patientClient } from "#infra/local/emulators/patient-client.ts";
import type { StackEnvironment } from "#infra/local/stack.ts";
import type { Item } from "#shared/storage/entity.ts";
import { memoryAt } from "#test/memory-table/addresses.ts";

/** Every item of a stack's table. */
export async function everyItem({
  TABLE_NAME: TableName,
  DYNAMODB_ENDPOINT: endpoint,
}: Pick<StackEnvironment, "TABLE_NAME" | "DYNAMODB_ENDPOINT">): Promise<Item[]> {
  const memory = memoryAt(endpoint);
  // Every item has the two keys that `Item` declares.
  if (memory) return memory.items() as Item[];
  const client = patientClient(endpoint);
  const items: Item[] = [];
  const pages = paginateScan({ client }, { TableName, ConsistentRead: true });
  for await (const { Items = [] } of pages)
    items.push(...Items.map((item) => unmarshall(item) as Item));
  client.destroy();
  return items;
}
