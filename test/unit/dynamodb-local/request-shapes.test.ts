import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { everyEntity } from "#infra/entities.ts";
import { plainRequest } from "#test/guards/plain-request.ts";
import { identityOf, shapesOf, withExample } from "#test/guards/request-shapes.ts";
import { knownShapes, shapesMissing } from "../../dynamodb-local/known-shapes.ts";

/** A request as the HTTP API receives it. */
const received = (request: object) => plainRequest(Buffer.from(JSON.stringify(request)));

const shapeOf = (operation: string, request: object) =>
  shapesOf(operation, received(request)).map((shape) =>
    "transaction" in shape ? identityOf(shape) : shape.shape,
  );

const stockUpdate = (sku: string, units: string, condition = "#available >= :v0") => ({
  TableName: "shop",
  Key: { pk: { S: `STOCK#${sku}` }, sk: { S: "STOCK" } },
  UpdateExpression: "SET #updated_at = :v1 ADD #reserved :v0",
  ConditionExpression: condition,
  ExpressionAttributeNames: {
    "#available": "available",
    "#updated_at": "updated_at",
    "#reserved": "reserved",
  },
  ExpressionAttributeValues: { ":v0": { N: units }, ":v1": { S: "2026-11-26T00:00:00.000Z" } },
});

test("requests that differ only in ids and values have one shape", () => {
  const shape = ["Update STOCK#<id> STOCK SET member ADD member if available >= N"];
  expect(shapeOf("UpdateItem", stockUpdate("SOFA-1", "2"))).toEqual(shape);
  expect(shapeOf("UpdateItem", stockUpdate("LAMP-7", "5"))).toEqual(shape);
});

test("another condition makes another shape", () => {
  expect(shapeOf("UpdateItem", stockUpdate("SOFA-1", "2", "#reserved < :v0"))).toEqual([
    "Update STOCK#<id> STOCK SET member ADD member if reserved < N",
  ]);
});

test("the shape of a query names index, range, order and page", () => {
  const query = {
    TableName: "shop",
    IndexName: "gsi2",
    KeyConditionExpression: "#gsi2pk = :v0 AND #gsi2sk BETWEEN :v1 AND :v2",
    ExpressionAttributeNames: { "#gsi2pk": "gsi2pk", "#gsi2sk": "gsi2sk" },
    ExpressionAttributeValues: {
      ":v0": { S: "INBOX" },
      ":v1": { S: "2026-01" },
      ":v2": { S: "2026-02" },
    },
    Limit: 24,
    ScanIndexForward: false,
  };
  expect(shapeOf("Query", query)).toEqual([
    "Query gsi2 INBOX gsi2sk BETWEEN S AND S of conversation limit newest first",
  ]);
});

test("a transaction is the set of its writes", () => {
  const writes = [stockUpdate("SOFA-1", "1"), stockUpdate("LAMP-7", "1")];
  const shapes = shapesOf(
    "TransactWriteItems",
    received({ TransactItems: writes.map((Update) => ({ Update })) }),
  );
  expect(identityOf(shapes.at(-1)!)).toBe("stock Update");
  expect(shapes.at(-1)).toEqual({ transaction: [identityOf(shapes[0]!)] });
});

test("DynamoDB Local is asked about every entity", async () => {
  const asked = new Set(
    [...knownShapes().values()].flatMap((shape) => ("entity" in shape ? [shape.entity] : [])),
  );
  const stored = (await everyEntity()).filter(({ readsOthers }) => !readsOthers);
  expect(stored.map(({ name }) => name).filter((name) => !asked.has(name))).toEqual([]);
});

test("no example expires: DynamoDB Local deletes rows whose time is over", () => {
  const soon = { pk: { S: "STOCK#SOFA-1" }, sk: { S: "STOCK" }, ttl: { N: "1795741279" } };
  const [sent] = shapesOf("PutItem", received({ Item: soon }));
  if (!sent || "transaction" in sent) throw new Error("A put has one shape");
  expect(withExample(sent).example.Item?.["ttl"]).toEqual({ N: "4102444800" });
  const known = JSON.stringify([...knownShapes().values()]);
  expect(known.match(/"ttl":\{"N":"(?!4102444)\d+/g)).toBeNull();
});

test("a run's new shapes and those that it did not send are named", () => {
  const folder = mkdtempSync(join(tmpdir(), "shapes-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [first, ...others] = [...knownShapes().values()].filter((shape) => "entity" in shape);
  const unknown = shapesOf("UpdateItem", received(stockUpdate("SOFA-1", "1", "#available > :v0")));
  const sent = [...others, ...unknown, { transaction: ["home Put 1", "stock Put 2"] }];
  const file = join(folder, "sent.jsonl");
  writeFileSync(file, sent.map((shape) => `${JSON.stringify(shape)}\n`).join(""));
  expect(shapesMissing(file)).toEqual([
    "New: stock: Update STOCK#<id> STOCK SET member ADD member if available > N",
    "New: a transaction of home Put, stock Put",
    `Not sent: ${first?.entity}: ${first?.shape}`,
  ]);
});
