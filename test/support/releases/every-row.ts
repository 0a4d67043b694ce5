import { ScanCommand, type ScanCommandOutput } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { patientClient } from "#infra/local/patient-client.ts";
import type { Stack } from "#infra/local/stack.ts";
import type { Item } from "#shared/storage/entity.ts";
import { everyCall, nameOf } from "../calls/every-call.ts";
import { everyRoute } from "../http/every-route.ts";

type Part = Pick<Stack, "baseUrl" | "environment" | "settled">;

/**
 * Every item of a stack's table.
 *
 * @param without only items that do not have this member
 */
export async function everyRow(
  { environment }: Pick<Part, "environment">,
  { without }: { without?: string } = {},
): Promise<Item[]> {
  const client = patientClient(environment.DYNAMODB_ENDPOINT);
  const rows: Item[] = [];
  let after: ScanCommandOutput["LastEvaluatedKey"];
  do {
    const page: ScanCommandOutput = await client.send(
      new ScanCommand({
        TableName: environment.TABLE_NAME,
        ConsistentRead: true,
        ...(without !== undefined && {
          FilterExpression: "attribute_not_exists(#member)",
          ExpressionAttributeNames: { "#member": without },
        }),
        ...(after && { ExclusiveStartKey: after }),
      }),
    );
    // Every item has the two keys that `Item` declares.
    rows.push(...(page.Items ?? []).map((item) => unmarshall(item) as Item));
    after = page.LastEvaluatedKey;
  } while (after);
  client.destroy();
  return rows;
}

/** Maximum number of calls in a group. A larger group would contain calls that change the same records. */
const groupSize = 6;

/**
 * Calls every route that writes, once and with success. Each call has records of its own.
 *
 * @param before runs before each group of calls, when its records exist
 */
export async function callEveryWrite(
  stack: Part,
  before: (routes: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const prepare = await everyCall(stack.baseUrl, stack.environment);
  const routes = everyRoute.map(({ route }) => route).filter(({ method }) => method !== "GET");
  const groups = Math.ceil(routes.length / groupSize);
  for (let first = 0; first < groups; first++) {
    // Neighbouring routes change the same records, so a group consists of routes that are far apart.
    const group = routes.filter((_route, position) => position % groups === first);
    const calls: Awaited<ReturnType<typeof prepare>>[] = [];
    for (const route of group) calls.push(await prepare(route));
    await before(group.map(nameOf).join(", "));
    for (const [position, call] of calls.entries()) {
      const { status, text } = await call(stack.baseUrl);
      if (status >= 400) throw new Error(`${nameOf(group[position]!)} fails: ${status} ${text}`);
    }
  }
  await stack.settled();
}
