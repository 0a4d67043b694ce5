// @module-tag emulator
// @module-tag slow
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inLanes } from "#infra/local/planting/in-lanes.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import { clientDefaults } from "#shared/runtime/aws-client.ts";
import type { Item } from "#shared/storage/entity.ts";
import { callEveryWrite, everyRow, laterMember } from "#test/support/releases/rows.ts";
import { consumersOf, everyEffect } from "#test/support/stack/effects.ts";

let stack: Stack;
let client: DynamoDBClient;
beforeAll(async () => {
  stack = await startStack({ shop: "planted", consumers: consumersOf(everyEffect) });
  client = new DynamoDBClient(clientDefaults(stack.environment.DYNAMODB_ENDPOINT));
});
afterAll(async () => {
  client.destroy();
  await stack.stop();
});

/**
 * Rows that a write computes from other rows, without reading the row itself. They may lose members of a later release,
 * because that release rebuilds these rows after its deployment.
 */
const madeAnew = new Set([
  "card",
  "counted_thing",
  "published_announcement",
  "published_home",
  "published_material",
  "published_menus",
  "published_product",
  "published_sofa",
  "published_sofa_landing",
  "slug_claim",
  "superseded_view",
  "unsubscribe_link",
  "view_pointer",
]);

const keyOf = ({ pk, sk }: Item) => `${pk} ${sk}`;

/**
 * Gives a row a member that this release does not know.
 *
 * @returns false if the row was deleted meanwhile
 */
async function mark({ pk, sk }: Item): Promise<boolean> {
  const marking = client.send(
    new UpdateItemCommand({
      TableName: stack.environment.TABLE_NAME,
      Key: marshall({ pk, sk }),
      UpdateExpression: "SET #member = :later",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeNames: { "#member": laterMember },
      ExpressionAttributeValues: marshall({ ":later": "kept" }),
    }),
  );
  return marking.then(
    () => true,
    (problem: unknown) => {
      if (problem instanceof ConditionalCheckFailedException) return false;
      throw problem;
    },
  );
}

test("no call and no consumer loses a member that a later release has added to a row", async () => {
  const marked = new Set<string>();
  const lost = new Set<string>();
  let last = "the demo shop";
  /** Adds the member to every row that lacks it. A row that got the member earlier and lacks it now has lost it. */
  async function markNew(routes: string): Promise<void> {
    await stack.settled();
    const rows = await everyRow(stack, { without: laterMember });
    for (const row of rows) {
      const entity = String(row["entity"]);
      if (marked.has(keyOf(row)) && !madeAnew.has(entity)) lost.add(`${entity} after ${last}`);
    }
    await inLanes(rows, 8, async (row) => {
      if (await mark(row)) marked.add(keyOf(row));
    });
    last = routes;
  }
  await markNew("");
  await callEveryWrite(stack, markNew);
  await markNew("");
  expect([...lost].toSorted()).toEqual([]);
});
